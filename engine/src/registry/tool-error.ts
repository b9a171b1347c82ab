import type { Json } from '../json.js';

/** Why a call did not give a result. Messages name the tool, fields and the reason, and hold no secret. */
export interface ToolError {
  readonly code: ToolErrorCode;
  readonly message: string;
  /** For denials `reason`, `rule`, `value`, `remedy` (the YAML lines that would allow it); for failures what the tool says. */
  readonly details: Readonly<Record<string, Json>>;
}

export type ToolErrorCode =
  | 'unknown_tool'
  | 'invalid_args'
  | 'tool_denied'
  | 'tool_unavailable'
  | 'tool_failed'
  | 'timeout'
  | 'recursion_limit'
  | 'cancelled'
  | 'effect_needs_attention'
  | 'expression_error'
  | 'output_invalid';

export type DenialReason =
  | 'not_granted'
  | 'provider_executed'
  | 'command_not_allowed'
  | 'domain_not_allowed'
  | 'insecure_url'
  | 'address_blocked'
  | 'gate_required'
  | 'path_denied'
  | 'media_scope_denied'
  | 'rejected_by_user'
  | 'no_approval_hook'
  | 'target_missing';

/** A step's answer: nothing to object to, or the error that ends the call. */
export type Objection = ToolError | undefined;

/** Where a rule stands that said no, and so where it can be changed. `built_in`: nowhere. */
export type DenialSource = 'workflow' | 'calling_workflow' | 'agent' | 'node' | 'invocation' | 'person' | 'built_in';

/** A refusal that teaches: the rule, where it stands, what broke it and, where one exists, the lines that would allow it. */
export interface Denial {
  readonly reason: DenialReason;
  readonly message: string;
  readonly rule: string;
  readonly source: DenialSource;
  /** Masked. */
  readonly value?: string;
  readonly remedy?: string;
}

export function toolError(code: ToolErrorCode, tool: string, message: string, details: Readonly<Record<string, Json>> = {}): ToolError {
  return { code, message: `${tool}: ${message}`, details };
}

export function deniedError(tool: string, denial: Denial): ToolError {
  const { message, ...details } = denial;
  return toolError('tool_denied', tool, message, details);
}
