import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Composer, type Document, Parser } from 'yaml';
import { quickValue } from '../../../../engine/src/parse/quick-value.js';

const CASES = fileURLToPath(new URL('../../../cases/', import.meta.url));
const WORKFLOWS = fileURLToPath(new URL('../../../../workflows/', import.meta.url));
const seeds = textsIn(CASES, /^(ok|err)[/\\].*\.yaml$/);

function textsIn(folder: string, names: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** What the library says: a value, or that there is something to complain about. */
function composed(text: string): { value: unknown } | 'complaint' {
  const documents = [
    ...new Composer({ schema: 'core', merge: false }).compose(new Parser().parse(text), true, text.length),
  ] as Document.Parsed[];
  const [document] = documents;
  if (documents.length !== 1 || document === undefined || document.errors.length > 0 || document.warnings.length > 0) return 'complaint';
  return { value: document.toJS({ maxAliasCount: 0 }) };
}

/** Where the quick way gives a value, the library gives the same. Says whether it gave one. */
function agrees(text: string): boolean {
  const value = quickValue(text);
  if (value === undefined) return false;
  expect({ value }, text).toEqual(composed(text));
  return true;
}

describe('the quick way to a value', () => {
  it('takes ordinary workflow files', () => {
    const taken = seeds.filter((text) => agrees(text));
    expect(taken.length).toBeGreaterThan(seeds.length * 0.7);
    const shipped = textsIn(WORKFLOWS, /\.relavium\.yaml$/);
    expect(shipped.filter((text) => agrees(text)).length).toBeGreaterThan(shipped.length * 0.7);
  });

  it('leaves what is special to the library', () => {
    for (const text of [
      'a: &x 1',
      'a: *x',
      'a: !!str 1',
      '? a\n: b',
      '%YAML 1.2\n---\na: 1',
      '---\na: 1',
      'a: 1\n---\nb: 1',
      'a: b\n  c',
      '<<: 1\n<<: 2',
      '1: a',
      'a: 0x1F',
      'a: .nan',
      'a: -.inf',
      'a: 0o7',
      'a: 1e3',
      'a: 1e400',
      '--- a: 1',
      '---: 1',
      'a: 1\n...: 1',
      'a: 9007199254740993',
      '{a}',
      '[a: 1]',
      'a:\tb',
      'a: |+\n    b\n  ',
      'a: |\n   \n  b\n',
      'a: >\n  b\n   c\n',
      'a:\n  b: [\n]',
      'a:\n  b: {\n}\n',
      'a: [\n---\n]',
      '[\n---\n]',
      'a: "\\ud83d\\ude00"',
      'a: "\\x41"',
      'a: "b\n  c"',
      '',
    ]) {
      expect(quickValue(text), text).toBeUndefined();
    }
  });

  it('tells numbers from other words with digits in them', () => {
    for (const text of ['a: 1.0.0', 'a: 2026-12-01', 'a: 10e', 'a: 12:30', 'a: 00.1', 'a: -0', 'a: +.5', 'a: .']) {
      expect(agrees(text), text).toBe(true);
    }
    const word = fc.stringMatching(/^[-+]?[.0-9xoeE+\-infaN]{1,7}$/);
    fc.assert(
      fc.property(word, (text) => void agrees(`a: ${text}\nb: [${text}]`)),
      { numRuns: 5_000 },
    );
  });

  it('reads the same as the library in any pile of lines', () => {
    const text = fc.constantFrom(
      'a: 1',
      'b:',
      'c: |',
      'd: >-',
      'e: |+',
      '- x',
      '- y: 2',
      '-',
      '- - z',
      'text',
      '"q": [1,',
      '2]',
      '{ f: 1,',
      'g: 2 }',
      '# c',
      '',
      '"s": "t" # u',
      "'h': 'i''j'",
      '- {',
      '}',
      ']',
      'k: [',
      'l: v,',
      'm,',
      'n: - o',
      'p: q: r',
      '...',
      '---',
      'v : 1',
      '-w',
    );
    const line = fc.tuple(fc.constantFrom(0, 2, 4, 0, 2, 4, 1, 3), text).map(([indent, words]) => ' '.repeat(indent) + words);
    let taken = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 7 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        if (agrees(lines.join(end) + end)) taken += 1;
      }),
      { numRuns: 20_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('reads the same as the library in any mixture of pieces', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '"c"',
      "'d'",
      ': ',
      ':',
      '- ',
      '-',
      '\n',
      '\n  ',
      '\n    ',
      '\n - ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      ',',
      '# x',
      ' # x',
      ' ',
      '|\n',
      '|-\n  ',
      '>\n  ',
      '1',
      '0.5',
      'true',
      '~',
      '\t',
      '\r\n',
      '?',
      '&x',
      '!',
      '@',
      '%',
    );
    let taken = 0;
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 14 }), (pieces) => {
        if (agrees(pieces.join(''))) taken += 1;
      }),
      { numRuns: 20_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('reads the same as the library in files that lost, gained or swapped a part', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(6),
      text: fc.constantFrom(
        '',
        ' ',
        '  ',
        '\n',
        '\n  ',
        ',',
        ':',
        ': ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        '"',
        "'",
        '#',
        ' # c',
        '|',
        '\t',
        'x',
        '1',
        '\r\n',
        '? ',
        '&a ',
      ),
    });
    fc.assert(
      fc.property(fc.nat(seeds.length - 1), fc.array(change, { minLength: 1, maxLength: 2 }), (seed, changes) => {
        let text = seeds[seed] as string;
        if (text.length > 4_000) return;
        for (const { at, length, text: other } of changes) {
          const start = Math.floor(at * text.length);
          text = text.slice(0, start) + other + text.slice(start + length);
        }
        agrees(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads the same as the library in any value that is written out', () => {
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.string(),
        fc.constantFrom('yes', 'null', '1', '-', '', ' a', 'a\nb', '# c', 'a: b'),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(values.map, (value) => void agrees(JSON.stringify(value, undefined, 2))),
      { numRuns: 500 },
    );
  });
});
