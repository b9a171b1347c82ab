import type { AgentToolConfig, LoopNode, Workflow } from '@relavium/schemas';
import { expressionSyntax, templateSyntax } from '../diagnostics/catalogue/reference.js';
import type { Json } from '../json.js';
import type { Path, YamlDocument } from '../parse/yaml-document.js';
import type { LinkContext } from './link-context.js';
import type { LinkedAgent, LinkedNode, LinkedScope, Reader, Site, View } from './model.js';

/** What is the same for every site of one scope: the names that its loops give. */
interface Names {
  readonly names: ReadonlySet<string>;
  readonly parallelLoop: boolean;
}

type Usage = Pick<Site, 'use' | 'sink'>;

/** Every expression and template of a workflow, parsed; those that cannot be read are reported and left out. */
export function collectSites(
  context: LinkContext,
  workflow: Workflow,
  scopes: readonly LinkedScope[],
  agents: ReadonlyMap<string, LinkedAgent>,
): readonly Site[] {
  const collect: Collect = { context, sites: [], invoked: invokedNodes(scopes) };
  workflow.context?.forEach((entry, index) => {
    const view: View = { names: new Set(), contextBefore: index };
    const usage: Usage = { use: `the context value "${entry.key}"`, sink: 'value' };
    addTree(collect, entry.value as Json, ['workflow', 'context', index, 'value'], view, usage, { feedsContext: entry.key });
  });
  const names = new Map<LinkedScope, Names>();
  for (const scope of scopes) {
    const own = namesOf(scope, names);
    names.set(scope, own);
    for (const node of scope.nodes) addNode(collect, node, own);
    addEdges(collect, scope, own);
  }
  for (const agent of usedAgents(scopes, agents)) addAgent(collect, agent);
  return collect.sites;
}

interface Collect {
  readonly context: LinkContext;
  readonly sites: Site[];
  readonly invoked: ReadonlySet<string>;
}

/** `item` and `index`, or the names that replace them, and `prev`, of all loops around. */
function namesOf(scope: LinkedScope, known: ReadonlyMap<LinkedScope, Names>): Names {
  if (scope.owner === undefined) return { names: new Set(), parallelLoop: false };
  const outer = known.get(scope.owner.scope)?.names ?? new Set<string>();
  const loop = scope.owner.syntax as LoopNode;
  return { names: new Set([...outer, ...loopNames(loop)]), parallelLoop: isParallel(loop) };
}

export function isParallel(loop: LoopNode): boolean {
  return (loop.max_parallel ?? 1) > 1;
}

function loopNames(loop: LoopNode): readonly string[] {
  const item = loop.for_each === undefined ? [] : [loop.as ?? 'item'];
  return [...item, loop.index_as ?? 'index', ...(isParallel(loop) ? [] : ['prev'])];
}

function viewOf(reader: Reader, names: Names, ...extra: readonly string[]): View {
  return {
    reader,
    names: extra.length === 0 ? names.names : new Set([...names.names, ...extra]),
    ...(names.parallelLoop ? { parallelLoop: true } : {}),
  };
}

