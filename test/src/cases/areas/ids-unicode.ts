import { compile } from '@relavium/engine';
import { memorySourceReader } from '@relavium/engine/testing';
import { type Case, failed, type Judge, show, type Verdict, verdict } from '../case.js';

/** Ids as `compile` takes them: a workflow whose nodes carry them. */
export const judge: Judge = (testCase) => {
  const ids = (Array.isArray(testCase.input) ? testCase.input : [testCase.input]) as string[];
  const { diagnostics } = compile(source(ids), { reader: memorySourceReader({}), tools: [] });
  const problems = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').map(({ code, message }) => `${code}: ${message}`);
  return meets(testCase, problems);
};

function source(ids: readonly string[]): { readonly path: string; readonly text: string } {
  // JSON is YAML, and writes any text without a question of quoting. A lone surrogate stands as its escape, as an author would write it.
  const nodes = ids
    .map((id, index) => `    - { id: ${JSON.stringify(id)}, type: transform, transform: '${index}', name: n${index} }\n`)
    .join('');
  return { path: 'case.relavium.yaml', text: `schema_version: '1.0'\nworkflow:\n  id: case\n  nodes:\n${nodes}` };
}

function meets({ expect }: Case, problems: readonly string[]): Verdict {
  if (expect === 'allow') return verdict(problems.length === 0, 'no error', problems);
  if (expect === 'error' || expect === 'deny') return verdict(problems.length > 0, 'an error', 'accepted');
  if (typeof expect === 'object' && expect !== null && 'no_pollution' in expect) {
    return verdict(Object.keys(Object.prototype).length === 0, 'an untouched host', Object.keys(Object.prototype));
  }
  return failed(show(expect), 'an expectation that this harness does not know');
}
