import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../engine/src/parse/parse-yaml.js';
import { lineIndex, positionAt } from '../../../../engine/src/source/positions.js';

function found(text: string): readonly string[] {
  const index = lineIndex(text);
  return parseYaml({ path: 'a.yaml', text }).diagnostics.map((one) => {
    const { line, column } = positionAt(index, one.range.start);
    return `${line}:${column} ${one.code} ${one.message}`;
  });
}

describe('syntax problems', () => {
  it('point to the quote that is never closed, not to the end of the file', () => {
    expect(found('a: 1\nb: "x\nc: 1\n')).toEqual(['2:4 yaml_syntax a quote is opened and never closed']);
    expect(found("a: 'x\nc: 1\n")).toEqual(['1:4 yaml_syntax a quote is opened and never closed']);
  });

  it('point to the bracket that is never closed', () => {
    expect(found('a: [x, y\n')).toEqual(['1:4 yaml_syntax a list that starts with [ is never closed by ]']);
    expect(found('a:\n  - { id: a, list: [1, 2 }\n')[0]).toContain('2:');
  });

  it('are one finding for one broken line', () => {
    for (const text of [
      'a: b: c\n',
      'a:\n\tb: 1\n',
      'a:\n    b: 1\n  c: 2\n',
      'a: {b: 1, c\nd: 2\n',
      '- a\nb: 1\n',
      'a: "\\q"\n',
      'a: @x\n',
      'key\n  other: 1\n',
      'a: 1\n b: 2\n',
    ]) {
      expect(found(text), text).toHaveLength(1);
    }
  });

  it('are in our words', () => {
    expect(found('a: b: c\n')).toEqual([
      '1:4 yaml_syntax a second "key:" in one line; quote the text, or begin the inner map on a line of its own',
    ]);
    expect(found('a:\n\tb: 1\n')[0]).toContain('tab');
    expect(found('a: @x\n')[0]).toContain('needs quotes');
  });

  it('refuse a version other than 1.2 and unknown directives', () => {
    expect(found('%YAML 1.1\n---\na: yes\n')[0]).toContain('YAML 1.2');
    expect(found('%FOO bar\n---\na: 1\n')[0]).toContain('yaml_syntax');
    expect(found('%YAML 1.2\n---\na: 1\n')).toEqual([]);
  });

  it('refuse tags that would make special values, and keep the core ones', () => {
    expect(found('a: !!binary aGk=\n')[0]).toContain('yaml_tag');
    expect(found('a: !!set {x}\n')[0]).toContain('yaml_tag');
    expect(found('a: !custom x\n')[0]).toContain('yaml_tag');
    expect(found('a: !!str 1\nb: !!int "2"\n')).toEqual([]);
  });

  it('are no reason to stop: duplicate keys, aliases and numbers are all told', () => {
    const codes = parseYaml({
      path: 'a.yaml',
      text: 'a: 1\na: 2\nb: *x\nc: 9007199254740993\nd: .nan\n1: x\n? [k]\n: v\n',
    }).diagnostics.map((one) => one.code);
    expect(codes).toEqual(['duplicate_key', 'unknown_alias', 'number_range', 'number_range', 'non_string_key', 'non_string_key']);
  });

  it('say nothing about 50 000 keys in one map but the one that stands twice', () => {
    const keys = Array.from({ length: 50_000 }, (_, index) => `k${index}: ${index}`).join('\n');
    expect(found(`${keys}\nk7: 1\n`)).toEqual(['50001:1 duplicate_key the key "k7" is here for the second time; the first is on line 8']);
  });

  it('are found for aliases that would be deep or large when written out', () => {
    const nested = Array.from({ length: 40 }, (_, index) => `a${index}: &a${index} [${index === 0 ? '1' : `*a${index - 1}`}]`);
    expect(found(`${nested.join('\n')}\nb: [${'['.repeat(30)}*a39${']'.repeat(30)}]\n`)[0]).toContain('too_deep');
    const repeated = `a: &a [${Array.from({ length: 1000 }, () => 1).join(', ')}]\nb: [${Array.from({ length: 200 }, () => '*a').join(', ')}]\n`;
    expect(found(repeated)[0]).toContain('alias_limit');
  });
});

describe('values', () => {
  it('keep __proto__ as a key and change no prototype', () => {
    const { document } = parseYaml({ path: 'a.yaml', text: 'a: { __proto__: { polluted: true } }\n' });
    const { a: inner } = (document ?? { value: {} }).value as unknown as { a: object };
    expect(Object.keys(inner)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(inner)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it('are found by path, keys and values alike, aliases followed', () => {
    const text = 'a: &x { b: [1, "two"] }\nc: *x\n';
    const document = parseYaml({ path: 'a.yaml', text }).document;
    const at = (path: (string | number)[], what: 'key' | 'value'): string => {
      const range = document?.rangeOf(path, what);
      return text.slice(range?.start, range?.end);
    };
    expect(at(['a', 'b', 1], 'value')).toBe('"two"');
    expect(at(['a', 'b'], 'key')).toBe('b');
    expect(at(['c', 'b', 0], 'value')).toBe('1');
    expect(at(['c'], 'value')).toBe('*x');
    expect(at(['a', 'missing', 'deeper'], 'value')).toBe('a');
  });
});
