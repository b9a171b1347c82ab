import Ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectTool } from '../../../../engine/src/agent/tool-projection.js';
import { builtinTools, type Json, type JsonObject } from '../../../../engine/src/index.js';
import { isStrict, lowerParameters, lowerSchema, schemaDialects } from '../../../../hosts/node/src/models/schema-dialect.js';
import { requirement } from '../../requirement.js';

const { google, openai, 'openai-compatible': compatible } = schemaDialects;
/** Undefined where the schema cannot be judged, such as one that refers to itself and nothing else. */
function judge(schema: Json): ((value: Json) => boolean) | undefined {
  try {
    const ajv = new Ajv.default({ strict: false, validateFormats: false, validateSchema: false, logger: false, code: { optimize: false } });
    return ajv.compile(schema as JsonObject) as (value: Json) => boolean;
  } catch {
    return undefined;
  }
}

const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'xsmall' },
    fc.constantFrom<Json>(null, true, 0, 1, 2.5, '', 'a', 'ab'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
}));

const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const { schema: schemas } = fc.letrec<{ schema: Json }>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 2 });
  return {
    schema: fc.oneof(
      { depthSize: 'xsmall', withCrossShrink: true },
      fc.constantFrom<Json>(true, false, {}, { $ref: '#' }, { $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }),
      fc.record<JsonObject>(
        {
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
          properties: map,
          patternProperties: fc.constantFrom({ '^b': {} }, { '^b': false }),
          additionalProperties: tie('schema'),
          required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
          items: tie('schema'),
          prefixItems: list,
          contains: tie('schema'),
          minContains: fc.constant(0),
          minItems: fc.constantFrom(0, 1),
          minLength: fc.constantFrom(0, 1),
          maximum: fc.constantFrom(0, 2),
          pattern: fc.constantFrom('^a', 'b$'),
          uniqueItems: fc.boolean(),
          enum: fc.uniqueArray(fc.constantFrom<Json>(null, true, 1, 'a', 'ab'), { minLength: 1, maxLength: 4 }),
          const: fc.constantFrom<Json>(null, 1, 'a'),
          anyOf: list,
          oneOf: list,
          allOf: list,
          not: tie('schema'),
          if: tie('schema'),
          // biome-ignore lint/suspicious/noThenProperty: the name of a keyword
          then: tie('schema'),
          else: tie('schema'),
          unevaluatedProperties: tie('schema'),
          $ref: fc.constantFrom('#/$defs/a', '#/$defs/b'),
          // biome-ignore lint/suspicious/noExplicitAny: each keyword may be there or not
        } as any,
        { requiredKeys: [] },
      ),
    ) as fc.Arbitrary<Json>,
  };
});
const documents = fc
  .tuple(schemas, schemas, schemas)
  .map(([root, a, b]): JsonObject => ({ ...(typeof root === 'object' ? (root as JsonObject) : {}), $defs: { a, b } }));

const RUNS = 150;

/** References that lead in circles without going deeper overflow the stack of the judge. */
function withoutOverflow(act: () => boolean): boolean {
  try {
    return act();
  } catch {
    return false;
  }
}

