import type { Json } from '../json.js';

/** The codes with which a host capability may refuse or fail; the registry adds the tool's name. */
export type HostErrorCode =
  | 'tool_failed'
  | 'tool_denied'
  | 'tool_unavailable'
  | 'invalid_args'
  | 'timeout'
  | 'cancelled'
  | 'recursion_limit';

/** The one error that crosses from a host into the engine. Its message is safe to show: no secret, no native error text. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  /** A stable word for the kind of refusal or failure, such as `path_denied`, `not_text`, `missing`. */
  readonly reason: string;
  readonly details: Readonly<Record<string, Json>>;

  constructor(code: HostErrorCode, reason: string, message: string, details: Readonly<Record<string, Json>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HostError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}
