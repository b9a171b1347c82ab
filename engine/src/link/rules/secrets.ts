import { secretLeak, unresolvedReference } from '../../diagnostics/catalogue/reference.js';
import type { Json } from '../../json.js';
import type { Path } from '../../parse/yaml-document.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedWorkflow, Site } from '../model.js';
import { nameAdvice, replacing } from '../name-advice.js';
import type { Rule } from '../rule.js';
import { rangeIn } from '../sites.js';

/** A secret input is read by no expression and no template. The message follows the value to where people or programs would see it. */
export const secretsRule: Rule = (context, workflow) => {
  checkCredentials(context, workflow);
  const secrets = new Set([...workflow.inputs.values()].filter((input) => input.type === 'secret').map((input) => input.name));
  if (secrets.size === 0) return;
  let readers: Readers | undefined;
  for (const site of workflow.sites) {
    for (const read of site.parsed.reads) {
      const name = String(read.path[0]);
      if (read.root !== 'inputs' || !secrets.has(name)) continue;
      readers ??= readersOf(workflow);
      const place = { range: rangeIn(site.document, site.at, read.start, read.end), document: site.document };
      context.report(
        secretLeak,
        place,
        { input: name, route: routeFrom(site, readers) },
        { suggestion: 'hand it over with credentials or secret_env' },
      );
    }
  }
};

/** Sites that read a node's output or a context value. */
interface Readers {
  readonly nodes: ReadonlyMap<string, readonly Site[]>;
  readonly context: ReadonlyMap<string, readonly Site[]>;
}

function readersOf(workflow: LinkedWorkflow): Readers {
  const nodes = new Map<string, Site[]>();
  const context = new Map<string, Site[]>();
  for (const site of workflow.sites) {
    for (const read of site.parsed.reads) {
      if (read.root === 'ctx' && read.path.length > 0) push(context, String(read.path[0]), site);
      if (read.root === 'run' && read.path[0] === 'outputs' && read.path.length > 1) push(nodes, String(read.path[1]), site);
    }
  }
  return { nodes, context };
}

function push(map: Map<string, Site[]>, key: string, site: Site): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [site]);
  else list.push(site);
}

/** The shortest way to a place where the value would be seen; the site itself if it goes no further. */
function routeFrom(start: Site, readers: Readers): readonly string[] {
  const cameFrom = new Map<Site, Site | undefined>([[start, undefined]]);
  const queue = [start];
  for (let next = 0; next < queue.length; next += 1) {
    const site = queue[next] as Site;
    if (site.sink !== 'value') return route(site, cameFrom);
    const onward = [
      ...(site.feedsContext === undefined ? [] : (readers.context.get(site.feedsContext) ?? [])),
      ...(site.feeds === undefined ? [] : (readers.nodes.get(site.feeds.id) ?? [])),
    ];
    for (const reader of onward) {
      if (cameFrom.has(reader)) continue;
      cameFrom.set(reader, site);
      queue.push(reader);
    }
  }
  return [start.use];
}

function route(end: Site, cameFrom: ReadonlyMap<Site, Site | undefined>): readonly string[] {
  const uses: string[] = [];
  for (let site: Site | undefined = end; site !== undefined; site = cameFrom.get(site)) uses.push(site.use);
  return uses.reverse();
}

/** `{ input: name }` where a credential belongs must name a secret input. */
function checkCredentials(context: LinkContext, workflow: LinkedWorkflow): void {
  const { tools } = workflow.syntax;
  tools?.declarations?.forEach((declaration, index) => {
    if (declaration.type !== 'http') return;
    checkSlot(context, workflow, declaration.credentials as Json | undefined, ['workflow', 'tools', 'declarations', index, 'credentials']);
  });
  tools?.mcp_servers?.forEach((server, index) => {
    const at: Path = ['workflow', 'tools', 'mcp_servers', index];
    if (server.transport === 'stdio') checkSlot(context, workflow, server.secret_env as Json | undefined, [...at, 'secret_env']);
    else checkSlot(context, workflow, server.credentials as Json | undefined, [...at, 'credentials']);
  });
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      if (node.syntax.type !== 'tool') continue;
      for (const key of ['credentials', 'secret_env']) {
        checkSlot(context, workflow, node.syntax.tool_config?.[key] as Json | undefined, [...node.at, 'tool_config', key]);
      }
    }
  }
}

function checkSlot(context: LinkContext, workflow: LinkedWorkflow, value: Json | undefined, at: Path): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, entry] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    const source = Array.isArray(value) ? (entry as { from?: Json } | null)?.from : entry;
    const name = typeof source === 'object' && source !== null && 'input' in source ? source.input : undefined;
    if (typeof name !== 'string' || workflow.inputs.get(name)?.type === 'secret') continue;
    const path = [...at, step, ...(Array.isArray(value) ? ['from'] : []), 'input'];
    const secrets = (): readonly string[] =>
      [...workflow.inputs.values()].filter((input) => input.type === 'secret').map((input) => input.name);
    const advice = nameAdvice(context, name, secrets, { fix: replacing(context.document, path, 'value') });
    context.report(unresolvedReference, { path }, { what: 'secret input', name }, advice);
  }
}
