import { validateJsonSchema } from '@relavium/schemas/json-schema';
import type { Json } from '../json.js';
import type { Path } from '../parse/yaml-document.js';
import { MAX_SCHEMA_WORK } from '../plan/ceilings.js';

export interface SchemaProblem {
  /** Inside the schema. */
  readonly at: Path;
  readonly what: string;
}

/** A regular expression inside the schema. */
export interface SchemaPattern {
  readonly at: Path;
  readonly pattern: string;
  /** Whether it is a key of patternProperties. */
  readonly isKey: boolean;
}

export interface SchemaReport {
  readonly problems: readonly SchemaProblem[];
  readonly patterns: readonly SchemaPattern[];
}

/**
 * Whether an author's JSON Schema can be used: well formed, complete in itself, and of bounded work for each value. Nothing is fetched
 * and nothing is expanded: each part is looked at once.
 */
export function schemaReport(schema: Json): SchemaReport {
  const formed = validateJsonSchema(schema);
  if (!formed.ok) return { problems: [malformed(schema, formed.issues)], patterns: [] };
  const parts = partsOf(schema);
  const references = referenceProblems(schema, parts);
  const problems = references.length > 0 ? references : workProblems(schema, parts);
  return { problems, patterns: patternsOf(parts) };
}

type SchemaObject = { readonly [key: string]: Json };

interface Part {
  readonly at: Path;
  readonly schema: SchemaObject;
}

const SINGLE: readonly string[] = [
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
];
const LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS: readonly string[] = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
/** Keywords that look at the same value as the schema they stand in. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** The meta-schema is made of alternatives, so the deepest issue is the one that names the mistake. */
function malformed(
  schema: Json,
  issues: readonly { readonly instancePath: string; readonly message: string; readonly params: object }[],
): SchemaProblem {
  const [deepest] = [...issues].sort((a, b) => b.instancePath.split('/').length - a.instancePath.split('/').length);
  if (deepest === undefined) return { at: [], what: 'it is not well formed' };
  const at = pathOf(schema, deepest.instancePath);
  const allowed = 'allowedValues' in deepest.params ? `: ${(deepest.params.allowedValues as readonly unknown[]).join(', ')}` : '';
  const key = at.at(-1);
  return { at, what: `${typeof key === 'string' ? `"${key}" ` : ''}${deepest.message}${allowed}` };
}

function pathOf(schema: Json, pointer: string): Path {
  const path: (string | number)[] = [];
  let value: Json | undefined = schema;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(key) : key);
    value = typeof value === 'object' && value !== null ? (value as SchemaObject)[key] : undefined;
  }
  return path;
}

/** Every schema object inside, each once even where aliases make one object stand in several places. */
function partsOf(schema: Json): readonly Part[] {
  const parts: Part[] = [];
  const seen = new Set<Json>();
  const visit = (value: Json | undefined, at: Path): void => {
    if (!isObject(value) || seen.has(value)) return;
    seen.add(value);
    parts.push({ at, schema: value });
    for (const { value: child, at: below } of childrenOf(value)) visit(child, [...at, ...below]);
  };
  visit(schema, []);
  return parts;
}

interface Child {
  readonly keyword: string;
  readonly at: Path;
  readonly value: Json;
}

function childrenOf(schema: SchemaObject): readonly Child[] {
  const children: Child[] = [];
  for (const keyword of SINGLE) {
    const value = schema[keyword];
    if (value !== undefined && Object.hasOwn(schema, keyword)) children.push({ keyword, at: [keyword], value });
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) children.push({ keyword, at: [keyword, index], value: value as Json });
  }
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const [key, value] of Object.entries(map)) children.push({ keyword, at: [keyword, key], value });
  }
  return children;
}

function isObject(value: Json | undefined): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function referenceProblems(root: Json, parts: readonly Part[]): readonly SchemaProblem[] {
  const anchors = anchorsOf(parts);
  return parts.flatMap(({ at, schema }) =>
    ['$ref', '$dynamicRef'].flatMap((keyword) => {
      const reference = schema[keyword];
      if (typeof reference !== 'string') return [];
      const path = [...at, keyword];
      if (!reference.startsWith('#'))
        return [{ at: path, what: `it refers to ${reference}, and nothing outside the schema is ever fetched` }];
      return target(root, anchors, reference) === undefined ? [{ at: path, what: `${reference} leads nowhere` }] : [];
    }),
  );
}

function anchorsOf(parts: readonly Part[]): ReadonlyMap<string, SchemaObject> {
  const anchors = new Map<string, SchemaObject>();
  for (const { schema } of parts) {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = schema[keyword];
      if (typeof name === 'string') anchors.set(name, schema);
    }
  }
  return anchors;
}

function target(root: Json, anchors: ReadonlyMap<string, SchemaObject>, reference: string): Json | undefined {
  const fragment = reference.slice(1);
  if (fragment === '') return root;
  if (!fragment.startsWith('/')) return anchors.get(fragment);
  let value: Json | undefined = root;
  for (const segment of fragment.slice(1).split('/')) {
    const key = unescaped(segment);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as SchemaObject)[key];
  }
  return typeof value === 'boolean' || isObject(value) ? value : undefined;
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return segment;
  }
}

/**
 * How many schema objects one value is checked against, references followed. Counted with a memory, so the counting is linear
 * even where the checking would not be. A part that comes back to itself on the same value would never end.
 */
function workProblems(root: Json, parts: readonly Part[]): readonly SchemaProblem[] {
  const anchors = anchorsOf(parts);
  const places = new Map<Json, Path>(parts.map(({ at, schema }) => [schema, at]));
  const work = new Map<Json, number>();
  const open = new Set<Json>();
  const problems: SchemaProblem[] = [];
  const count = (schema: Json | undefined): number => {
    if (!isObject(schema)) return 1;
    const known = work.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) {
      problems.push({ at: places.get(schema) ?? [], what: 'it refers to itself without going into a property or an item' });
      return 1;
    }
    open.add(schema);
    let total = 1;
    for (const child of childrenOf(schema)) if (IN_PLACE.has(child.keyword)) total += count(child.value);
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = schema[keyword];
      if (typeof reference === 'string') total += count(target(root, anchors, reference));
    }
    open.delete(schema);
    work.set(schema, total);
    return total;
  };
  for (const { at, schema } of parts) {
    const total = count(schema);
    if (problems.length > 0) return problems.slice(0, 1);
    if (total > MAX_SCHEMA_WORK) return [{ at, what: `one value would be checked against more than ${MAX_SCHEMA_WORK} schemas` }];
  }
  return [];
}

function patternsOf(parts: readonly Part[]): readonly SchemaPattern[] {
  return parts.flatMap(({ at, schema }) => {
    const own = typeof schema.pattern === 'string' ? [{ at: [...at, 'pattern'], pattern: schema.pattern, isKey: false }] : [];
    const keys = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
    return [...own, ...keys.map((pattern) => ({ at: [...at, 'patternProperties', pattern], pattern, isKey: true }))];
  });
}
