import type { CallContext } from '../ports/call-context.js';
import type { PolicyClass, ToolDef } from './tool-def.js';
import { deniedError, type Objection } from './tool-error.js';

/** Asks a person before a governed call. */
export interface Approval {
  /** `no_hook`: the call needs a person and there is none to ask. */
  decide(request: ApprovalRequest): Promise<'not_needed' | 'approved' | 'rejected' | 'no_hook'>;
}

export interface ApprovalRequest {
  readonly tool: string;
  readonly policy: PolicyClass;
  /** What would be touched: a path, a command, a host. Masked. */
  readonly preview: string;
  readonly context: CallContext;
}

/** Reads, media descriptors and invoked agents change nothing themselves; a gate has been asked already. */
const GOVERNED: ReadonlySet<PolicyClass> = new Set(['fs_write', 'process', 'egress', 'search', 'os', 'mcp']);

export function isGoverned(policy: PolicyClass): boolean {
  return GOVERNED.has(policy);
}

export async function checkApproval(
  tool: ToolDef,
  shown: () => string,
  context: CallContext,
  approval: Approval | undefined,
): Promise<Objection> {
  if (approval === undefined || !isGoverned(tool.policy)) return undefined;
  const preview = shown();
  const answer = await approval.decide({ tool: tool.id, policy: tool.policy, preview, context });
  if (answer === 'approved' || answer === 'not_needed') return undefined;
  if (answer === 'rejected') {
    return deniedError(tool.id, {
      reason: 'rejected_by_user',
      message: 'the call was not approved',
      rule: 'approval',
      source: 'person',
      value: preview,
    });
  }
  return deniedError(tool.id, {
    reason: 'no_approval_hook',
    message: 'this needs a person, and there is none to ask',
    rule: 'approval',
    source: 'person',
    value: preview,
  });
}