function addNode(collect: Collect, node: LinkedNode, names: Names): void {
  const { syntax, id, at } = node;
  const view = viewOf({ kind: 'node', node }, names);
  const feeds = { feeds: node };
  const value = (use: string): Usage => ({ use, sink: 'value' });
  if (syntax.if !== undefined) addExpression(collect, syntax.if, [...at, 'if'], view, value(`the condition of "${id}"`));
  switch (syntax.type) {
    case 'tool': {
      const usage: Usage = { use: `the arguments of ${syntax.tool} in "${id}"`, sink: toolSink(syntax.tool) };
      addMapping(collect, syntax.input_mapping, [...at, 'input_mapping'], view, usage, feeds);
      const after = viewOf({ kind: 'node', node }, names, 'result');
      addMapping(collect, syntax.output_mapping, [...at, 'output_mapping'], after, value(`the output of "${id}"`), feeds);
      addEffect(collect, syntax.effect, [...at, 'effect'], view, after, id);
      return;
    }
    case 'agent': {
      const prompt = collect.invoked.has(id) || syntax.invoke_only === true ? viewOf({ kind: 'node', node }, names, 'input') : view;
      const usage: Usage = { use: `the prompt of "${id}"`, sink: 'prompt' };
      if (syntax.prompt_template !== undefined)
        addTemplate(collect, syntax.prompt_template, [...at, 'prompt_template'], prompt, usage, feeds);
      const append = syntax.system_prompt_append;
      if (append !== undefined) addTemplate(collect, append, [...at, 'system_prompt_append'], { names: prompt.names }, usage, feeds);
      for (const [tool, config] of Object.entries(syntax.agent_config ?? {})) addAgentTool(collect, node, names, tool, config);
      return;
    }
    case 'condition':
      addExpression(collect, syntax.expression, [...at, 'expression'], view, value(`the choice of "${id}"`), feeds);
      return;
    case 'transform':
      addExpression(collect, syntax.transform, [...at, 'transform'], view, value(`the output of "${id}"`), feeds);
      return;
    case 'merge': {
      const own = viewOf({ kind: 'node', node }, names, 'branches');
      if (syntax.merge_fn !== undefined)
        addExpression(collect, syntax.merge_fn, [...at, 'merge_fn'], own, value(`the output of "${id}"`), feeds);
      return;
    }
    case 'human_gate': {
      const usage: Usage = { use: `the message of "${id}"`, sink: 'message' };
      if (syntax.message_template !== undefined) addTemplate(collect, syntax.message_template, [...at, 'message_template'], view, usage);
      return;
    }
    case 'loop':
      addLoop(collect, node, syntax, names);
      return;
    case 'subworkflow': {
      addMapping(collect, syntax.input_mapping, [...at, 'input_mapping'], view, value(`the inputs of "${id}"`), feeds);
      const after = viewOf({ kind: 'node', node }, names, 'result');
      addMapping(collect, syntax.output_mapping, [...at, 'output_mapping'], after, value(`the output of "${id}"`), feeds);
      return;
    }
    case 'wait':
      if (syntax.until !== undefined) addTemplate(collect, syntax.until, [...at, 'until'], view, value(`the time of "${id}"`));
      return;
    case 'fail':
      addTemplate(collect, syntax.message, [...at, 'message'], view, { use: `the message of "${id}"`, sink: 'message' });
      return;
    case 'output': {
      if (syntax.value !== undefined) addExpression(collect, syntax.value, [...at, 'value'], view, value(`the output of "${id}"`), feeds);
      // A path is known before anything runs, so that it can be judged as a whole.
      const usage: Usage = { use: `the file of "${id}"`, sink: 'file' };
      if (syntax.save_to !== undefined) addTemplate(collect, syntax.save_to, [...at, 'save_to'], { names: names.names }, usage);
      return;
    }
    case 'input':
    case 'parallel':
      return;
    default:
      syntax satisfies never;
  }
}

function addLoop(collect: Collect, node: LinkedNode, loop: LoopNode, names: Names): void {
  const { at, id } = node;
  const usage: Usage = { use: `the loop "${id}"`, sink: 'value' };
  const parallel = { ...names, parallelLoop: isParallel(loop) };
  const own = isParallel(loop) ? [] : ['prev'];
  const outside = viewOf({ kind: 'node', node }, parallel, loop.index_as ?? 'index', ...own);
  for (const key of ['for_each', 'initial', 'while'] as const) {
    const text = loop[key];
    if (text !== undefined) addExpression(collect, text, [...at, key], outside, usage, { feeds: node });
  }
  const inside: Reader = { kind: 'body', scope: node.body as LinkedScope };
  const after = viewOf(inside, { names: new Set([...names.names, ...loopNames(loop)]), parallelLoop: isParallel(loop) });
  for (const key of ['until', 'collect'] as const) {
    const text = loop[key];
    if (text !== undefined) addExpression(collect, text, [...at, key], after, usage, { feeds: node });
  }
}

function addAgentTool(collect: Collect, node: LinkedNode, names: Names, tool: string, config: AgentToolConfig): void {
  const at: Path = [...node.at, 'agent_config', tool];
  const view = viewOf({ kind: 'node', node }, names);
  const after = viewOf({ kind: 'node', node }, names, 'result');
  const usage: Usage = { use: `the arguments of ${tool} in "${node.id}"`, sink: toolSink(tool) };
  addMapping(collect, config.input_mapping, [...at, 'input_mapping'], view, usage, { feeds: node });
  const captured: Usage = { use: `run.captured["${node.id}"]`, sink: 'value' };
  addMapping(collect, config.output_mapping, [...at, 'output_mapping'], after, captured, { feeds: node });
  addEffect(collect, config.effect, [...at, 'effect'], view, after, node.id);
}

function addEffect(collect: Collect, effect: AgentToolConfig['effect'], at: Path, view: View, after: View, id: string): void {
  if (typeof effect !== 'object') return;
  const usage: Usage = { use: `the check of "${id}"`, sink: toolSink(effect.check.tool) };
  addMapping(collect, effect.check.input_mapping, [...at, 'check', 'input_mapping'], view, usage);
  addExpression(collect, effect.check.happened, [...at, 'check', 'happened'], after, { use: `the check of "${id}"`, sink: 'value' });
}

