import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseYaml } from '../../../../engine/src/parse/parse-yaml.js';
import type { YamlDocument } from '../../../../engine/src/parse/yaml-document.js';

function documentOf(text: string): YamlDocument {
  const { document } = parseYaml({ path: 'a.yaml', text });
  if (document === undefined) throw new Error('the text should be YAML');
  return document;
}

/** The character of the file to which each visible character of the value leads back. */
function traced(text: string): string {
  const document = documentOf(text);
  const value = (document.value as { a: string }).a;
  return [...value].map((_, index) => text[document.offsetIn(['a'], index)]).join('');
}

describe('offsets inside values', () => {
  it('are exact in plain text over several lines', () => {
    expect(traced('a: one\n  two\n\n  three\n')).toBe('one\ntwo\nthree');
  });

  it('are exact in single quotes with doubled quotes', () => {
    const document = documentOf("a: 'it''s so'\n");
    expect(document.offsetIn(['a'], 3)).toBe("a: 'it''s".indexOf('s', 5));
  });

  it('are exact in double quotes with escapes and folded lines', () => {
    const text = 'a: "x\\u0041\\ty\\\n  z \\U0001F600 end"\n';
    const document = documentOf(text);
    const value = (document.value as { a: string }).a;
    expect(text[document.offsetIn(['a'], value.indexOf('y'))]).toBe('y');
    expect(text[document.offsetIn(['a'], value.indexOf('z'))]).toBe('z');
    expect(document.offsetIn(['a'], value.indexOf('end'))).toBe(text.indexOf('end'));
  });

  it('are exact in literal blocks, with and without an indentation indicator', () => {
    const text = 'a: |\n    first\n      second\n\n    third\n';
    expect(traced(text)).toBe('first\n  second\n\nthird\n');
    const indented = 'a: |2\n    first\n  second\n';
    expect((documentOf(indented).value as { a: string }).a).toBe('  first\nsecond\n');
    expect(traced(indented)).toBe('  first\nsecond\n');
  });

  it('lead into the right line of folded blocks', () => {
    const text = 'a: >\n  one\n  two\n\n  three\n    four\n  five\n';
    const document = documentOf(text);
    const value = (document.value as { a: string }).a;
    for (const word of ['one', 'two', 'three', 'four', 'five']) {
      expect(document.offsetIn(['a'], value.indexOf(word))).toBe(text.indexOf(word));
    }
  });

  it('count past a CRLF', () => {
    const text = 'a: |\r\n  one\r\n  two\r\n';
    const document = documentOf(text);
    expect(document.offsetIn(['a'], 4)).toBe(text.indexOf('two'));
  });

  it('follow an alias to where the text is written', () => {
    const text = 'b: &x some text\na: *x\n';
    expect(documentOf(text).offsetIn(['a'], 5)).toBe(text.indexOf('text'));
  });

  it('lead from every word of any text back to that word, however the text is written', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 12 });
    const styles = fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
    fc.assert(
      fc.property(words, fc.constantFrom(' ', '\n', '\n\n', '\n  ', " ' ", ' \\ " '), styles, (list, separator, style) => {
        const marked = list.map((word, index) => `${word}${index}`).join(separator);
        const text = stringify({ k: 1, a: marked }, { defaultStringType: style as 'PLAIN', lineWidth: 20 });
        const document = documentOf(text);
        // The library does not write every text so that it reads the same again, so what was read counts.
        const value = (document.value as { a: string }).a;
        let before = -1;
        for (const [index, word] of list.entries()) {
          // A word may go on in the next line, behind a backslash.
          const at = document.offsetIn(['a'], value.indexOf(`${word}${index}`));
          expect(text[at]).toBe(word[0]);
          expect(at).toBeGreaterThan(before);
          before = at;
        }
      }),
      { numRuns: 500 },
    );
  });
});
