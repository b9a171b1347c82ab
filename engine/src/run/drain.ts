import type { NodeRef } from './apply.js';
import { closeScope } from './close.js';
import { finish } from './finish.js';
import { runShortRace } from './merge.js';
import { skip, skipReason } from './skip.js';
import { activate, mayStart } from './start.js';
import { type Step, view } from './step.js';

/**
 * Carries out what the events so far have brought about until nothing follows any more: nodes start or are skipped, scopes close.
 * A loop over waves, not a recursion: a chain of 10 000 skips is 10 000 rounds.
 */
export function drain(step: Step): void {
  for (;;) {
    const news = step.draft.takeNews();
    if (news === undefined) return;
    for (const ref of news.stopped) endStopped(step, ref);
    for (const ref of inFileOrder(news.dead)) settleDead(step, ref);
    for (const ref of inFileOrder(news.ready)) startReady(step, ref);
    for (const path of news.closed) closeScope(step, path);
  }
}

function endStopped(step: Step, ref: NodeRef): void {
  if (!step.draft.isOpen(ref.scope)) return;
  const node = view(step, ref);
  finish(step, node, node.state.attempt, { kind: 'cancelled' });
}

function settleDead(step: Step, ref: NodeRef): void {
  if (!step.draft.isOpen(ref.scope)) return;
  const node = view(step, ref);
  if (node.state.status !== 'pending') return;
  if (node.plan.type === 'merge' && node.plan.race !== undefined && mayStart(step, node) && runShortRace(step, node)) return;
  skip(step, node, skipReason(step, node));
}

function startReady(step: Step, ref: NodeRef): void {
  if (!step.draft.isOpen(ref.scope)) return;
  const node = view(step, ref);
  if (node.state.status !== 'ready') return;
  if (mayStart(step, node)) activate(step, node);
  else skip(step, node, skipReason(step, node));
}

/** Nodes of one scope in the order in which the file lists them; scopes in the order in which they turn up. */
function inFileOrder(refs: readonly NodeRef[]): readonly NodeRef[] {
  if (isInFileOrder(refs)) return refs;
  const scopes = new Map<string, number>();
  for (const { scope } of refs) if (!scopes.has(scope)) scopes.set(scope, scopes.size);
  return [...refs].sort((a, b) => scopes.get(a.scope)! - scopes.get(b.scope)! || a.index - b.index);
}

/** The common case: one node, or the entries of one scope. */
function isInFileOrder(refs: readonly NodeRef[]): boolean {
  return refs.every((ref, at) => at === 0 || (ref.scope === refs[at - 1]!.scope && ref.index > refs[at - 1]!.index));
}
