import { parseArgs } from 'node:util';

export interface FuzzRequest {
  readonly target: string;
  readonly seed: number;
  /** Whichever of the two was asked for, as fast-check takes it. */
  readonly limit: { readonly numRuns: number; readonly interruptAfterTimeLimit?: number };
}

export type FuzzResult = {
  readonly counts: Readonly<Record<string, number>>;
} & ({ readonly ok: true } | { readonly ok: false; readonly counterexample: string });

export class UsageError extends Error {}

const DEFAULT_RUNS = 500;

export function readRequest(argv: readonly string[], targets: readonly string[]): FuzzRequest {
  const { values, positionals } = parse(argv);
  const [target, ...rest] = positionals;
  if (target === undefined || !targets.includes(target) || rest.length > 0) throw new UsageError(`name one target: ${targets.join(', ')}`);
  if (values.runs !== undefined && values.seconds !== undefined) throw new UsageError('--runs or --seconds, not both');
  const seed = count(values.seed ?? '1', '--seed');
  if (values.seconds === undefined) return { target, seed, limit: { numRuns: count(values.runs ?? String(DEFAULT_RUNS), '--runs') } };
  return { target, seed, limit: { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: count(values.seconds, '--seconds') * 1000 } };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { runs: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function count(text: string, option: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new UsageError(`${option} takes a whole number, not ${text}`);
  return number;
}
