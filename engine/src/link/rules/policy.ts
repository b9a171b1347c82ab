import {
  commandNotAllowed,
  commandsOff,
  domainNotAllowed,
  domainsOff,
  gitArgumentNotAllowed,
  insecureUrl,
} from '../../diagnostics/catalogue/tools.js';
import { shown } from '../../diagnostics/shown.js';
import type { JsonObject } from '../../json.js';
import type { Path } from '../../parse/yaml-document.js';
import type { Policy } from '../../plan/plan.js';
import { policyOf } from '../../plan/policy.js';
import { judgeCommand } from '../../registry/command-policy.js';
import { judgeGit } from '../../registry/git-policy.js';
import type { PolicyTarget } from '../../registry/tool-def.js';
import type { Denial } from '../../registry/tool-error.js';
import { judgeUrl } from '../../registry/url-policy.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedNode } from '../model.js';
import type { Rule, World } from '../rule.js';

/** Calls that the policy of the file would refuse. The judgement is the registry's own, so lint and run cannot disagree. */
export const policyRule: Rule = (context, workflow, world) => {
  const policy = policyOf(workflow.syntax);
  for (const scope of workflow.scopes) for (const node of scope.nodes) checkNode(context, policy, world, node);
  workflow.syntax.tools?.declarations?.forEach((declaration, index) => {
    if (declaration.type !== 'http') return;
    // A parameter never reaches the host part, which is written out.
    checkUrl(context, policy, declaration.url.replace(/\{\w+\}/g, 'x'), ['workflow', 'tools', 'declarations', index, 'url']);
  });
};

function checkNode(context: LinkContext, policy: Policy, world: World, { syntax, at }: LinkedNode): void {
  if (syntax.type !== 'tool') return;
  const def = world.tools.get(syntax.tool);
  const off = def?.policy === 'process' ? isCommandsOff(policy) : def?.policy === 'egress' && policy.allowedDomains.length === 0;
  const target = literalTarget(world, syntax.tool, syntax.tool_config, syntax.input_mapping);
  if (off && target?.kind !== 'command' && target?.kind !== 'url') {
    if (def?.policy === 'process') context.report(commandsOff, { path: [...at, 'tool'] }, {});
    else context.report(domainsOff, { path: [...at, 'tool'] }, {});
    return;
  }
  if (target?.kind === 'command') checkCommand(context, policy, target.vector, [...at, 'tool_config', 'command']);
  if (target?.kind === 'url') checkUrl(context, policy, target.url, [...at, 'tool_config', 'url']);
  if (target?.kind === 'git') checkGit(context, target.args, [...at, 'tool_config', 'args']);
}

/** What the call is aimed at, if no expression has a part in it. */
function literalTarget(
  world: World,
  tool: string,
  config: unknown,
  mapping: Readonly<Record<string, string>> = {},
): PolicyTarget | undefined {
  const def = world.tools.get(tool);
  if (def === undefined || ['command', 'args', 'url'].some((name) => mapping[name] !== undefined)) return undefined;
  const args = (config ?? {}) as JsonObject;
  if (def.policy === 'process' && (typeof args.command !== 'string' || !isTextList(args.args))) return undefined;
  if (def.policy === 'egress' && typeof args.url !== 'string') return undefined;
  if (def.policy === 'git' && !isTextList(args.args)) return undefined;
  return JUDGED.has(def.policy) ? def.policyTarget(args) : undefined;
}

const JUDGED: ReadonlySet<string> = new Set(['process', 'egress', 'git']);

function isTextList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

function isCommandsOff(policy: Policy): boolean {
  return policy.allowedCommands.length === 0 && policy.allowedCommandGlobs.length === 0;
}

function checkCommand(context: LinkContext, policy: Policy, vector: readonly string[], path: Path): void {
  const denial = judgeCommand(vector, policy);
  if (denial === undefined) return;
  const advice = { suggestion: adviceOf(denial) };
  if (isCommandsOff(policy)) context.report(commandsOff, { path }, {}, advice);
  else context.report(commandNotAllowed, { path }, { command: shown(vector.join(' ')) }, advice);
}

function checkGit(context: LinkContext, args: readonly string[], path: Path): void {
  const denial = judgeGit(args);
  if (denial !== undefined) context.report(gitArgumentNotAllowed, { path }, { argument: shown(denial.value ?? ''), why: denial.message });
}

function checkUrl(context: LinkContext, policy: Policy, url: string, path: Path): void {
  const denial = judgeUrl(url, policy);
  if (denial === undefined) return;
  if (denial.reason === 'insecure_url') {
    const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url)?.[1] ?? 'no address';
    const range = context.document.rangeOf(path, 'value');
    const text = context.document.source.text.slice(range.start, range.end);
    const fix = /^["']?http:\/\//.test(text) ? { range, text: text.replace('http://', 'https://') } : undefined;
    context.report(insecureUrl, { path }, { scheme }, { fix });
  } else if (policy.allowedDomains.length === 0) context.report(domainsOff, { path }, {}, { suggestion: adviceOf(denial) });
  else context.report(domainNotAllowed, { path }, { host: hostOf(url) }, { suggestion: adviceOf(denial) });
}

function hostOf(url: string): string {
  return shown(/^https:\/\/([^/?#]*)/i.exec(url)?.[1] ?? url);
}

function adviceOf(denial: Denial): string | undefined {
  return denial.remedy === undefined ? undefined : `to allow it:\n${denial.remedy}`;
}
