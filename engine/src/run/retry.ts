import type { RetryPlan } from '../plan/plan.js';
import type { Failure } from './outcome.js';

/** Codes that are tried again where `retry_on` is silent. */
const RETRYABLE: readonly string[] = ['tool_failed', 'timeout', 'provider_rate_limit', 'provider_unavailable'];

/**
 * Milliseconds until the next attempt; undefined when there is none; a refusal when a server asks for more patience than the author
 * allows.
 */
export function retryDelay(
  runId: string,
  { path, attempt, retry }: { readonly path: string; readonly attempt: number; readonly retry: RetryPlan | undefined },
  failure: Failure,
): number | { readonly refusal: string } | undefined {
  if (retry === undefined || attempt >= retry.max || failure.code === 'output_invalid') return undefined;
  if (!(retry.retryOn ?? RETRYABLE).includes(failure.code)) return undefined;
  const asked = failure.retryAfterMs ?? 0;
  if (asked > retry.maxBackoffMs) {
    return { refusal: `the server asks to wait ${asked} ms, which is more than max_backoff_ms ${retry.maxBackoffMs}` };
  }
  return Math.max(asked, backoff(retry, attempt, `${runId}\n${path}\n${attempt}`));
}

/** Delay before attempt k + 1. */
export function backoff(retry: RetryPlan, attempt: number, seed: string): number {
  const base = Math.min(retry.maxBackoffMs, retry.backoffMs * growth(retry.backoff, attempt));
  return Math.round(base * (1 + retry.jitter * (2 * unit(seed) - 1)));
}

function growth(backoff: RetryPlan['backoff'], attempt: number): number {
  switch (backoff) {
    case 'constant':
      return 1;
    case 'linear':
      return attempt;
    case 'exponential':
      return 2 ** (attempt - 1);
    default:
      return backoff satisfies never;
  }
}

/** A number in [0, 1) that depends on the seed alone: FNV-1a, then the finaliser of MurmurHash3 so that near seeds differ. */
function unit(seed: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
