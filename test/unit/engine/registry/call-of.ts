import type { ToolCall } from '../../../../engine/src/registry/registry.js';

/** A call by a tool node that holds the tool, with whatever a test is about put in its place. */
export function callOf(tool: string, parts: Partial<ToolCall> = {}): ToolCall {
  const context = { node: 'step', attempt: 1, signal: new AbortController().signal };
  return { tool, caller: 'node', granted: [tool], modelArgs: {}, mapped: {}, config: {}, context, ...parts };
}
