import { pause } from '../agent/pause.js';
import type { Note } from '../events/run-event.js';
import type { Json } from '../json.js';
import { MAX_INVOCATION_DEPTH } from '../plan/ceilings.js';
import type { AgentNodePlan } from '../plan/plan.js';
import type { CallContext } from '../ports/call-context.js';
import type { Cancel } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';
import { HostError } from '../ports/host-error.js';
import { checkValue } from '../validate/check-value.js';
import { isoInstant } from './instant.js';
import { invocationDepth, invokedPath } from './node-path.js';
import { type Failure, type Outcome, outOfTime } from './outcome.js';
import { retryDelay } from './retry.js';

export interface Invocation {
  readonly callee: AgentNodePlan;
  readonly input: Json;
  /** The call by which it is invoked. */
  readonly call: CallContext;
  readonly runId: string;
  readonly clock: Clock;
  readonly newCancel: () => Cancel;
  readonly note: (note: Note) => void;
  /** One attempt of the agent. */
  readonly attempt: (context: CallContext) => Promise<Outcome>;
}

/**
 * Runs an agent node inside the execution of the node that invokes it: on its slot, under its deadline and its cancellation, with attempts,
 * a limit of its own and events of its own, at the path of the call. Throws `HostError` where it gives no output.
 */
export async function invokeAgent(invocation: Invocation): Promise<Json> {
  const { callee, input, call, clock, note } = invocation;
  const path = invokedPath(call.node, call.call ?? 1, callee.id);
  if (invocationDepth(path) > MAX_INVOCATION_DEPTH)
    throw new HostError('recursion_limit', 'depth', `agents that invoke one another are ${MAX_INVOCATION_DEPTH} deep at most`);
  const problems = callee.inputSchema === undefined ? [] : checkValue(callee.inputSchema, input);
  if (problems.length > 0)
    throw new HostError('invalid_args', 'input_schema', `input does not meet what "${callee.id}" takes: ${problems.join('; ')}`, {
      problems,
    });
  for (let attempt = 1; ; attempt++) {
    const begun = clock.now();
    note({ type: 'node:started', node: path, nodeType: 'agent', attempt, parent: call.callId ?? call.node });
    const outcome = await bounded(invocation, { ...call, node: path, attempt });
    const durationMs = clock.now() - begun;
    if (outcome.kind === 'succeeded') {
      const captured = outcome.captured === undefined ? {} : { captured: outcome.captured };
      note({ type: 'node:succeeded', node: path, output: outcome.output, durationMs, ...captured });
      return outcome.output;
    }
    if (outcome.kind === 'cancelled' || call.signal.aborted) {
      note({ type: 'node:cancelled', node: path, reason: 'run_cancelled' });
      throw new HostError('cancelled', 'cancelled', `"${callee.id}" was cancelled`);
    }
    const { code, message, details } = outcome;
    const error = { code, message, node: callee.id, path, details, attempt };
    const delayMs = retryDelay(invocation.runId, { path, attempt, retry: callee.retry }, outcome);
    if (typeof delayMs !== 'number') {
      // Whoever invoked it deals with it.
      note({ type: 'node:failed', node: path, error, handled: true, durationMs });
      throw hostError(callee.id, outcome);
    }
    note({ type: 'node:retrying', node: path, error, attempt, delayMs, until: isoInstant(clock.now() + delayMs) });
    await pause(delayMs, clock, call.signal);
  }
}

function hostError(id: string, { code, message, details }: Failure): HostError {
  return new HostError('tool_failed', code, `"${id}" failed with ${code}: ${message}`, { error: { code, message, details } });
}

/** The attempt, ended by the caller's signal or by the limit of the node itself. */
async function bounded({ callee, clock, newCancel, attempt }: Invocation, context: CallContext): Promise<Outcome> {
  const { timeoutMs } = callee;
  const cancel = newCancel();
  const stop = (): void => cancel.cancel();
  if (context.signal.aborted) stop();
  context.signal.addEventListener('abort', stop, { once: true });
  let isOutOfTime = false;
  const takeBack =
    timeoutMs === undefined
      ? undefined
      : clock.at(clock.now() + timeoutMs, () => {
          isOutOfTime = true;
          stop();
        });
  try {
    const outcome = await attempt({ ...context, signal: cancel.signal });
    return isOutOfTime && !context.signal.aborted ? outOfTime(timeoutMs as number) : outcome;
  } finally {
    takeBack?.();
    context.signal.removeEventListener('abort', stop);
  }
}
