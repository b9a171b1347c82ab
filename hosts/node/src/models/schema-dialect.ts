import type { Json, JsonObject } from '@relavium/engine';

/** How much of JSON Schema a provider takes. */
export interface SchemaDialect {
  /** Keywords that are sent. Left out: all are. */
  readonly keywords?: ReadonlySet<string>;
  /** Values of `format` that are sent. Left out: all are. */
  readonly formats?: ReadonlySet<string>;
  /** References are replaced by what they refer to, `allOf` is merged, and several types become alternatives. */
  readonly isFlat?: boolean;
}

/**
 * What each provider makes of a schema, given what its SDK package does to it first. Only Google's package rewrites anything: it drops
 * most constraints in silence, takes `true` for a boolean, and throws on recursion and on mixed enumerations. Servers that speak the
 * OpenAI dialect turn schemas into grammars, and refuse keywords that have none.
 */
export const schemaDialects: Readonly<Record<'anthropic' | 'openai' | 'deepseek' | 'openai-compatible' | 'google', SchemaDialect>> = {
  anthropic: {},
  openai: {},
  deepseek: {},
  'openai-compatible': {
    keywords: new Set(
      'type title description default enum const properties required additionalProperties items prefixItems minItems maxItems minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum format anyOf oneOf allOf $ref $defs definitions'.split(
        ' ',
      ),
    ),
  },
  google: {
    keywords: new Set('type description enum const properties required items minLength format anyOf oneOf'.split(' ')),
    formats: new Set(['date-time']),
    isFlat: true,
  },
};

/**
 * The schema in a provider's dialect. It accepts every value that the original accepts, and maybe more: what a dialect cannot say is
 * told in the description, and our own validation against the original decides. Schemas that grow without end when references are
 * replaced are cut off at a size.
 */
export function lowerSchema(schema: Json, dialect: SchemaDialect): JsonObject {
  const lowering: Lowering = { dialect, root: asObject(schema), budget: { nodes: MAX_NODES } };
  const { $schema, $id, ...rest } = lower(schema, lowering, NO_REFERENCES);
  return rest;
}

/** The schema of a tool's arguments. These are an object, and no provider takes alternatives at the top of its schema. */
export function lowerParameters(schema: Json, dialect: SchemaDialect): JsonObject {
  const { $defs, definitions, ...object } = plainObject(asObject(schema), asObject(schema), { nodes: MAX_NODES });
  const shared = { ...(isObject($defs) ? { $defs } : {}), ...(isObject(definitions) ? { definitions } : {}) };
  return lowerSchema({ ...object, ...shared }, dialect);
}

/** Whether a schema is one that OpenAI can enforce to the letter: closed objects, every property required. */
export function isStrict(schema: Json): boolean {
  if (!isObject(schema)) return false;
  if (!Object.keys(schema).every((keyword) => STRICT.has(keyword))) return false;
  const properties = asObject(schema.properties ?? {});
  if (schema.type === 'object' || schema.properties !== undefined) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    if (schema.additionalProperties !== false || !Object.keys(properties).every((name) => required.has(name))) return false;
  }
  const inner = [...Object.values(properties), ...Object.values(asObject(schema.$defs ?? {})), ...listOf(schema.anyOf)];
  return [...inner, ...(schema.items === undefined ? [] : [schema.items])].every(isStrict);
}

const STRICT = new Set('type title description enum const properties required additionalProperties items anyOf $ref $defs'.split(' '));

/** More than any hand-written schema has, little enough to send, and no deeper than calls can nest. */
const MAX_NODES = 2000;
const MAX_DEPTH = 64;

interface Lowering {
  readonly dialect: SchemaDialect;
  readonly root: JsonObject;
  readonly budget: { nodes: number };
}

const NO_REFERENCES: ReadonlySet<string> = new Set();

function lower(schema: Json, lowering: Lowering, inside: ReadonlySet<string>): JsonObject {
  const { dialect, budget } = lowering;
  if (--budget.nodes < 0 || !isObject(schema)) return {};
  if (dialect.keywords === undefined) return schema;
  let node = schema;
  let stack = inside;
  if (dialect.isFlat === true) {
    const flat = flatten(schema, lowering, inside);
    node = splitTypes(flat.node);
    stack = flat.inside;
  }
  return withNotes(lowerKeywords(dropGroups(node, dialect.keywords), lowering, stack), schema, dialect);
}

