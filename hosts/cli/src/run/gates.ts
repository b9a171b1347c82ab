import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { type GateDecision, type Json, type Plan, type RunEvent, showControls } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import type { View } from '../render/view.js';
import { whatAsks } from './what-asks.js';

export type GateMode = 'prompt' | 'reject';

/** Whether the gates of a plan can be decided here. Nothing approves in silence, and nothing waits for nobody. */
export function gateMode(cli: Cli, plan: Plan, asked: GateMode | undefined, asksAll = false): Outcome<GateMode> {
  if (asked === 'reject') return done('reject');
  const what = whatAsks(plan, asksAll);
  if (what === undefined || canAsk(cli)) return done('prompt');
  return problem(`${what}, and here is no terminal to ask in`, 'Run it in a terminal, or have every gate rejected with --gates reject.');
}

function canAsk(cli: Cli): boolean {
  return cli.stdin.isTTY === true && cli.err.isTerminal && !cli.json;
}

export interface GateKeeper {
  /** Rejects if asking breaks: a fault of ours, not an answer. */
  readonly broken: Promise<never>;
  event(event: RunEvent): void;
  close(): void;
}

export interface GateKeeperParts {
  readonly mode: GateMode;
  readonly view: View;
  /** Resolves to what is wrong with the decision; nothing is: it was taken. */
  readonly decide: (node: string, decision: GateDecision) => Promise<readonly string[]>;
}

type Opened = Extract<RunEvent, { type: 'gate:opened' }>;

/** Decides the gates of a run: asks one question after the other, or says no to all. */
export function keepGates(cli: Cli, { mode, view, decide }: GateKeeperParts): GateKeeper {
  const open: Opened[] = [];
  let breakDown: (fault: unknown) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    breakDown = reject;
  });
  // It is looked at while the run goes on; afterwards nobody does.
  broken.catch(() => {});
  let asking: AbortController | undefined;
  let isClosed = false;

  /** Nobody is asked any more about what these are. */
  const withdraw = (isOver: (gate: Opened) => boolean): void => {
    const [current] = open;
    open.splice(0, open.length, ...open.filter((gate) => !isOver(gate)));
    if (current !== undefined && open[0] !== current) asking?.abort();
  };

  const next = async (): Promise<void> => {
    const gate = open[0];
    if (gate === undefined || asking !== undefined || isClosed) return;
    asking = new AbortController();
    const resume = view.hold();
    await askAbout(cli, gate, (decision) => decide(gate.node, decision), asking.signal);
    asking = undefined;
    resume();
    if (open[0] === gate) open.shift();
    next().catch(breakDown);
  };

  return {
    broken,
    event(event) {
      if (event.type === 'gate:opened' && mode === 'reject') {
        decide(event.node, { decision: 'rejected', by: '--gates reject' }).catch(breakDown);
      } else if (event.type === 'gate:opened') {
        open.push(event);
        next().catch(breakDown);
      } else if (event.type === 'gate:decided') {
        withdraw(({ node }) => node === event.node);
      } else if (ENDS.has(event.type) && 'node' in event) {
        // With a node goes what it asks about: its calls, and those of the agents that it invoked.
        withdraw(({ node }) => node === event.node || node.startsWith(`${event.node}/`));
      }
    },
    close() {
      isClosed = true;
      withdraw(() => true);
    },
  };
}

const ENDS: ReadonlySet<string> = new Set(['node:succeeded', 'node:failed', 'node:cancelled', 'node:retrying']);

type Decide = (decision: GateDecision) => Promise<readonly string[]>;

/** Asks until a decision is taken, or until somebody or something else has decided. */
async function askAbout(cli: Cli, gate: Opened, decide: Decide, signal: AbortSignal): Promise<void> {
  const { paint } = cli.err;
  const lines = createInterface({ input: cli.stdin, output: process.stderr });
  // Ctrl-C belongs to the run, not to the question.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  const question = (text: string): Promise<string | undefined> =>
    Promise.race([lines.question(`${text} `, { signal }).catch(() => undefined), closed]);
  const by = userInfo().username;
  try {
    cli.err.line('');
    cli.err.line(`${paint.bold(showControls(gate.node))}: ${showControls(gate.message)}`);
    if (gate.deadline !== undefined) cli.err.line(`  until ${gate.deadline}`);
    for (;;) {
      const said = await question(
        gate.gateType === 'input' ? 'Your answer as JSON or text, or "reject":' : 'Approve? [y/n, or n and a reason]',
      );
      if (signal.aborted) return;
      const decision =
        said === undefined ? REJECTED_BY_SILENCE : gate.gateType === 'input' ? inputDecision(said, by) : plainDecision(said, by);
      const problems = decision === undefined ? ['Answer y or n.'] : await decide(decision);
      if (problems.length === 0 || said === undefined) return;
      for (const problem of problems) cli.err.line(`  ${showControls(problem)}`);
    }
  } finally {
    lines.close();
  }
}

const REJECTED_BY_SILENCE: GateDecision = { decision: 'rejected', by: 'end of input' };

function plainDecision(said: string, by: string): GateDecision | undefined {
  const [word = '', ...rest] = said.trim().split(/\s+/);
  const comment = rest.length === 0 ? {} : { comment: rest.join(' ') };
  if (/^(y|yes|approve)$/i.test(word)) return { decision: 'approved', by, ...comment };
  if (/^(n|no|reject)$/i.test(word)) return { decision: 'rejected', by, ...comment };
  return undefined;
}

function inputDecision(said: string, by: string): GateDecision {
  return /^reject\b/i.test(said.trim()) ? { decision: 'rejected', by } : { decision: 'input_provided', by, payload: jsonOrText(said) };
}

function jsonOrText(said: string): Json {
  try {
    return JSON.parse(said) as Json;
  } catch {
    return said;
  }
}
