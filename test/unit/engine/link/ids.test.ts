import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';

interface Case {
  readonly id: string;
  readonly input: string | readonly string[];
  readonly expect: unknown;
  readonly why: string;
}

const lines = readFileSync(new URL('../../../cases/security/ids_unicode.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const cases = lines.map((line) => JSON.parse(line) as Case);

function outcome(input: Case['input']): 'allow' | 'error' {
  const ids = typeof input === 'string' ? [input] : input;
  const nodes = ids.map((id, index) => ({ id, type: 'transform', transform: '1', ...(index > 0 ? { needs: [ids[0]] } : {}) }));
  const text = JSON.stringify({ schema_version: '1.0', workflow: { id: 'ids', nodes } });
  const { plan } = compile({ path: 'ids.yaml', text }, { reader: memorySourceReader({}), tools: [] });
  return plan === undefined ? 'error' : 'allow';
}

describe('the corpus of ids', () => {
  it('was found', () => expect(cases.length).toBeGreaterThan(15));

  it.each(cases)('$id: $why', ({ input, expect: wanted }) => {
    const found = outcome(input);
    if (wanted === 'allow' || wanted === 'error') expect(found).toBe(wanted);
    expect('polluted' in {}).toBe(false);
  });
});
