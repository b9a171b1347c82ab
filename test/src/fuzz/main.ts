import { fuzzDag } from './dag.js';
import { fuzzHostile } from './hostile.js';
import { fuzzPaths } from './paths.js';
import { type FuzzRequest, type FuzzResult, readRequest, UsageError } from './request.js';

const targets: Readonly<Record<string, (request: FuzzRequest) => Promise<FuzzResult>>> = {
  dag: fuzzDag,
  hostile: fuzzHostile,
  paths: fuzzPaths,
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\nusage: npm run fuzz -- dag|hostile|paths [--runs N | --seconds N] [--seed S]`);
  process.exitCode = 2;
}

async function main(argv: readonly string[]): Promise<number> {
  const request = readRequest(argv, Object.keys(targets));
  const result = await targets[request.target]!(request);
  if (!result.ok) console.log(result.counterexample);
  const counts = Object.entries(result.counts).map(([name, number]) => `${name} ${number}`);
  console.log(`${request.target} ${counts.join(' ')} ${result.ok ? 'no counterexample' : 'COUNTEREXAMPLE above'}`);
  return result.ok ? 0 : 1;
}
