import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Case, failed, type JudgeOptions, type Verdict } from './case.js';
import type { FromWorker, ToWorker } from './worker.js';

/** Far above what any case may take: reached only by a product that hangs. */
const PATIENCE_MS = 60_000;

/** Judges the cases of an area in a process of its own, so that a hang or a crash costs one case and not the answers to the others. */
export interface IsolatedJudge {
  judge(testCase: Case): Promise<Verdict>;
  close(): void;
}

export function isolatedJudge(area: string, options: JudgeOptions): IsolatedJudge {
  let child: ChildProcess | undefined;
  const started = async (): Promise<ChildProcess> => {
    if (child !== undefined) return child;
    child = fork(fileURLToPath(new URL('./worker.js', import.meta.url)), { serialization: 'advanced' });
    await ask(child, { area, options });
    return child;
  };
  return {
    async judge(testCase) {
      try {
        const answer = await ask(await started(), { case: testCase });
        if ('verdict' in answer) return answer.verdict;
        throw new Error('the judge answered something else');
      } catch (error) {
        child?.kill('SIGKILL');
        child = undefined;
        return failed('an answer', error instanceof Error ? error.message : String(error));
      }
    },
    close() {
      child?.kill('SIGKILL');
    },
  };
}

function ask(child: ChildProcess, message: ToWorker): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      act();
    };
    const onMessage = (answer: unknown) => settle(() => resolve(answer as FromWorker));
    const onExit = (code: number | null, signal: string | null) => settle(() => reject(new Error(`the process died (${signal ?? code})`)));
    const timer = setTimeout(() => settle(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`))), PATIENCE_MS);
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(message);
  });
}
