import { HostError } from '../ports/host-error.js';
import type { ToolHost } from '../ports/tool-host.js';
import { judgeCommand } from './command-policy.js';
import type { EffectivePolicy } from './effective-policy.js';
import { judgeGit } from './git-policy.js';
import { fromHostError } from './host-failure.js';
import type { ToolCall } from './registry.js';
import type { PolicyTarget, ToolDef } from './tool-def.js';
import { type Denial, deniedError, type Objection, type ToolError } from './tool-error.js';
import { judgeUrl } from './url-policy.js';

/** The kinds of target that a class is judged by. A class whose target is missing or of another kind is refused. */
const KINDS: Readonly<Record<ToolDef['policy'], readonly PolicyTarget['kind'][]>> = {
  fs_read: ['path'],
  fs_write: ['path'],
  process: ['command'],
  egress: ['url'],
  search: ['url', 'none'],
  git: ['git'],
  gate: ['none'],
  os: ['none'],
  mcp: ['mcp'],
  engine: ['node'],
  media: ['none'],
};

/** Judges what a call would touch, on the effective arguments. Paths are for the host's policy: see `checkPath`. */
export function checkPolicy(
  tool: ToolDef,
  target: PolicyTarget | undefined,
  call: Pick<ToolCall, 'caller' | 'granted' | 'invokes' | 'gateApproved'>,
  policy: EffectivePolicy,
): Objection {
  if (target === undefined || !KINDS[tool.policy].includes(target.kind)) {
    const message = `a ${tool.policy} tool must say what it touches, and this call does not`;
    return deniedError(tool.id, { reason: 'target_missing', message, rule: 'fail closed', source: 'built_in' });
  }
  const denial = judge(tool, target, call, policy);
  return denial === undefined ? undefined : deniedError(tool.id, denial);
}

/** The file policy's answer: the path that would be touched. Neither where the host has no files: then there is nothing to touch. */
export async function checkPath(
  tool: ToolDef,
  target: PolicyTarget | undefined,
  host: ToolHost,
): Promise<{ readonly error?: ToolError; readonly path?: string }> {
  if (target?.kind !== 'path' || host.fs === undefined) return {};
  try {
    return { path: await host.fs.check(target.operation, target.path, target.root) };
  } catch (error) {
    if (error instanceof HostError) return { error: fromHostError(tool.id, error) };
    throw error;
  }
}

function judge(
  tool: ToolDef,
  target: PolicyTarget,
  { caller, granted, invokes, gateApproved }: Pick<ToolCall, 'caller' | 'granted' | 'invokes' | 'gateApproved'>,
  policy: EffectivePolicy,
): Denial | undefined {
  if (tool.policy === 'gate' && (caller === 'agent' || gateApproved !== true)) {
    const message = caller === 'agent' ? 'agents may not do this' : 'no person has approved this in this run';
    return {
      reason: 'gate_required',
      message,
      rule: 'a human_gate that names this node in approves',
      source: caller === 'agent' ? 'built_in' : 'workflow',
    };
  }
  switch (target.kind) {
    case 'command':
      return judgeCommand(target.vector, policy);
    case 'url':
      // A search endpoint is a literal of the author; the host still judges where it leads.
      return tool.policy === 'search' ? undefined : judgeUrl(target.url, policy);
    case 'git':
      return judgeGit(target.args);
    case 'mcp':
      return granted.includes(`mcp_${target.server}_${target.tool}`)
        ? undefined
        : notGranted(`mcp_${target.server}_${target.tool}`, 'declared MCP tools', 'workflow');
    case 'node':
      return invokes?.includes(target.id) === true ? undefined : notGranted(target.id, 'invokes of the node', 'node');
    case 'path':
    case 'none':
      return undefined;
  }
}

function notGranted(value: string, rule: string, source: Denial['source']): Denial {
  return {
    reason: 'not_granted',
    message: `${value.slice(0, 200)} is not among what the caller holds`,
    rule,
    source,
    value: value.slice(0, 200),
  };
}
