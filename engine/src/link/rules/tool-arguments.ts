import type { AgentToolConfig } from '@relavium/schemas';
import {
  invalidArgument,
  literalOnly,
  looksLikeCode,
  missingArgument,
  unknownArgument,
  unknownTool,
} from '../../diagnostics/catalogue/tools.js';
import { writtenNames } from '../../expression/written-names.js';
import type { Json, JsonObject } from '../../json.js';
import type { Path } from '../../parse/yaml-document.js';
import { refusedVariable } from '../../registry/environment.js';
import { LITERAL_ONLY, type ToolDef } from '../../registry/tool-def.js';
import { isKnownTool, toolIds } from '../known-tools.js';
import type { LinkContext, Place } from '../link-context.js';
import type { LinkedNode, LinkedWorkflow } from '../model.js';
import { nameAdvice, replacing } from '../name-advice.js';
import type { Rule, World } from '../rule.js';

/** Tools by their exact ids, and arguments as far as the author writes them. */
export const toolArgumentsRule: Rule = (context, workflow, world) => {
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      if (node.syntax.type === 'tool') checkToolNode(context, workflow, world, node, node.syntax.tool, node.syntax);
      if (node.syntax.type === 'agent') {
        for (const [tool, config] of Object.entries(node.syntax.agent_config ?? {})) {
          const at: Path = [...node.at, 'agent_config', tool];
          const def = world.tools.get(tool);
          if (def !== undefined) checkArguments(context, workflow, def, config, at);
        }
      }
    }
  }
};

type Arguments = Pick<AgentToolConfig, 'tool_config' | 'input_mapping'>;

function checkToolNode(
  context: LinkContext,
  workflow: LinkedWorkflow,
  world: World,
  node: LinkedNode,
  tool: string,
  given: Arguments,
): void {
  const at: Path = [...node.at, 'tool'];
  if (!isKnownTool(tool, workflow.syntax, world)) {
    const advice = nameAdvice(context, tool, () => toolIds(workflow.syntax, world), {
      fix: replacing(context.document, at, 'value'),
      otherwise: (ids) => `tools: ${ids.slice(0, 20).join(', ')}`,
    });
    context.report(unknownTool, { path: at }, { id: tool }, advice);
    return;
  }
  const def = world.tools.get(tool);
  if (def === undefined) return;
  checkArguments(context, workflow, def, given, node.at);
  const required = (def.parameters.required ?? []) as readonly string[];
  const missing = required.filter((name) => given.tool_config?.[name] === undefined && given.input_mapping?.[name] === undefined);
  if (missing.length === 0) checkLiterals(context, def, given, node.at);
  for (const argument of missing) {
    context.report(missingArgument, { path: at }, { what: `${tool} needs the argument "${argument}", in tool_config or input_mapping` });
  }
}

function checkArguments(context: LinkContext, workflow: LinkedWorkflow, def: ToolDef, given: Arguments, at: Path): void {
  const known = Object.keys((def.parameters.properties ?? {}) as object);
  for (const key of ['tool_config', 'input_mapping'] as const) {
    for (const name of Object.keys(given[key] ?? {})) {
      const place = { path: [...at, key, name], what: 'key' as const };
      if (!known.includes(name)) {
        const free = (): readonly string[] =>
          known.filter((one) => given.tool_config?.[one] === undefined && given.input_mapping?.[one] === undefined);
        const advice = nameAdvice(context, name, free, {
          fix: replacing(context.document, place.path, 'key'),
          otherwise: () => `arguments: ${known.join(', ')}`,
        });
        context.report(unknownArgument, place, { tool: def.id, argument: name }, advice);
      } else if (key === 'input_mapping' && LITERAL_ONLY.has(name)) context.report(literalOnly, place, { argument: name });
      else if (key === 'input_mapping' && def.policy === 'process' && name === 'env') checkMappedVariables(context, def, given, place.path);
    }
  }
  for (const [name, value] of Object.entries(given.tool_config ?? {})) {
    const found = codeIn(context, workflow, value as Json, [...at, 'tool_config', name]);
    if (found !== undefined) context.report(looksLikeCode, { path: found }, { argument: name, mapping: 'input_mapping' });
  }
}

/** Values of variables may be computed, their names may not. */
function checkMappedVariables(context: LinkContext, def: ToolDef, { input_mapping }: Arguments, path: Path): void {
  const names = writtenNames(String(input_mapping?.env));
  if (names === undefined) return context.report(literalOnly, { path }, { argument: 'env', isForNames: true });
  checkVariables(context, def, names, () => ({ path }));
}

/** The registry's own judgement of the literals. Where expressions give arguments too, it cannot say yet which are missing. */
function checkLiterals(context: LinkContext, def: ToolDef, given: Arguments, at: Path): void {
  const config = (given.tool_config ?? {}) as JsonObject;
  const known = Object.keys((def.parameters.properties ?? {}) as object);
  if (Object.keys(config).some((name) => !known.includes(name))) return;
  const isComplete = Object.keys(given.input_mapping ?? {}).length === 0;
  const issues = def.validate(config);
  for (const issue of issues) {
    const inside = pathIn(config, issue.at);
    if (inside.length === 0 && !isComplete) continue;
    const what = inside.length === 0 ? issue.message : `${inside.join('.')} ${issue.message}`;
    context.report(
      invalidArgument,
      { path: [...at, ...(inside.length === 0 ? ['tool'] : ['tool_config', ...inside])] },
      { tool: def.id, what },
    );
  }
  if (def.policy !== 'process') return;
  for (const field of ['env', 'secret_env']) {
    const variables = config[field];
    if (typeof variables !== 'object' || variables === null || issues.some(({ at: where }) => where === `/${field}`)) continue;
    checkVariables(context, def, Object.keys(variables), (name) => ({ path: [...at, 'tool_config', field, name], what: 'key' }));
  }
}

function checkVariables(context: LinkContext, def: ToolDef, names: readonly string[], placeOf: (name: string) => Place): void {
  for (const name of names) {
    const why = refusedVariable(name);
    if (why !== undefined) context.report(invalidArgument, placeOf(name), { tool: def.id, what: `the variable ${name} ${why}` });
  }
}

function pathIn(root: Json, pointer: string): Path {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(key) : key);
    value = typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined;
  }
  return path;
}

/** Path of the first text that reads something which exists: an input, a context value, a node. Any other text is only text. */
function codeIn(context: LinkContext, workflow: LinkedWorkflow, value: Json, at: Path): Path | undefined {
  if (typeof value === 'string') return readsSomething(context, workflow, value) ? at : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = codeIn(context, workflow, item, [...at, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Only short texts are tried: what an author means as code is no document. */
const LONGEST_CODE = 2_000;

function readsSomething(context: LinkContext, workflow: LinkedWorkflow, text: string): boolean {
  if (text.length > LONGEST_CODE || !/\b(?:inputs|ctx|run)\b/.test(text)) return false;
  const parsed = text.includes('{{') ? context.parses.template(text) : context.parses.expression(text);
  if ('error' in parsed) return false;
  const { reads } = 'template' in parsed ? parsed.template : parsed.expression;
  return reads.some(({ root, path }) => {
    if (root === 'inputs') return workflow.inputs.has(String(path[0]));
    if (root === 'ctx') return workflow.context.has(String(path[0]));
    return (
      root === 'run' && (path[0] === 'outputs' || path[0] === 'errors') && workflow.scopes.some((scope) => scope.byId.has(String(path[1])))
    );
  });
}