function addEdges(collect: Collect, scope: LinkedScope, names: Names): void {
  for (const edge of scope.edges) {
    const condition = edge.written?.condition;
    if (condition === undefined) continue;
    const from = scope.nodes[edge.from] as LinkedNode;
    const view = viewOf({ kind: 'ended', node: from }, names, ...(edge.on === 'error' ? ['error'] : []));
    const usage: Usage = { use: `the condition of the edge from "${from.id}"`, sink: 'value' };
    addExpression(collect, condition, [...edge.at, 'condition'], view, usage);
  }
}

/** The instructions of an agent speak about inputs and context, whoever uses it; outputs of nodes are for its prompt. */
function addAgent(collect: Collect, agent: LinkedAgent): void {
  const usage: Usage = { use: `the instructions of the agent "${agent.syntax.id}"`, sink: 'prompt' };
  const view: View = { names: new Set(['input']) };
  addTemplate(collect, agent.syntax.system_prompt, [...agent.at, 'system_prompt'], view, usage, {}, agent.document);
}

function usedAgents(scopes: readonly LinkedScope[], agents: ReadonlyMap<string, LinkedAgent>): ReadonlySet<LinkedAgent> {
  const used = new Set<LinkedAgent>();
  for (const scope of scopes) {
    for (const { syntax } of scope.nodes) {
      const agent = syntax.type === 'agent' ? agents.get(syntax.agent_ref) : undefined;
      if (agent !== undefined) used.add(agent);
    }
  }
  return used;
}

function invokedNodes(scopes: readonly LinkedScope[]): ReadonlySet<string> {
  const invoked = scopes.flatMap((scope) => scope.nodes.flatMap(({ syntax }) => (syntax.type === 'agent' ? (syntax.invokes ?? []) : [])));
  return new Set(invoked);
}

const SINKS: Readonly<Record<string, Site['sink']>> = { run_command: 'command', write_file: 'file', git_commit: 'command' };

function toolSink(tool: string): Site['sink'] {
  return SINKS[tool] ?? 'tool';
}

type Feeds = Pick<Site, 'feeds' | 'feedsContext'>;

function addMapping(
  collect: Collect,
  mapping: Readonly<Record<string, string>> | undefined,
  at: Path,
  view: View,
  usage: Usage,
  feeds: Feeds = {},
): void {
  for (const [name, text] of Object.entries(mapping ?? {})) addExpression(collect, text, [...at, name], view, usage, feeds);
}

function addExpression(collect: Collect, text: string, at: Path, view: View, usage: Usage, feeds: Feeds = {}): void {
  const { context } = collect;
  const parsed = context.parses.expression(text);
  if ('error' in parsed) {
    const { message, start, end } = parsed.error;
    const advice = /^\s*\{\{/.test(text) ? { suggestion: 'expressions are written without {{ }}' } : {};
    context.report(expressionSyntax, { range: rangeIn(context.document, at, start, end) }, { what: message }, advice);
    return;
  }
  collect.sites.push({ document: context.document, at, text, parsed: parsed.expression, view, ...usage, ...feeds });
}

function addTemplate(collect: Collect, text: string, at: Path, view: View, usage: Usage, feeds: Feeds = {}, document?: YamlDocument): void {
  const { context } = collect;
  const owner = document ?? context.document;
  if (!text.includes('{{')) return;
  const parsed = context.parses.template(text);
  if ('error' in parsed) {
    const { message, start, end } = parsed.error;
    context.report(templateSyntax, { range: rangeIn(owner, at, start, end), document: owner }, { what: message });
    return;
  }
  collect.sites.push({ document: owner, at, text, parsed: parsed.template, view, ...usage, ...feeds });
}

function addTree(collect: Collect, value: Json, at: Path, view: View, usage: Usage, feeds: Feeds): void {
  if (typeof value === 'string') addTemplate(collect, value, at, view, usage, feeds);
  else if (Array.isArray(value)) {
    value.forEach((item: Json, index) => {
      addTree(collect, item, [...at, index], view, usage, feeds);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) addTree(collect, item, [...at, key], view, usage, feeds);
  }
}

/** A place inside a text of the file; at least one character, so that there is something to underline. */
export function rangeIn(document: YamlDocument, at: Path, start: number, end: number): { start: number; end: number } {
  const first = document.offsetIn(at, start);
  return { start: first, end: Math.max(first + 1, document.offsetIn(at, end)) };
}
