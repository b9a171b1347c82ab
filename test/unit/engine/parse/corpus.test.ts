import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../engine/src/parse/parse-yaml.js';
import { sourceFromBytes } from '../../../../engine/src/source/source-from-bytes.js';
import { decodeUtf8 } from './decode.js';
import { bytesOf } from './generators.js';

interface Case {
  readonly id: string;
  readonly input: string;
  readonly context: { readonly generator?: Readonly<Record<string, unknown>>; readonly use?: string; readonly max_ms?: number };
  readonly expect: Readonly<Record<string, unknown>>;
  readonly why: string;
}

const lines = readFileSync(new URL('../../../cases/security/yaml_inputs.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const cases = lines.map((line) => JSON.parse(line) as Case);

/** What the corpus calls an error, in our codes. */
const KINDS: Readonly<Record<string, string>> = {
  syntax: 'yaml_syntax',
  duplicate_key: 'duplicate_key',
  unknown_alias: 'unknown_alias',
  alias_limit: 'alias_limit',
  encoding: 'encoding',
};

function outcome(input: Uint8Array): { value?: unknown; codes: readonly string[] } {
  const read = sourceFromBytes('case.yaml', input, decodeUtf8);
  if ('diagnostic' in read) return { codes: [read.diagnostic.code] };
  const parsed = parseYaml(read.source);
  return {
    ...(parsed.document === undefined ? {} : { value: parsed.document.value }),
    codes: parsed.diagnostics.map((found) => found.code),
  };
}

describe('the corpus of YAML inputs', () => {
  it('was found', () => expect(cases.length).toBeGreaterThan(40));

  it.each(cases.filter((one) => one.context.use === undefined))('$id: $why', (one) => {
    const { value, codes } = outcome(bytesOf(one.input, one.context.generator));
    if ('value' in one.expect) {
      expect(codes).toEqual([]);
      expect(value).toEqual(one.expect.value);
    } else if ('error' in one.expect) {
      expect(codes).toContain(KINDS[String(one.expect.error)]);
    } else if ('one_of' in one.expect) {
      const allowed = (one.expect.one_of as readonly Record<string, unknown>[])
        .filter((option) => 'value' in option)
        .map((option) => option.value);
      expect(allowed).toContainEqual(value);
    } else if ('no_pollution' in one.expect) {
      expect(({} as Record<string, unknown>)[String(one.expect.no_pollution)]).toBeUndefined();
    } else if ('plain_or_error' in one.expect) {
      expect(codes.length > 0 || typeof (value as Record<string, unknown>).a === 'string').toBe(true);
    }
  });
});