/** Follows references and merges `allOf`, until neither is left. A reference to what it stands in says nothing more. */
function flatten(schema: JsonObject, lowering: Lowering, inside: ReadonlySet<string>): { node: JsonObject; inside: ReadonlySet<string> } {
  const { $ref, allOf, ...own } = schema;
  let node: JsonObject = own;
  let stack = inside;
  if (typeof $ref === 'string' && !inside.has($ref) && inside.size < MAX_DEPTH && lowering.budget.nodes-- > 0) {
    const target = flatten(asObject(resolvePointer(lowering.root, $ref)), lowering, new Set([...inside, $ref]));
    node = merge(node, target.node);
    stack = target.inside;
  }
  for (const part of listOf(allOf)) {
    if (lowering.budget.nodes-- <= 0) break;
    const flat = flatten(asObject(part), lowering, stack);
    node = merge(node, flat.node);
    stack = new Set([...stack, ...flat.inside]);
  }
  return { node, inside: stack };
}

/** One schema that accepts what both accept, and maybe more. Where both say something, the first one's word stays. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...without(second, CONDITIONAL), ...without(first, CONDITIONAL) };
  if (isObject(first.properties) && isObject(second.properties)) merged.properties = { ...second.properties, ...first.properties };
  const required = [...new Set([...listOf(first.required), ...listOf(second.required)])];
  if (required.length > 0) merged.required = required;
  if (first.patternProperties !== undefined || second.patternProperties !== undefined) delete merged.additionalProperties;
  return merged;
}

/** Keywords that change what another one says, so that half of a group must not be combined with half of another one. */
const CONDITIONAL = new Set('if then else contains minContains maxContains unevaluatedProperties unevaluatedItems'.split(' '));

/** A type beside others would have to say which of the keywords beside it are whose. */
function splitTypes(node: JsonObject): JsonObject {
  const types = Array.isArray(node.type) ? node.type : [];
  if (types.filter((type) => type !== 'null').length < 2) return node;
  const { type: _, anyOf, oneOf, ...rest } = node;
  const { description, ...constraints } = rest;
  if (anyOf !== undefined || oneOf !== undefined) return { ...(description === undefined ? {} : { description }), ...alternatives(node) };
  return { ...(description === undefined ? {} : { description }), anyOf: types.map((type) => ({ ...constraints, type })) };
}

function alternatives({ anyOf, oneOf }: JsonObject): JsonObject {
  return { anyOf: anyOf ?? oneOf ?? [] };
}

/** A keyword whose meaning depends on one that is not sent goes with it: alone it would refuse what the two together accept. */
function dropGroups(node: JsonObject, keywords: ReadonlySet<string>): JsonObject {
  const lost = (keyword: string) => node[keyword] !== undefined && !keywords.has(keyword);
  const gone = new Set<string>();
  if (lost('patternProperties')) gone.add('additionalProperties');
  if (lost('prefixItems')) gone.add('items');
  return gone.size === 0 ? node : without(node, gone);
}

function lowerKeywords(node: JsonObject, lowering: Lowering, inside: ReadonlySet<string>): JsonObject {
  const { keywords, formats, isFlat } = lowering.dialect;
  const result: Record<string, Json> = {};
  const below = (value: Json) => lower(value, lowering, inside);
  for (const [keyword, value] of Object.entries(node)) {
    if (keywords?.has(keyword) === false) continue;
    switch (keyword) {
      case 'properties':
      case '$defs':
      case 'definitions':
        result[keyword] = Object.fromEntries(Object.entries(asObject(value)).map(([name, property]) => [name, below(property)]));
        break;
      case 'items':
        if (!Array.isArray(value)) result.items = below(value);
        break;
      case 'additionalProperties':
        result.additionalProperties = typeof value === 'boolean' ? value : below(value);
        break;
      case 'anyOf':
      case 'allOf':
      case 'prefixItems':
        result[keyword] = listOf(value).map(below);
        break;
      case 'oneOf':
        // Alternatives that may overlap accept more than alternatives that must not. A node has one list of them.
        if (node.anyOf === undefined) result.anyOf = listOf(value).map(below);
        break;
      case 'const':
        if (isFlat !== true) result.const = value;
        else if (node.enum === undefined && isPlainEnum([value], node.type)) result.enum = [value];
        break;
      case 'enum':
        if (isFlat !== true || isPlainEnum(listOf(value), node.type)) result.enum = value;
        break;
      case 'format':
        if (formats?.has(String(value)) !== false) result.format = value;
        break;
      default:
        result[keyword] = value;
    }
  }
  if (isFlat === true && result.required !== undefined) {
    const known = listOf(result.required).filter((name) => Object.hasOwn(asObject(result.properties ?? {}), String(name)));
    if (known.length === 0) delete result.required;
    else result.required = known;
  }
  return result;
}