describe('a schema in the dialect of a provider', () => {
  it.each(Object.entries({ openai, compatible, google }))('of %s accepts all that the original accepts', (_, dialect) => {
    let accepted = 0;
    const property = fc.property(documents, fc.array(values, { minLength: 12, maxLength: 12 }), (schema, candidates) => {
      const original = judge(schema);
      const good = original === undefined ? [] : candidates.filter((value) => withoutOverflow(() => original(value)));
      if (good.length === 0) return;
      const [lowered, parameters] = [judge(lowerSchema(schema, dialect)), judge(lowerParameters(schema, dialect))];
      for (const value of good) {
        accepted++;
        expect(lowered?.(value)).toBe(true);
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) expect(parameters?.(value)).toBe(true);
      }
    });
    fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: 5000, markInterruptAsFailure: false });
    expect(accepted).toBeGreaterThan(20);
  });

  it('keeps everything where the provider takes everything', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string', pattern: '^x' } } };
    expect(lowerSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, openai)).toEqual(schema);
  });

  it('tells in words what Google cannot be told by keywords', () => {
    const schema = { type: 'object', properties: { port: { type: 'integer', description: 'A port.', minimum: 1, maximum: 65535 } } };
    expect(lowerSchema(schema, google)).toEqual({
      type: 'object',
      properties: { port: { type: 'integer', description: 'A port. (minimum: 1; maximum: 65535)' } },
    });
  });

  it('replaces references, merges what belongs together, and stops where a schema contains itself, for Google', () => {
    const schema = {
      $ref: '#/$defs/Tree',
      $defs: {
        Named: { properties: { name: { type: 'string' } }, required: ['name'] },
        Tree: {
          type: 'object',
          allOf: [{ $ref: '#/$defs/Named' }],
          properties: { kind: { const: 'tree' }, children: { type: 'array', items: { $ref: '#/$defs/Tree' } }, any: true },
          required: ['kind', 'ghost'],
        },
      },
    };
    expect(lowerSchema(schema, google)).toEqual({
      type: 'object',
      properties: { kind: { enum: ['tree'] }, children: { type: 'array', items: {} }, any: {}, name: { type: 'string' } },
      required: ['kind', 'name'],
    });
  });

  it('leaves out enumerations that Google takes for none, and tells them', () => {
    expect(lowerSchema({ enum: ['a', 1] }, google)).toEqual({ description: '(enum: ["a",1])' });
    expect(lowerSchema({ type: 'string', enum: [1, 2] }, google)).toEqual({ type: 'string', description: '(enum: [1,2])' });
    expect(lowerSchema({ type: ['string', 'null'], enum: ['a', null] }, google)).toEqual({ type: ['string', 'null'], enum: ['a', null] });
  });

  it('makes alternatives of several types for Google', () => {
    expect(lowerSchema({ type: ['string', 'integer'], description: 'A key.' }, google)).toEqual({
      description: 'A key.',
      anyOf: [{ type: 'string' }, { type: 'integer' }],
    });
  });

  it('leaves out what grammars cannot say, for servers of the OpenAI dialect', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '(?=x)' } },
      patternProperties: { '^b': {} },
      additionalProperties: false,
    };
    expect(lowerSchema(schema, compatible)).toEqual({
      type: 'object',
      properties: { a: { type: 'string', description: '(pattern: (?=x))' } },
    });
  });

  it.each([google, openai])('gives arguments an object without alternatives at its top', (dialect) => {
    const schema = {
      type: 'object',
      properties: { path: { type: 'string' }, glob: { type: 'string' } },
      oneOf: [{ required: ['path'] }, { required: ['glob'] }],
      anyOf: [{ properties: { mode: { const: 'r' } } }, { properties: { mode: { type: 'integer' } } }],
    };
    const lowered = lowerParameters(schema, dialect);
    expect(lowered).toMatchObject({ type: 'object', properties: { path: { type: 'string' }, glob: { type: 'string' } } });
    expect(Object.keys(lowered).sort()).toEqual(['properties', 'type']);
    expect((lowered.properties as JsonObject).mode).toHaveProperty('anyOf');
    expect(lowerParameters({}, dialect)).toEqual({ type: 'object' });
    expect(lowerParameters({ $ref: '#/$defs/a', $defs: { a: { properties: { x: {} }, required: ['x'] } } }, dialect)).toMatchObject({
      type: 'object',
      properties: { x: {} },
      required: ['x'],
    });
  });

  it('closes no object that patterns of another part had left open', () => {
    const part = { patternProperties: { '^b': {} }, additionalProperties: false };
    const lowered = lowerParameters({ type: 'object', patternProperties: { '^a': {} }, allOf: [part] }, openai);
    expect(judge(lowered)?.({ b1: 1 })).toBe(true);
  });

  it('stays small when references double at every step', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`d${at}`, { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }]),
    );
    const started = performance.now();
    for (const dialect of [google, openai, compatible]) lowerParameters({ $ref: '#/$defs/d0', $defs }, dialect);
    expect(JSON.stringify(lowerSchema({ $ref: '#/$defs/d0', $defs }, google)).length).toBeLessThan(200_000);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('survives schemas that are nested without end or no schemas', () => {
    let deep: Json = { type: 'string' };
    for (let at = 0; at < 1500; at++) deep = { type: 'array', items: deep };
    for (const dialect of Object.values(schemaDialects)) {
      lowerSchema(deep, dialect);
      for (const odd of [null, 1, 'a', [], { properties: 1, items: [1], anyOf: {}, $ref: 7, enum: 'a', type: 3, required: 'x' }])
        expect(lowerParameters(odd as Json, dialect)).toHaveProperty('type', 'object');
    }
  });
});

describe('strictness', () => {
  it('holds for closed objects of which every property is required', () => {
    const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
    expect(isStrict(closed)).toBe(true);
    expect(isStrict({ ...closed, required: [] })).toBe(false);
    expect(isStrict({ ...closed, additionalProperties: true })).toBe(false);
    expect(isStrict({ ...closed, properties: { a: { type: 'object' } } })).toBe(false);
    expect(isStrict({ ...closed, properties: { a: { type: 'string', pattern: 'x' } } })).toBe(false);
  });
});

it(requirement('IB-30', 'the limits of arguments are told to the models of every provider'), () => {
  const bounded: readonly (readonly [string, string])[] = [
    ['write_file', 'content'],
    ['http_request', 'body'],
    ['git_commit', 'message'],
    ['run_command', 'args'],
  ];
  for (const dialect of Object.values(schemaDialects)) {
    for (const [id, argument] of bounded) {
      const tool = projectTool(builtinTools.find((one) => one.id === id)!, undefined, []);
      const { properties } = lowerParameters(tool.parameters, dialect) as { readonly properties: Readonly<Record<string, JsonObject>> };
      expect(JSON.stringify(properties[argument])).toMatch(/\d+ bytes\)/);
    }
  }
});
