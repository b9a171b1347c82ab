import { parseArgs } from 'node:util';
import { bases } from './bases.js';
import { mutate } from './mutate.js';

const { values } = parseArgs({ options: { count: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } } });
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run mutations -- [--count N] [--seed S]');
  process.exitCode = 2;
} else {
  const tally = mutate(bases(process.env), count, seed);
  for (const miss of tally.misses) console.log(miss);
  console.log(`mutants ${tally.mutants} thrown away ${tally.thrownAway}`);
  console.log(`found ${percent(tally.found, tally.mutants)} on-line ${percent(tally.onLine, tally.mutants)}`);
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)}%`;
}
