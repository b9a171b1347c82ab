import type { HostError } from '../ports/host-error.js';
import { type ToolError, toolError } from './tool-error.js';

/** A host's refusal or failure as the registry reports it. */
export function fromHostError(tool: string, error: HostError): ToolError {
  return toolError(error.code, tool, error.message, { reason: error.reason, ...error.details });
}
