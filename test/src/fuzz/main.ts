import { fuzzCommands } from './commands.js';
import { fuzzDag } from './dag.js';
import { fuzzHostile } from './hostile.js';
import { fuzzMasking } from './masking.js';
import { fuzzPathsJail } from './paths-jail.js';
import { fuzzPlainPaths } from './plain-paths.js';
import { type FuzzRequest, type FuzzResult, readRequest, UsageError } from './request.js';

const targets: Readonly<Record<string, (request: FuzzRequest) => Promise<FuzzResult>>> = {
  dag: fuzzDag,
  hostile: fuzzHostile,
  paths: fuzzPlainPaths,
  'paths-jail': fuzzPathsJail,
  masking: fuzzMasking,
  commands: fuzzCommands,
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\nusage: npm run fuzz -- ${Object.keys(targets).join('|')} [--runs N | --seconds N] [--seed S]`);
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
