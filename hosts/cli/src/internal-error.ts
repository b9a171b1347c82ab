import { inspect } from 'node:util';
import { exitCode } from './exit-code.js';

/** One line for a fault of our own, and how to get the details that a report needs. */
export function reportInternal(error: unknown, env: NodeJS.ProcessEnv): number {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`internal: ${(message.split('\n')[0] ?? '').slice(0, 300)}\n`);
  if (env.RELAVIUM_DEBUG === '1') process.stderr.write(`${inspect(error)}\n`);
  else
    process.stderr.write('  This is a fault of relavium. Please report it with the output of the same command under RELAVIUM_DEBUG=1.\n');
  return exitCode.failed;
}
