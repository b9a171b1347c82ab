import { performance } from 'node:perf_hooks';
import { type Case, failed, type Judge, type JudgeOptions, type Verdict } from './case.js';

/** Judges one case: a thrown error and an answer that came too late are failures of the case. */
export async function judgeCase(judge: Judge, testCase: Case, options: JudgeOptions): Promise<Verdict> {
  const start = performance.now();
  const verdict = await answer(judge, testCase, options);
  const took = Math.round(performance.now() - start);
  const limit = testCase.context?.max_ms;
  if (verdict.outcome === 'passed' && limit !== undefined && took > limit)
    return failed(`an answer within ${limit} ms`, `an answer after ${took} ms`);
  return verdict;
}

async function answer(judge: Judge, testCase: Case, options: JudgeOptions): Promise<Verdict> {
  try {
    return await judge(testCase, options);
  } catch (error) {
    return failed('an answer', `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}
