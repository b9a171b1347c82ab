import { parseArgs } from 'node:util';
import { chaosOrphans } from './orphans.js';
import { chaosRaces } from './races.js';

export interface ChaosRequest {
  readonly runs: number;
  readonly seed: number;
}

/** What went wrong, by kind; all zero is what is wanted. */
export type ChaosCounts = Readonly<Record<string, number>>;

const targets: Readonly<Record<string, (request: ChaosRequest) => Promise<ChaosCounts>>> = { races: chaosRaces, orphans: chaosOrphans };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const [target = ''] = positionals;
const request = { runs: Number(values.runs), seed: Number(values.seed) };
const chaos = targets[target];
if (chaos === undefined || !Number.isSafeInteger(request.runs) || !Number.isSafeInteger(request.seed)) {
  console.error(`usage: npm run chaos -- ${Object.keys(targets).join('|')} [--runs N] [--seed S]`);
  process.exitCode = 2;
} else {
  const counts = await chaos(request);
  console.log(
    `runs ${request.runs} ${Object.entries(counts)
      .map(([kind, number]) => `${kind} ${number}`)
      .join(' ')}`,
  );
  process.exitCode = Object.values(counts).some((number) => number > 0) ? 1 : 0;
}
