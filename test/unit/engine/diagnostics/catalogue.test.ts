import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import { catalogue } from '../../../../engine/src/diagnostics/catalogue.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';

const entries = catalogue.flatMap((group) => group.entries);

/** Examples that only describe a file, since it is too large, in another encoding, or not one file. */
const DESCRIBED = new Set(['encoding', 'too_large', 'alias_limit', 'too_many', 'unused_agent']);

const CHILD = "schema_version: '1.0'\nworkflow:\n  id: child\n  nodes: [{ id: out, type: output, value: '1' }]\n";

function codesOf(example: string): readonly string[] {
  const body = example
    .split('\n')
    .map((line) => (line === '---' ? line : `  ${line}`))
    .join('\n');
  const text = `schema_version: '1.0'\nworkflow:\n  id: example\n${body}\n`;
  const reader = memorySourceReader({ 'child.relavium.yaml': CHILD });
  return compile({ path: 'example.relavium.yaml', text }, { reader, tools: builtinTools }).diagnostics.map((found) => found.code);
}

describe('the catalogue of diagnostics', () => {
  it('names each code once, in snake_case', () => {
    const codes = entries.map((entry) => entry.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it.each(entries.filter((entry) => !DESCRIBED.has(entry.code)).map((entry) => [entry.code, entry] as const))(
    'the examples of %s show it and mend it',
    (code, entry) => {
      expect(codesOf(entry.wrong)).toContain(code);
      expect(codesOf(entry.right)).toEqual([]);
    },
  );
});
