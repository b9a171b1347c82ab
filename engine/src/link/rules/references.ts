import { parallelLoop } from '../../diagnostics/catalogue/graph.js';
import { scopeViolation, unorderedReference, unresolvedReference } from '../../diagnostics/catalogue/reference.js';
import type { Fix } from '../../diagnostics/diagnostic.js';
import type { Read } from '../../expression/expression.js';
import type { LinkContext, Place } from '../link-context.js';
import type { LinkedNode, LinkedScope, LinkedWorkflow, Reader, Site } from '../model.js';
import { listed, nameAdvice } from '../name-advice.js';
import type { Rule } from '../rule.js';
import { rangeIn } from '../sites.js';
import { type UpstreamQuestion, upstreamAnswers } from '../upstream.js';

const ROOTS: readonly string[] = ['inputs', 'ctx', 'run', 'trigger'];
const RUN_KEYS: readonly string[] = ['id', 'started_at', 'outputs', 'errors', 'captured'];

/** Every name that is read must exist, and what it names must be sure to be there. */
export const referencesRule: Rule = (context, workflow) => {
  const check: Check = { context, workflow, ids: nodesById(workflow), questions: new Map() };
  for (const site of workflow.sites) {
    const skip = new Set<string>();
    for (const read of site.parsed.reads) {
      if (read.root === 'inputs') checkInput(check, site, read);
      else if (read.root === 'ctx') checkContext(check, site, read);
      else if (read.root === 'run') checkRun(check, site, read);
    }
    for (const free of site.parsed.free) {
      if (ROOTS.includes(free.name) || site.view.names.has(free.name) || skip.has(free.name)) continue;
      skip.add(free.name);
      reportName(check, site, free.name, place(site, free.start, free.end));
    }
  }
  for (const [scope, questions] of check.questions) answer(context, scope, questions);
};

interface Check {
  readonly context: LinkContext;
  readonly workflow: LinkedWorkflow;
  readonly ids: ReadonlyMap<string, LinkedNode>;
  readonly questions: Map<LinkedScope, Question[]>;
}

interface Question extends UpstreamQuestion {
  /** The read; where it stands is only worked out if the answer is no. */
  readonly site: Site;
  readonly read: Read;
}

function nodesById(workflow: LinkedWorkflow): ReadonlyMap<string, LinkedNode> {
  const ids = new Map<string, LinkedNode>();
  for (const scope of workflow.scopes) for (const [id, node] of scope.byId) if (!ids.has(id)) ids.set(id, node);
  return ids;
}

function place(site: Site, start: number, end: number): Place {
  return { range: rangeIn(site.document, site.at, start, end), document: site.document };
}

/** Where one key of a read stands in the text; keys that are written with escapes are not found. */
function keyRange(site: Site, read: Read, key: string): { start: number; end: number } | undefined {
  const start = site.text.indexOf(key, read.start + read.root.length);
  return start === -1 || start + key.length > read.end ? undefined : { start, end: start + key.length };
}

/** A read from its root up to one of its keys. */
function keyPlace(site: Site, read: Read, key: string): Place {
  return place(site, read.start, Math.max(keyRange(site, read, key)?.end ?? read.end, read.start + 1));
}

function reportMissing(check: Check, site: Site, read: Read, what: string, name: string, known: () => Iterable<string>): void {
  const fix = (near: string): Fix | undefined => {
    const key = keyRange(site, read, name);
    // A name with - is read with brackets, so it cannot stand where one without is.
    if (key === undefined || name.includes('-') !== near.includes('-')) return undefined;
    return { range: rangeIn(site.document, site.at, key.start, key.end), text: near };
  };
  const advice = nameAdvice(check.context, name, known, { fix, otherwise: listed('there are') });
  check.context.report(unresolvedReference, keyPlace(site, read, name), { what, name }, advice);
}

function checkInput(check: Check, site: Site, read: Read): void {
  const name = read.path[0];
  if (name === undefined || check.workflow.inputs.has(String(name))) return;
  reportMissing(check, site, read, 'input', String(name), () => check.workflow.inputs.keys());
}

