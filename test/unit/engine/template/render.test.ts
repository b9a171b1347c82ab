import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonScope } from '../../../../engine/src/expression/scope.js';
import type { Json } from '../../../../engine/src/json.js';
import { parseTemplate } from '../../../../engine/src/template/parse.js';
import { type ReadFile, type Rendered, renderTemplate, renderTemplateAsync } from '../../../../engine/src/template/render.js';
import type { Template } from '../../../../engine/src/template/template.js';
import { runScope } from '../expression/run-scope.js';
import { vm } from '../expression/vm.js';

function template(text: string): Template {
  const parsed = parseTemplate(text);
  if ('error' in parsed) throw new Error(`${text}: ${parsed.error.message}`);
  return parsed.template;
}

const values = {
  name: 'Ada',
  n: 3,
  list: ['x', 1, null, { a: 'b' }],
  object: { a: { b: 1 } },
  nothing: null,
  text: ' Two\nlines\r\nhere\n',
  yes: true,
};

function render(text: string, scope: { readonly [name: string]: Json } = values): Rendered {
  return renderTemplate(template(text), jsonScope(scope), vm);
}

function rendered(text: string, scope: { readonly [name: string]: Json } = values): Json {
  const result = render(text, scope);
  if (!result.ok) throw new Error(`${text}: ${result.reason}: ${result.message}`);
  return result.value;
}

describe('a template that is one hole', () => {
  it.each<[string, Json]>([
    ['{{ n }}', 3],
    ['{{list}}', values.list],
    ['{{ nothing }}', null],
    ['{{ n > 2 }}', true],
    ['{{ name | length }}', 3],
    ["{{ '{{' }}", '{{'],
  ])('gives the value itself: %s', (text, value) => {
    expect(rendered(text)).toEqual(value);
  });

  it('gives it by reference', () => {
    expect(rendered('{{ list }}')).toBe(values.list);
  });
});

describe('a template with more in it', () => {
  it.each([
    ['Hello {{ name }}!', 'Hello Ada!'],
    ['{{ name }}{{ n }}', 'Ada3'],
    [' {{ nothing }} {{ yes }}', ' null true'],
    ['{{ list }} is a list', '["x",1,null,{"a":"b"}] is a list'],
    ["{{ '{{' }} name {{ '}}' }}", '{{ name }}'],
    ['{"a": {"b": {{ n }}}}', '{"a": {"b": 3}}'],
  ])('gives a text: %s', (text, value) => {
    expect(rendered(text)).toBe(value);
  });
});

