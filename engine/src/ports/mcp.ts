import type { Json } from '../json.js';
import type { CallContext } from './call-context.js';

/** Declared MCP servers. An error result of a tool is `tool_failed`. */
export interface Mcp {
  call(server: string, tool: string, args: { readonly [name: string]: Json }, call: CallContext): Promise<Json>;
}
