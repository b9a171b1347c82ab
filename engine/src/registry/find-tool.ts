import type { ToolDef } from './tool-def.js';
import { type ToolError, toolError } from './tool-error.js';

/** By exact id: at run time nothing is guessed. */
export function findTool(id: string, byId: ReadonlyMap<string, ToolDef>): ToolDef | ToolError {
  const tool = byId.get(id);
  if (tool !== undefined) return tool;
  const available = [...byId.keys()].sort();
  return toolError('unknown_tool', id.slice(0, 100), `there is no such tool; there are: ${available.join(', ')}`, { available });
}
