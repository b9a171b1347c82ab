import { judgeOf } from './areas.js';
import type { Case, JudgeOptions, Verdict } from './case.js';
import { judgeCase } from './judge-case.js';

/** What the parent sends: first the area, then its cases one by one. */
export type ToWorker = { readonly area: string; readonly options: JudgeOptions } | { readonly case: Case };

/** What comes back for each message. */
export type FromWorker = { readonly ready: true } | { readonly verdict: Verdict };

let judging: ((testCase: Case) => Promise<Verdict>) | undefined;

process.on('message', async (message: ToWorker) => {
  if ('area' in message) {
    const judge = await judgeOf(message.area);
    judging = (testCase) => judgeCase(judge, testCase, message.options);
    process.send?.({ ready: true } satisfies FromWorker);
  } else if (judging !== undefined) {
    process.send?.({ verdict: await judging(message.case) } satisfies FromWorker);
  }
});
