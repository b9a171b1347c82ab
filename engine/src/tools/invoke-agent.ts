import type { Json } from '../json.js';
import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const invokeAgent: ToolDef = builtin('invoke_agent', {
  description: 'Hands a task to another agent node of this workflow and gives what it answers.',
  policy: 'engine',
  effect: 'none',
  capability: 'agents',
  target: ({ node_id }) => ({ kind: 'node', id: node_id }),
  call: ({ node_id, input }, agents, call) => agents.invoke(node_id, input as Json, call),
});
