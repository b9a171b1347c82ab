import { isKnown } from './areas.js';
import { type CasesRequest, readArguments, UsageError } from './arguments.js';
import type { Case, Verdict } from './case.js';
import { areasIn, basisOf, corpusFolder, isWanted, readArea } from './corpus.js';
import { isolatedJudge } from './isolated-judge.js';

const usage = 'usage: npm run cases -- [conformance] [security/<area>]… [--firm] [--host node|memory] [--only key=value]…';

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}

async function main(argv: readonly string[]): Promise<number> {
  const request = readArguments(argv);
  const folder = corpusFolder(process.env);
  const found = areasIn(folder);
  const unknown = request.areas.filter((area) => !isKnown(area));
  if (unknown.length > 0) throw new UsageError(unknown.map((area) => `no such area yet: ${area}`).join('\n'));
  const missing = request.areas.filter((area) => !found.includes(area));
  if (missing.length > 0) throw new UsageError(`not in ${folder}: ${missing.join(', ')}`);
  if (found.length === 0) throw new UsageError(`no cases in ${folder}`);

  const areas = request.areas.length > 0 ? request.areas : found;
  for (const area of areas.filter((name) => !isKnown(name))) console.error(`${area}: no such area yet`);
  let isFatal = false;
  for (const area of areas.filter(isKnown)) isFatal = (await judgeArea(folder, area, request)) || isFatal;
  return isFatal ? 1 : 0;
}

/** Prints the area's result; true if something failed that may not. */
async function judgeArea(folder: string, area: string, request: CasesRequest): Promise<boolean> {
  const judge = isolatedJudge(area, { host: request.host });
  const results: { readonly entry: Record<string, unknown>; readonly verdict: Verdict }[] = [];
  try {
    for (const entry of readArea(folder, area).filter((each) => isWanted(each, request))) {
      results.push({ entry, verdict: await judge.judge(entry as unknown as Case) });
    }
  } finally {
    judge.close();
  }
  const counted = results.filter(({ verdict }) => verdict.outcome !== 'skipped');
  console.log(`${area} ${counted.filter(({ verdict }) => verdict.outcome === 'passed').length}/${counted.length}`);
  console.log(`skipped ${results.length - counted.length}`);
  for (const { entry, verdict } of results) {
    if (verdict.outcome === 'skipped') console.log(`  ${String(entry.id)} skipped: ${verdict.reason}`);
    if (verdict.outcome !== 'failed') continue;
    const note = basisOf(entry) === undefined ? '' : ` (${String(basisOf(entry))})`;
    console.log(`  ${String(entry.id)}${note}\n    expected ${verdict.expected}\n    found    ${verdict.found}`);
  }
  return results.some(({ entry, verdict }) => verdict.outcome === 'failed' && basisOf(entry) !== 'optional');
}
