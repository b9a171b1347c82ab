import fc from 'fast-check';
import type { FuzzRequest, FuzzResult } from './request.js';

/** Checks a property under a request: the counts if it holds, the shrunk counterexample and how to see it again if it does not. */
export async function checked<T extends [unknown, ...unknown[]]>(
  request: FuzzRequest,
  property: fc.IRawProperty<T>,
  counts: Readonly<Record<string, number>>,
): Promise<FuzzResult> {
  const details = await fc.check(property as fc.IAsyncProperty<T>, { seed: request.seed, ...request.limit });
  if (!details.failed) return { ok: true, counts };
  const example = JSON.stringify(details.counterexample);
  const counterexample = `${String(details.errorInstance)}\n${example.slice(0, 2_000)}\n--seed ${details.seed}, path ${details.counterexamplePath}`;
  return { ok: false, counts, counterexample };
}
