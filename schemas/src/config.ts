import type { ConfigFile } from './generated/shapes.js';
import { validators } from './generated/validate-config.js';
import { check, type ValidationResult } from './validation.js';

/** Keys that only the home configuration may have: they are for the person to decide, not for a project that was checked out. */
export const homeOnlyConfigKeys: readonly (keyof ConfigFile)[] = ['egress', 'secrets', 'durability'];

/** Checks the shape of a parsed `project.toml` or `config.toml`. */
export function validateConfig(value: unknown): ValidationResult<ConfigFile> {
  return check(validators.config, value);
}