/** Values of one type that the schema's own type names. */
function isPlainEnum(values: readonly Json[], type: Json | undefined): boolean {
  const types: readonly Json[] = type === undefined ? ['string', 'number', 'boolean', 'null'] : Array.isArray(type) ? type : [type];
  const filled = values.filter((value) => value !== null);
  const [first] = filled;
  if (first === undefined || (filled.length < values.length && !types.includes('null'))) return false;
  if (!filled.every((value) => typeof value === typeof first)) return false;
  if (typeof first === 'number') return types.includes('number') || (types.includes('integer') && filled.every(Number.isInteger));
  return types.includes(typeof first);
}

/** Tells the model what the schema itself could not. */
function withNotes(lowered: JsonObject, original: JsonObject, { formats }: SchemaDialect): JsonObject {
  const notes: string[] = [];
  for (const keyword of TOLD) {
    const value = original[keyword];
    if (value === undefined || value === false || Object.hasOwn(lowered, keyword)) continue;
    if (keyword === 'const' && lowered.enum !== undefined) continue;
    if (keyword === 'format' && formats === undefined) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length <= 200) notes.push(`${keyword}: ${text}`);
  }
  if (notes.length === 0) return lowered;
  const { description } = lowered;
  return { ...lowered, description: `${typeof description === 'string' ? `${description} ` : ''}(${notes.join('; ')})` };
}

const TOLD =
  'pattern format enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties'.split(
    ' ',
  );

/** An object schema without alternatives at its top that accepts all that the schema accepts. */
function plainObject(schema: JsonObject, root: JsonObject, budget: Lowering['budget']): JsonObject {
  const { $ref, allOf, anyOf, oneOf, not: _not, enum: _enum, const: _const, ...own } = schema;
  if (--budget.nodes < 0) return { type: 'object' };
  const objectOf = (part: Json) => plainObject(asObject(part), root, budget);
  let node: JsonObject = own;
  if (typeof $ref === 'string') node = merge(node, objectOf(resolvePointer(root, $ref)));
  for (const part of listOf(allOf)) node = merge(node, objectOf(part));
  for (const list of [listOf(anyOf), listOf(oneOf)]) {
    if (list.length > 0) node = merge(node, anyOfObjects(list.map(objectOf)));
  }
  return { ...node, type: 'object' };
}

/** What all of the alternatives demand, and what any of them knows. */
function anyOfObjects(parts: readonly JsonObject[]): JsonObject {
  const properties = new Map<string, Json[]>();
  for (const part of parts) {
    for (const [name, property] of Object.entries(asObject(part.properties ?? {})))
      properties.set(name, [...(properties.get(name) ?? []), property]);
  }
  const knowsAll = (name: string) => parts.every((part) => Object.hasOwn(asObject(part.properties ?? {}), name));
  const required = parts.map((part) => listOf(part.required)).reduce((common, names) => common.filter((name) => names.includes(name)));
  return {
    properties: Object.fromEntries(
      // An alternative that does not know a property takes any value of it.
      [...properties].map(([name, found]) => [name, knowsAll(name) ? oneOrAny(found) : described(found)]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

function oneOrAny(schemas: readonly Json[]): Json {
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  return distinct.size === 1 ? [...distinct.values()][0]! : { anyOf: [...distinct.values()] };
}

function described([first]: readonly Json[]): Json {
  const { description } = asObject(first ?? {});
  return description === undefined ? {} : { description };
}

function resolvePointer(root: JsonObject, reference: string): Json {
  if (!reference.startsWith('#')) return {};
  let value: Json | undefined = root;
  for (const segment of reference.split('/').slice(1)) {
    const key = decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    value = (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
  }
  return value ?? {};
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function without(node: JsonObject, keywords: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => !keywords.has(keyword)));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