function checkContext(check: Check, site: Site, read: Read): void {
  const name = read.path[0];
  if (name === undefined) return;
  const position = check.workflow.context.get(String(name));
  if (position === undefined) {
    reportMissing(check, site, read, 'context key', String(name), () => check.workflow.context.keys());
    return;
  }
  const before = site.view.contextBefore;
  if (before === undefined || position < before) return;
  const what = `context values are worked out in order, and "${name}" does not come before this one`;
  check.context.report(unorderedReference, keyPlace(site, read, String(name)), { what });
}

function checkRun(check: Check, site: Site, read: Read): void {
  const [key, id] = read.path;
  if (key === undefined) return;
  if (!RUN_KEYS.includes(String(key))) {
    reportMissing(check, site, read, 'value of run', String(key), () => RUN_KEYS);
    return;
  }
  if (key === 'id' || key === 'started_at') return;
  if (site.view.reader === undefined) {
    const what = `${site.use} cannot read outputs of nodes, only ${site.view.contextBefore === undefined ? 'inputs, ctx and run.id' : 'inputs and ctx'}`;
    check.context.report(scopeViolation, place(site, read.start, read.end), { what });
    return;
  }
  if (id === undefined) return;
  checkNode(check, site, read, String(key), String(id), site.view.reader);
}

function checkNode(check: Check, site: Site, read: Read, key: string, id: string, reader: Reader): void {
  const seen = visibleNode(reader, id);
  if (seen === undefined) {
    const node = check.ids.get(id);
    if (node === undefined) reportMissing(check, site, read, 'node', id, () => visibleIds(reader));
    else check.context.report(scopeViolation, keyPlace(site, read, id), { what: privateTo(node) }, { suggestion: outsideAdvice(node) });
    return;
  }
  if (key === 'captured') checkCaptured(check, site, read, seen.node);
  if (seen.reader === undefined) return;
  const question: Question = { source: seen.node.index, reader: seen.reader.index, site, read };
  const { scope } = seen.node;
  const questions = check.questions.get(scope);
  if (questions === undefined) check.questions.set(scope, [question]);
  else questions.push(question);
}

/** What a node's id means from where it is read: the nearest scope around that has it. Without `reader` it is there for sure. */
function visibleNode(reader: Reader, id: string): { node: LinkedNode; reader?: LinkedNode } | undefined {
  let scope = reader.kind === 'body' ? reader.scope : reader.node.scope;
  let from = reader.kind === 'body' ? undefined : reader.node;
  let ended = reader.kind === 'ended';
  for (;;) {
    const node = scope.byId.get(id);
    if (node !== undefined) {
      const sure = from === undefined || (ended && node === from);
      return sure ? { node } : { node, reader: from as LinkedNode };
    }
    if (scope.owner === undefined) return undefined;
    from = scope.owner;
    scope = scope.owner.scope;
    ended = false;
  }
}

function visibleIds(reader: Reader): readonly string[] {
  const ids: string[] = [];
  const own = reader.kind === 'body' ? undefined : reader.node;
  let scope: LinkedScope | undefined = reader.kind === 'body' ? reader.scope : reader.node.scope;
  while (scope !== undefined) {
    for (const [id, node] of scope.byId) if (node !== own || reader.kind === 'ended') ids.push(id);
    scope = scope.owner?.scope;
  }
  return ids;
}

function privateTo(node: LinkedNode): string {
  const { owner } = node.scope;
  return owner === undefined
    ? `"${node.id}" cannot be read here`
    : `"${node.id}" is inside the loop "${owner.id}", and its outputs are private to it`;
}

function outsideAdvice(node: LinkedNode): string | undefined {
  return node.scope.owner === undefined ? undefined : `read run.outputs["${node.scope.owner.id}"].results`;
}

function checkCaptured(check: Check, site: Site, read: Read, node: LinkedNode): void {
  const id = node.id;
  if (node.syntax.type !== 'agent') {
    check.context.report(scopeViolation, place(site, read.start, read.end), {
      what: `"${id}" is no agent, so nothing is captured from its calls`,
    });
    return;
  }
  const names = Object.values(node.syntax.agent_config ?? {}).flatMap((config) => Object.keys(config.output_mapping ?? {}));
  const name = read.path[2];
  if (name !== undefined && !names.includes(String(name)))
    reportMissing(check, site, read, `captured value of "${id}"`, String(name), () => names);
}

