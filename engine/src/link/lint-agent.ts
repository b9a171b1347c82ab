import type { AgentFile } from '@relavium/schemas';
import { scopeViolation, templateSyntax, unresolvedReference } from '../diagnostics/catalogue/reference.js';
import { unknownTool } from '../diagnostics/catalogue/tools.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { YamlDocument } from '../parse/yaml-document.js';
import { isKnownTool, toolIds } from './known-tools.js';
import { type LinkContext, linkContext } from './link-context.js';
import { listed, nameAdvice, replacing } from './name-advice.js';
import { newParses } from './parses.js';
import type { World } from './rule.js';
import { checkSchema } from './rules/json-schemas.js';
import { rangeIn } from './sites.js';

const NAMES: readonly string[] = ['inputs', 'ctx', 'run', 'trigger', 'input'];
/** A workflow without anything in it: an agent file alone declares no tools. */
const NO_WORKFLOW = { id: 'none', nodes: [] };

/** What an agent file says that is wrong in every workflow. */
export function lintAgent(document: YamlDocument, agent: AgentFile, world: World): readonly Diagnostic[] {
  const context = linkContext(document, newParses());
  checkPrompt(context, agent);
  checkTools(context, agent, world);
  checkSchema(context, agent.input_schema, ['input_schema']);
  checkSchema(context, agent.output_schema, ['output_schema']);
  return context.diagnostics;
}

function checkPrompt(context: LinkContext, agent: AgentFile): void {
  const at = ['system_prompt'];
  if (!agent.system_prompt.includes('{{')) return;
  const parsed = context.parses.template(agent.system_prompt);
  if ('error' in parsed) {
    const { message, start, end } = parsed.error;
    context.report(templateSyntax, { range: rangeIn(context.document, at, start, end) }, { what: message });
    return;
  }
  for (const { name, start, end } of parsed.template.free) {
    if (NAMES.includes(name)) continue;
    const advice = nameAdvice(context, name, () => NAMES, { otherwise: listed('names that exist here') });
    context.report(unresolvedReference, { range: rangeIn(context.document, at, start, end) }, { what: 'name', name }, advice);
  }
  for (const { root, path, start, end } of parsed.template.reads) {
    if (root !== 'run' || path.length === 0 || path[0] === 'id' || path[0] === 'started_at') continue;
    const what = 'the instructions of an agent are the same for every node: they can read inputs, ctx and run.id';
    context.report(scopeViolation, { range: rangeIn(context.document, at, start, end) }, { what });
  }
}

/** Ids with a server or a package in them belong to the workflow or its configuration. */
function checkTools(context: LinkContext, agent: AgentFile, world: World): void {
  agent.tools?.forEach((tool, index) => {
    if (isKnownTool(tool, NO_WORKFLOW, world) || tool.startsWith('mcp_')) return;
    const path = ['tools', index];
    const advice = nameAdvice(context, tool, () => toolIds(NO_WORKFLOW, world), { fix: replacing(context.document, path, 'value') });
    // Without a near name it may be a tool that the workflow declares.
    if (advice.suggestion !== undefined) context.report(unknownTool, { path }, { id: tool }, advice);
  });
}
