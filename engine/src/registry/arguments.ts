import type { Json, JsonObject } from '../json.js';
import { clip } from '../masking/clip.js';
import { mask } from '../masking/mask.js';
import { checkBounds } from './bounds.js';
import { refusedVariable } from './environment.js';
import type { ToolDef } from './tool-def.js';
import { type Objection, toolError } from './tool-error.js';

/** All that can be said about complete arguments before any policy: sizes first, then the schema, then what a schema cannot say. */
export function checkArguments(tool: ToolDef, args: JsonObject): Objection {
  return checkBounds(tool, args) ?? checkSchema(tool, args) ?? checkSecrets(tool, args) ?? checkVariables(tool, args);
}

const MAX_ISSUES = 20;

function checkSchema(tool: ToolDef, args: JsonObject): Objection {
  const issues = tool.validate(args);
  if (issues.length === 0) return undefined;
  // Names of unknown arguments come from a model and may be anything.
  const shown = issues.slice(0, MAX_ISSUES).map(({ at, message }) => ({ at: clip(mask(at), 200), message: clip(mask(message), 300) }));
  const text = shown.map(({ at, message }) => (at === '' ? message : `${at.slice(1)} ${message}`)).join('; ');
  return toolError('invalid_args', tool.id, text, { reason: 'schema', issues: shown });
}

/** A secret stands in data as `{"$secret": name}`. It reaches a tool only through the parameters made for it. */
function checkSecrets(tool: ToolDef, args: JsonObject): Objection {
  const at = secretIn(args);
  if (at === undefined) return undefined;
  return toolError('invalid_args', tool.id, `${at.slice(1)} holds a secret, which may only be named in secret_env or credentials`, {
    reason: 'secret',
    at,
  });
}

/** Arguments are no deeper than what a file or a model's message may hold, so recursion is safe. */
function secretIn(value: Json, at = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && Object.hasOwn(value, '$secret')) return at;
  for (const [key, item] of Object.entries(value as JsonObject)) {
    const found = secretIn(item, `${at}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkVariables(tool: ToolDef, args: JsonObject): Objection {
  if (tool.policy !== 'process') return undefined;
  for (const field of ['env', 'secret_env']) {
    for (const [name, value] of Object.entries((args[field] ?? {}) as JsonObject)) {
      const why =
        refusedVariable(name) ?? (typeof value === 'string' && value.includes('\0') ? 'has a value with a NUL character' : undefined);
      const shown = clip(name, 100);
      if (why !== undefined)
        return toolError('invalid_args', tool.id, `${field}: ${shown} ${why}`, { reason: 'variable', field, name: shown });
    }
  }
  return undefined;
}
