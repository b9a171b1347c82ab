import type { JsonObject } from '../json.js';
import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const mcpCall: ToolDef = builtin('mcp_call', {
  description: 'Calls one tool of a declared MCP server.',
  policy: 'mcp',
  effect: 'once',
  capability: 'mcp',
  target: ({ server, tool }) => ({ kind: 'mcp', server, tool }),
  call: ({ server, tool, args }, mcp, call) => mcp.call(server, tool, (args ?? {}) as JsonObject, call),
});
