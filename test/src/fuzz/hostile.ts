import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliRun, plainEnvironment, runCli } from '../shared/cli.js';
import { randomOf } from '../shared/random.js';
import { type Attack, scenes } from './attacks.js';
import type { FuzzRequest, FuzzResult } from './request.js';

/** No case comes near it: reached only by a command that hangs. */
const PATIENCE_MS = 60_000;

/** The real command on hostile files, places and terminals: an error or a right answer, never a crash, a hang or a wrong exit code. */
export async function fuzzHostile(request: FuzzRequest): Promise<FuzzResult> {
  const counts = { runs: 0, refused: 0, answered: 0, not_here: 0 };
  const names = Object.keys(scenes);
  const until = request.limit.interruptAfterTimeLimit === undefined ? undefined : Date.now() + request.limit.interruptAfterTimeLimit;
  for (let run = 0; run < request.limit.numRuns && (until === undefined || Date.now() < until); run++) {
    // Every scene once, in order, before any comes again with other random choices.
    const name = names[run % names.length]!;
    const seed = request.seed + run;
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    try {
      const attack = scenes[name]!(folder, randomOf(seed));
      if (attack === undefined) {
        counts.not_here++;
        continue;
      }
      const ended = await carryOut(attack, folder);
      const wrong = wrongs(attack, ended);
      if (wrong.length > 0) return { ok: false, counts, counterexample: described(name, seed, attack, ended, wrong) };
      counts.runs++;
      if (ended.code === 0) counts.answered++;
      else counts.refused++;
    } finally {
      remove(folder);
    }
  }
  return { ok: true, counts };
}

function carryOut(attack: Attack, folder: string): Promise<CliRun> {
  const { terminal } = attack;
  return runCli(attack.args, {
    cwd: folder,
    env: terminal === undefined ? (attack.env ?? plainEnvironment()) : plainEnvironment({ TERM: terminal.term }),
    patienceMs: PATIENCE_MS,
    ...(attack.stdin === undefined ? {} : { stdin: attack.stdin }),
    ...(attack.closeStdout === undefined ? {} : { closeStdout: attack.closeStdout }),
    ...(terminal === undefined
      ? {}
      : { wrap: (command) => ['script', '-qec', `stty cols ${terminal.columns} rows 24; ${command.join(' ')}`, '/dev/null'] }),
  });
}

function wrongs(attack: Attack, ended: CliRun): string[] {
  const wrong: string[] = [];
  const all = ended.stdout + ended.stderr;
  if (ended.isHung) wrong.push(`no end within ${PATIENCE_MS} ms`);
  else if (ended.code === null) wrong.push(`died by ${ended.signal}`);
  else if (!attack.codes.includes(ended.code)) wrong.push(`exit ${ended.code}, not ${attack.codes.join(' or ')}`);
  if (/^\s+at .+(\.[cm]?[jt]s|node:\w+|<anonymous>)(:\d+)*\)?$/m.test(all) || /node:internal|UnhandledPromiseRejection/.test(all))
    wrong.push('a stack trace');
  if (ended.code !== 0 && all.trim() === '' && !attack.closeStdout) wrong.push('no word about what is wrong');
  if (attack.prints !== undefined && !ended.stdout.includes(attack.prints)) wrong.push(`did not print ${attack.prints}`);
  if (attack.neverPrints?.test(all)) wrong.push(`printed ${attack.neverPrints}`);
  return wrong;
}

function described(name: string, seed: number, attack: Attack, ended: CliRun, wrong: readonly string[]): string {
  const shown = (text: string): string => JSON.stringify(text.length > 1500 ? `${text.slice(0, 1500)}…` : text);
  return [
    `${name} (seed ${seed}): relavium ${attack.args.join(' ')}`,
    ...wrong,
    `stdout ${shown(ended.stdout)}`,
    `stderr ${shown(ended.stderr)}`,
  ].join('\n  ');
}

function remove(folder: string): void {
  for (const name of readdirSync(folder)) if (statSync(join(folder, name)).isFile()) chmodSync(join(folder, name), 0o600);
  rmSync(folder, { recursive: true, force: true });
}
