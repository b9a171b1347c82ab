import type { JsonObject } from '../json.js';
import type { ToolCall } from './registry.js';
import { LITERAL_ONLY, type ToolDef } from './tool-def.js';
import { type ToolError, toolError } from './tool-error.js';

export type Assembled = { readonly args: JsonObject } | { readonly error: ToolError };

/** The effective arguments: the model's, then `input_mapping`, then `tool_config`. No one may set what belongs to another. */
export function assembleArguments(
  tool: ToolDef,
  { modelArgs, mapped, mappedNames = [], config }: Pick<ToolCall, 'modelArgs' | 'mapped' | 'mappedNames' | 'config'>,
): Assembled {
  for (const name of Object.keys(modelArgs)) {
    if (tool.configOnly.includes(name)) return refused(tool, name, 'is set by the author only');
    if (Object.hasOwn(config, name) || Object.hasOwn(mapped, name) || mappedNames.includes(name))
      return refused(tool, name, 'is fixed by the author of this node');
  }
  for (const name of Object.keys(mapped)) {
    if (LITERAL_ONLY.has(name)) return refused(tool, name, 'is a literal of tool_config and cannot come from input_mapping');
  }
  // A key such as __proto__ becomes an own key here, and the validator refuses it.
  return { args: Object.fromEntries([modelArgs, mapped, config].flatMap((part) => Object.entries(part))) };
}

function refused(tool: ToolDef, field: string, why: string): Assembled {
  return {
    error: toolError('invalid_args', tool.id, `${field.slice(0, 100)} ${why}`, { reason: 'not_settable', field: field.slice(0, 100) }),
  };
}
