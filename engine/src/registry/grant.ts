import type { ToolCall } from './registry.js';
import { deniedError, type Objection } from './tool-error.js';

/** A tool that a provider says to have run itself never passed this registry, so its answer is not taken. */
export function checkProviderExecuted(call: Pick<ToolCall, 'tool' | 'providerExecuted'>): Objection {
  if (call.providerExecuted !== true) return undefined;
  const message = 'the model provider ran this tool itself; only calls that come through the registry count';
  return deniedError(call.tool.slice(0, 100), {
    reason: 'provider_executed',
    message,
    rule: 'provider-executed calls',
    source: 'built_in',
  });
}

/** That a tool is there does not mean that this caller holds it. */
export function checkGrant({ tool, caller, granted }: Pick<ToolCall, 'tool' | 'caller' | 'granted'>): Objection {
  if (granted.includes(tool)) return undefined;
  return deniedError(tool, {
    reason: 'not_granted',
    message: caller === 'agent' ? 'this agent does not hold the tool' : 'this node does not hold the tool',
    rule: caller === 'agent' ? 'tools of the agent file, narrowed by the node' : 'the tool that the node names',
    source: caller,
    value: tool,
    ...(caller === 'agent' ? { remedy: `tools:\n  - ${tool}` } : {}),
  });
}
