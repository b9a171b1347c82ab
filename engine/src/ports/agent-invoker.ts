import type { Json } from '../json.js';
import type { CallContext } from './call-context.js';

/** Runs another agent node of the workflow on the caller's slot, budget and deadline. */
export interface AgentInvoker {
  invoke(nodeId: string, input: Json, call: CallContext): Promise<Json>;
}
