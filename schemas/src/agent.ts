import type { AgentFile } from './generated/shapes.js';
import { validators } from './generated/validate-agent.js';
import { check, type ValidationResult } from './validation.js';

/** Checks the shape of a `*.agent.yaml` document. */
export function validateAgent(value: unknown): ValidationResult<AgentFile> {
  return check(validators.agent, value);
}