describe('the filters', () => {
  it.each<[string, Json]>([
    ['{{ object | json }}', '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['{{ object | compact }}', '{"a":{"b":1}}'],
    ['{{ name | compact }}', '"Ada"'],
    ['{{ list | length }}', 4],
    ['{{ object | length }}', 1],
    ['{{ text | trim }}', 'Two\nlines\r\nhere'],
    ['{{ text | lines }}', [' Two', 'lines', 'here']],
    ['{{ "" | lines }}', []],
    ['{{ text | lines | join("; ") }}', ' Two; lines; here'],
    ['{{ list | join("-") }}', 'x-1-null-{"a":"b"}'],
    ['{{ name | upper }}', 'ADA'],
    ['{{ name | lower }}', 'ada'],
    ['{{ text | quote }}', JSON.stringify(values.text)],
    ['{{ object | quote }}', '"{\\"a\\":{\\"b\\":1}}"'],
    ['{{ name | truncate(2) }}', 'Ad'],
    ['{{ name | truncate(99) }}', 'Ada'],
    ['{{ "a😀b" | truncate(2) }}', 'a'],
    ['{{ gone.x ?? 5 }}', 5],
    ['{{ object.gone | default("none") }}', 'none'],
    ['{{ nothing | default([]) }}', []],
    ['{{ name | default("none") }}', 'Ada'],
    ['{{ object.gone | trim | upper | default("none") | upper }}', 'NONE'],
    ['{{ nothing | length | default(0) }}', 0],
    ['{{ nothing | json }}', 'null'],
  ])('%s', (text, value) => {
    expect(rendered(text, { ...values, gone: {} })).toEqual(value);
  });

  it.each([
    ['{{ n | upper }}', 'the filter upper takes a text, and this is a number'],
    ['{{ nothing | trim }}', 'the filter trim takes a text, and this is null'],
    ['{{ name | default("") | join("") }}', 'the filter join takes a list, and this is a text'],
    ['{{ yes | length }}', 'the filter length takes a text or a list or an object, and this is a boolean'],
  ])('say what they cannot take: %s', (text, message) => {
    expect(render(text)).toEqual({ ok: false, reason: 'result_type', message });
  });

  it('survive a value that is too deep to write', () => {
    let deep: Json = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    for (const text of ['{{ deep | json }}', '{{ deep }} ', '{{ deep | quote }}'])
      expect(render(text, { deep }), text).toMatchObject({ reason: 'result_type' });
  });
});

describe('what has no value', () => {
  it('is an error that names it, in any kind of template', () => {
    const message = 'object.gone has no value here; give it one with | default(…)';
    for (const text of ['{{ object.gone }}', 'x {{ object.gone }}', '{{ object.gone | upper }}', '{{ object.gone | json }}'])
      expect(render(text), text).toEqual({ ok: false, reason: 'unresolved_reference', message });
  });

  it('is the same for a node that was skipped', () => {
    const scope = { names: new Map(), run: runScope({}) };
    expect(renderTemplate(template('x{{ run.outputs["a"] }}'), scope, vm)).toMatchObject({ reason: 'unresolved_reference' });
    expect(renderTemplate(template('x{{ run.outputs["a"].b }}'), scope, vm)).toMatchObject({ reason: 'runtime' });
  });

  it('is not what an error is', () => {
    expect(render('{{ object.gone.x | default(1) }}')).toMatchObject({
      reason: 'runtime',
      message: "cannot read property 'x' of undefined",
    });
    expect(render('{{ token }}', { token: { $secret: 'token' } })).toMatchObject({ reason: 'scope' });
  });
});

describe('text and data', () => {
  it('stay what they are: a literal is kept, and what is filled in is never read again', () => {
    const literal = fc
      .string({ unit: fc.constantFrom('{', '}', '|', '"', "'", 'a', '\\', '$', '\n', '😀') })
      .filter((text) => !text.includes('{{'));
    const value = fc.constantFrom('{{ name }}', '{{', '}}', '{{ name | upper }} }}', `\${name}`, "'", '{', '\\{{');
    fc.assert(
      fc.property(fc.array(fc.tuple(literal, value), { minLength: 1, maxLength: 6 }), literal, (pairs, last) => {
        // A brace right before a hole would be the first of two.
        const texts = pairs.map(([text]) => text.replace(/\{+$/, ''));
        const text = texts.map((before, i) => `${before}{{ v${i} }}`).join('') + last;
        const scope = Object.fromEntries(pairs.map(([, filled], i) => [`v${i}`, filled]));
        expect(rendered(`${text} `, scope)).toBe(`${texts.map((before, i) => before + pairs[i]?.[1]).join('')}${last} `);
      }),
    );
  });
});

describe('a template that reads a file', () => {
  const files: Readonly<Record<string, string>> = { 'a.txt': ' {{ name }} ', 'b.txt': 'a.txt' };
  const readFile: ReadFile = async (path) => {
    const text = files[path];
    return text === undefined ? { ok: false, code: 'tool_failed', message: `no ${path}` } : { ok: true, text };
  };
  const read = (text: string, using: ReadFile | undefined = readFile): Promise<Rendered> =>
    renderTemplateAsync(template(text), jsonScope(values), vm, using);

  it('gives its text, through further filters, and never as a template', async () => {
    expect(await read('{{ "a.txt" | read_file | trim | upper }}')).toEqual({ ok: true, value: '{{ NAME }}' });
    expect(await read('<{{ "b.txt" | read_file | read_file }}> {{ name }}')).toEqual({ ok: true, value: '< {{ name }} > Ada' });
  });

  it('hands the host’s refusal on', async () => {
    expect(await read('{{ "c.txt" | read_file }}')).toEqual({ ok: false, reason: 'tool_failed', message: 'no c.txt' });
  });

  it('needs a host that reads files, and one that waits', async () => {
    expect(await renderTemplateAsync(template('{{ name | read_file }}'), jsonScope(values), vm, undefined)).toMatchObject({
      reason: 'tool_unavailable',
    });
    expect(render('{{ name | read_file }}')).toMatchObject({ reason: 'tool_unavailable' });
  });

  it('renders the others too', async () => {
    expect(await read('{{ n }}')).toEqual({ ok: true, value: 3 });
    expect(await read('{{ n.x.y }}')).toMatchObject({ reason: 'runtime' });
  });
});
