import { duplicateId } from '../../diagnostics/catalogue/graph.js';
import { reservedName, shadowedName } from '../../diagnostics/catalogue/reference.js';
import type { Path } from '../../parse/yaml-document.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedNode } from '../model.js';
import type { Rule } from '../rule.js';

/** Words that cannot be read as names in an expression, and keys that every object understands. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    '__proto__ prototype constructor ' +
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if ' +
    'implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof ' +
    'undefined var void while with yield async'
  ).split(' '),
);

const SCOPE: readonly string[] = ['inputs', 'ctx', 'run', 'trigger', 'input', 'branches', 'result', 'error', 'prev'];

/** Names of inputs, context keys, agents, tools and loop variables: one each, readable, hiding nothing. */
export const namesRule: Rule = (context, workflow) => {
  const { syntax } = workflow;
  checkList(context, 'input', syntax.inputs?.map((input) => input.name) ?? [], (index) => ['workflow', 'inputs', index, 'name'], true);
  checkList(
    context,
    'context key',
    syntax.context?.map((entry) => entry.key) ?? [],
    (index) => ['workflow', 'context', index, 'key'],
    true,
  );
  checkList(context, 'tool', syntax.tools?.declarations?.map((one) => one.id) ?? [], (index) => [
    'workflow',
    'tools',
    'declarations',
    index,
    'id',
  ]);
  checkList(context, 'MCP server', syntax.tools?.mcp_servers?.map((one) => one.id) ?? [], (index) => [
    'workflow',
    'tools',
    'mcp_servers',
    index,
    'id',
  ]);
  const agents = syntax.agents?.map((agent) => ('$ref' in agent ? undefined : agent.id)) ?? [];
  checkList(context, 'agent', agents, (index) => ['workflow', 'agents', index, 'id']);
  for (const scope of workflow.scopes) for (const node of scope.nodes) checkLoop(context, node);
};

function checkList(
  context: LinkContext,
  kind: string,
  names: readonly (string | undefined)[],
  at: (index: number) => Path,
  read = false,
): void {
  const seen = new Map<string, number>();
  names.forEach((name, index) => {
    if (name === undefined) return;
    if (read && RESERVED.has(name)) context.report(reservedName, { path: at(index) }, { name });
    const other = seen.get(name.toLowerCase());
    if (other === undefined) {
      seen.set(name.toLowerCase(), index);
      return;
    }
    const data = { kind, id: name, other: names[other] as string, line: context.lineOf(at(other), 'value') };
    context.report(duplicateId, { path: at(index) }, data);
  });
}

function checkLoop(context: LinkContext, node: LinkedNode): void {
  const loop = node.syntax;
  if (loop.type !== 'loop') return;
  for (const key of ['as', 'index_as'] as const) {
    const name = loop[key];
    if (name === undefined) continue;
    const place = { path: [...node.at, key] };
    if (RESERVED.has(name)) context.report(reservedName, place, { name });
    const by = hidden(node, name, key === 'index_as' ? (loop.as ?? 'item') : undefined);
    if (by !== undefined) context.report(shadowedName, place, { name, by });
  }
}

function hidden(node: LinkedNode, name: string, item: string | undefined): string | undefined {
  if (SCOPE.includes(name)) return `"${name}", which expressions read`;
  if (name === item) return 'the item of the same loop';
  for (let outer = node.scope.owner; outer !== undefined; outer = outer.scope.owner) {
    const loop = outer.syntax;
    if (loop.type !== 'loop') continue;
    const names = [...(loop.for_each === undefined ? [] : [loop.as ?? 'item']), loop.index_as ?? 'index'];
    if (names.includes(name)) return `the variable of the loop "${outer.id}" around it`;
  }
  return undefined;
}
