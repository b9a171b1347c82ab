import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../../../engine/src/template/parse.js';
import type { Template } from '../../../../engine/src/template/template.js';

function parsed(text: string): Template {
  const result = parseTemplate(text);
  if ('error' in result) throw new Error(`${text}: ${result.error.message}`);
  return result.template;
}

/** Literals in quotes, holes as head and filters. */
function shown(text: string): string[] {
  return parsed(text).segments.map((segment) => {
    if (segment.kind === 'literal') return JSON.stringify(segment.text);
    const filters = segment.filters.map(({ name, args }) => `${name}(${args.map((arg) => JSON.stringify(arg)).join()})`);
    return [segment.head.text.trim(), ...filters].join(' | ');
  });
}

function problem(text: string): { message: string; found: string } {
  const result = parseTemplate(text);
  if (!('error' in result)) throw new Error(`${text} parses`);
  return { message: result.error.message, found: text.slice(result.error.start, result.error.end) };
}

describe('a template', () => {
  it.each([
    ['no holes } here {', ['"no holes } here {"']],
    ['', []],
    ['{{ a }}', ['a']],
    ['x {{a}}{{ b.c }} y', ['"x "', 'a', 'b.c', '" y"']],
    ['{"a": {"b": {{ x }} }}', ['"{\\"a\\": {\\"b\\": "', 'x', '" }}"']],
    ["{{ '{{' }}x{{ '}}' }}", ["'{{'", '"x"', "'}}'"]],
    ['{{ {a: {b: 1}} }}', ['{a: {b: 1}}']],
    ['{{ {a: {b: 1}}}}', ['{a: {b: 1}}']],
    ['{{{a: 1}.a}}', ['{a: 1}.a']],
    [`{{ \`a\${ {b: 1}.b }}}\` }}`, [`\`a\${ {b: 1}.b }}}\``]],
    ['{{ /[|}]{2}/.test(a) }}', ['/[|}]{2}/.test(a)']],
    ['{{ a / b / c }}', ['a / b / c']],
    ['{{ a /* }} */ }}', ['a /* }} */']],
    ['{{ a || b }}', ['a || b']],
    ['{{ (a | b) | json }}', ['(a | b) | json()']],
    ['{{ a | upper|trim | truncate( 5 ) }}', ['a | upper() | trim() | truncate(5)']],
    ["{{ a | join(', ') | default('a | b }}') }}", ['a | join(", ") | default("a | b }}")']],
    ['{{ a | default({x: [1, -2, null], "y": true}) }}', ['a | default({"x":[1,-2,null],"y":true})']],
    ['{{\n  a\n  | json\n}}', ['a | json()']],
  ])('of %j', (text, segments) => {
    expect(shown(text)).toEqual(segments);
  });

  it('knows whether it is one hole and nothing else', () => {
    expect([parsed('{{ a }}').single, parsed('{{ a }} ').single, parsed('{{ a }}{{ b }}').single, parsed('a').single]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('says what it reads, by position in the whole text', () => {
    const text = 'Dear {{ inputs.name | upper }}, {{ run.outputs["a"].b + x }}';
    const { reads, free } = parsed(text);
    expect(reads.map(({ root, path, start, end }) => [root, path, text.slice(start, end)])).toEqual([
      ['inputs', ['name'], 'inputs.name'],
      ['run', ['outputs', 'a', 'b'], 'run.outputs["a"].b'],
      ['x', [], 'x'],
    ]);
    expect(free.map(({ name, start, end }) => [name, text.slice(start, end)])).toEqual([
      ['inputs', 'inputs'],
      ['run', 'run'],
      ['x', 'x'],
    ]);
  });

  it('knows whether it needs the VM or a file', () => {
    expect(['text', '{{ a.b }}', '{{ a + 1 }}'].map((text) => parsed(text).needsVm)).toEqual([false, false, true]);
    expect(['{{ a }}', '{{ a | read_file | trim }}'].map((text) => parsed(text).readsFiles)).toEqual([false, true]);
  });

  it('is plain data', () => {
    const template = parsed('a {{ b.c | default(1) }} {{ d + 1 }}');
    expect(JSON.parse(JSON.stringify(template))).toEqual(template);
  });
});

describe('a mistake in a template', () => {
  it.each([
    ['a {{ b', '{{', 'this `{{` has no `}}`'],
    ['{{ }}', '{{ }}', 'there is no expression between `{{` and `}}`'],
    ['{{ | json }}', '{{ | json }}', 'there is no expression between `{{` and `}}`'],
    ['x {{ a b }}', 'b', 'unexpected token'],
    ['x {{ (a }}', '}', 'this `}` closes nothing; a hole ends with `}}`'],
    ['{{ a) }}', ')', 'this `)` closes nothing; a hole ends with `}}`'],
    ['{{ a } b }}', '}', 'this `}` closes nothing; a hole ends with `}}`'],
    ["{{ don't }}", "'", 'unterminated string constant'],
    ['{{ await x }}', 'await', '`await` is not allowed in an expression'],
    ['x {{ a | uper }}', 'uper', /^there is no filter uper; the filters are json, /],
    ['{{ a | }}', '', /^after `\|` stands a filter/],
    ['{{ a | 5 }}', '5', /^after `\|` stands a filter/],
    ['{{ a | json(2) }}', 'json(2)', 'the filter json takes no argument, and there is 1'],
    ['{{ a | join }}', 'join', 'the filter join takes one argument, and there are 0'],
    ['{{ a | join(1) }}', 'join(1)', 'the argument of join is a text in quotes'],
    ['{{ a | truncate(-1) }}', 'truncate(-1)', 'the argument of truncate is an integer from 0'],
    ['{{ a | truncate(1.5) }}', 'truncate(1.5)', 'the argument of truncate is an integer from 0'],
    ['{{ a | default(b) }}', 'b', 'the argument of a filter is a constant'],
    ['{{ a | default(1e999) }}', 'default(1e999)', 'the argument of default is a constant that JSON can hold'],
    ['{{ a | default([1, f()]) }}', 'f()', 'the argument of a filter is a constant'],
    ['{{ a | default(1], [2) }}', '1], [2', 'the argument of a filter is a constant'],
    ['{{ 5 | upper }}', 'upper', 'the filter upper takes a text, and this is a number'],
    ['{{ a | length | trim }}', 'trim', 'the filter trim takes a text, and this is a number'],
    ['{{ a | lines | read_file }}', 'read_file', 'the filter read_file takes a text, and this is a list'],
    ["{{ 'x' | join('') }}", "join('')", 'the filter join takes a list, and this is a text'],
  ])('%j is shown where it stands', (text, found, message) => {
    const result = problem(text);
    expect(result.found).toBe(found);
    if (typeof message === 'string') expect(result.message).toBe(message);
    else expect(result.message).toMatch(message);
  });

  it('does not make a long text slow or a deep one fatal', () => {
    expect(parsed(`${'{{ a }} and '.repeat(20_000)}`).segments.length).toBe(40_000);
    expect(problem(`{{ ${'('.repeat(100_000)}`).message).toBe('this `{{` has no `}}`');
    expect(problem(`{{ ${'('.repeat(10_000)}1${')'.repeat(10_000)} }}`).message).toMatch(/nested more than/);
    expect(problem(`{{ a | default(${'['.repeat(10_000)}${']'.repeat(10_000)}) }}`).message).toMatch(/nested more than/);
    expect(shown(`{{ '${'x'.repeat(10_000)}' }}`)).toEqual([`'${'x'.repeat(10_000)}'`]);
  });
});
