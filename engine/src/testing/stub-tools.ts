import type { Json } from '../json.js';
import type { CancelSignal } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';
import { HostError, type HostErrorCode } from '../ports/host-error.js';
import type { ToolDef } from '../registry/tool-def.js';

/** What one attempt of a node gets in place of its tool's work. */
export type StubbedAttempt = { readonly delayMs?: number /** does not obey its signal */; readonly isDeaf?: boolean } & (
  | { readonly result: Json }
  | { readonly error: { readonly code: HostErrorCode; readonly message: string } }
);

export interface StubbedTools {
  readonly tools: readonly ToolDef[];
  /** Times that a tool's work was asked for, by node path: stubbed or real, after every check has passed. */
  readonly calls: ReadonlyMap<string, number>;
}

/**
 * Decorates tools so that the work of chosen nodes is played from a script: an entry an attempt, the last one for all further ones. Only
 * the work is replaced; what the registry refuses never gets here. A node without a script does its real work.
 */
export function stubTools(tools: readonly ToolDef[], scripts: ReadonlyMap<string, readonly StubbedAttempt[]>, clock: Clock): StubbedTools {
  const calls = new Map<string, number>();
  const decorate = (tool: ToolDef): ToolDef => ({
    ...tool,
    dispatch(args, host, call) {
      calls.set(call.node, (calls.get(call.node) ?? 0) + 1);
      const script = scripts.get(call.node);
      const attempt = script?.[Math.min(call.attempt, script.length) - 1];
      return attempt === undefined ? tool.dispatch(args, host, call) : play(attempt, clock, call.signal);
    },
  });
  return { tools: tools.map(decorate), calls };
}

const NEVER: CancelSignal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined };

async function play(attempt: StubbedAttempt, clock: Clock, signal: CancelSignal): Promise<Json> {
  await pause(attempt.delayMs ?? 0, clock, attempt.isDeaf === true ? NEVER : signal);
  if ('result' in attempt) return attempt.result;
  throw new HostError(attempt.error.code, 'stubbed', attempt.error.message);
}

/** Rejects with `cancelled` at once when the signal comes. */
export function pause(delayMs: number, clock: Clock, signal: CancelSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = () => reject(new HostError('cancelled', 'cancelled', 'the call was cancelled'));
    if (signal.aborted) return cancelled();
    if (delayMs === 0) return resolve();
    const takeBack = clock.at(clock.now() + delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = () => {
      takeBack();
      cancelled();
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