function answer(context: LinkContext, scope: LinkedScope, questions: readonly Question[]): void {
  const answers = upstreamAnswers(scope, questions);
  const failed = questions.filter((_, index) => answers[index] !== true);
  if (failed.length === 0) return;
  const isAfter = upstreamAnswers(
    scope,
    failed.map(({ source, reader }) => ({ source: reader, reader: source })),
  );
  failed.forEach(({ source, reader, site, read }, index) => {
    const { id } = scope.nodes[source] as LinkedNode;
    const around = (scope.nodes[reader] as LinkedNode).id;
    const own = readerId(site) ?? around;
    const target = own === around ? `"${around}"` : `the loop "${around}" around it`;
    const place = keyPlace(site, read, id);
    if (source === reader) {
      const what =
        own === id
          ? `"${id}" reads its own output, which is not there before it has run`
          : `"${own}" reads "${id}", the loop that it runs in`;
      context.report(unorderedReference, place, { what });
    } else if (isAfter[index] === true) {
      const who = site.view.reader?.kind === 'ended' ? site.use : `"${own}"`;
      context.report(unorderedReference, place, { what: `${who} reads "${id}", which only runs after ${target}` });
    } else {
      const what = `"${own}" reads "${id}", but no path leads from "${id}" to ${target}, so "${id}" need not have ended`;
      context.report(unorderedReference, place, { what }, { suggestion: `add needs: [${id}] to "${around}"` });
    }
  });
}

/** The node that the text belongs to. */
function readerId(site: Site): string | undefined {
  const { reader } = site.view;
  return reader === undefined || reader.kind === 'body' ? undefined : reader.node.id;
}

/** Where names live that exist in one place only. */
const HOMES: Readonly<Record<string, string>> = {
  result: '"result" exists in output_mapping only',
  branches: '"branches" exists in merge_fn only',
  error: '"error" exists in the condition of an error edge only',
  item: '"item" exists inside a for_each loop only',
  index: '"index" exists inside a loop only',
  prev: '"prev" exists inside a loop only',
  input: '"input" exists in the templates of an agent that another agent invokes',
};

function reportName(check: Check, site: Site, name: string, where: Place): void {
  const { context, workflow } = check;
  if (name === 'prev' && site.view.parallelLoop === true) {
    context.report(parallelLoop, where, { what: '"prev"' });
    return;
  }
  const loop = loopThatNames(workflow, name);
  const home = loop === undefined ? HOMES[name] : `"${name}" is a variable of the loop "${loop.id}" and exists inside it only`;
  if (home !== undefined && !renamed(site, name)) {
    context.report(scopeViolation, where, { what: home });
    return;
  }
  const known = [...ROOTS, ...site.view.names];
  const node = check.ids.get(name);
  const suggestion =
    node !== undefined
      ? `the output of a node is read as run.outputs["${name}"]`
      : workflow.inputs.has(name)
        ? `an input is read as inputs.${name}`
        : workflow.context.has(name)
          ? `a context value is read as ctx.${name}`
          : undefined;
  const otherwise = (names: readonly string[]): string => `text needs quotes: '"${name}"'; names that exist here: ${names.join(', ')}`;
  const advice = suggestion === undefined ? nameAdvice(context, name, () => known, { otherwise }) : { suggestion };
  context.report(unresolvedReference, where, { what: 'name', name }, advice);
}

/** Inside a loop that gives the item another name, `item` is simply unknown. */
function renamed(site: Site, name: string): boolean {
  return (name === 'item' || name === 'index') && site.view.names.size > 0;
}

function loopThatNames(workflow: LinkedWorkflow, name: string): LinkedNode | undefined {
  for (const scope of workflow.scopes) {
    const loop = scope.owner?.syntax;
    if (loop?.type === 'loop' && (loop.as === name || loop.index_as === name)) return scope.owner;
  }
  return undefined;
}
