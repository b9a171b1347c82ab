import type { Json } from '../json.js';
import type { Path } from '../parse/yaml-document.js';

/** A JSON Schema object of one of our published documents. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/**
 * The part of a schema that governs the value at a path: references followed, and of several alternatives the one that the value
 * chose. Only for words in messages; the judgement itself is the validator's.
 */
export function schemaAt(document: SchemaNode, root: Json, path: Path): SchemaNode | undefined {
  let schema: SchemaNode | undefined = resolve(document, document, root);
  let value: Json | undefined = root;
  for (const step of path) {
    if (schema === undefined) return undefined;
    const next: unknown = typeof step === 'number' ? schema.items : (record(schema.properties)[step] ?? schema.additionalProperties);
    value = valueAt(value, step);
    schema = isRecord(next) ? resolve(document, next, value) : undefined;
  }
  return schema;
}

/** Keys that the object may have, as far as the schema lists them. */
export function knownKeys(schema: SchemaNode | undefined): readonly string[] {
  return Object.keys(record(schema?.properties));
}

/** What the rule behind a reference says about itself; beside a reference a description speaks about the place. */
const RULE = 'x-rule';

/** In words, what a value of this schema looks like. */
export function ruleWords(schema: SchemaNode | undefined): string | undefined {
  const words = schema?.[RULE] ?? schema?.description;
  return typeof words === 'string' ? words : undefined;
}

function resolve(document: SchemaNode, schema: SchemaNode, value: Json | undefined): SchemaNode {
  const target = typeof schema.$ref === 'string' ? pointed(document, schema.$ref) : undefined;
  if (target !== undefined) {
    const { $ref: _, ...own } = schema;
    const resolved = resolve(document, target, value);
    return { ...resolved, ...own, [RULE]: resolved[RULE] ?? resolved.description };
  }
  const chosen = discriminated(document, schema, value) ?? conditional(schema, value);
  return chosen === undefined ? schema : resolve(document, chosen, value);
}

function discriminated(document: SchemaNode, schema: SchemaNode, value: Json | undefined): SchemaNode | undefined {
  const name = record(schema.discriminator).propertyName;
  if (typeof name !== 'string' || !Array.isArray(schema.oneOf)) return undefined;
  const tag = valueAt(value, name);
  return (schema.oneOf as readonly SchemaNode[])
    .map((option) => (typeof option.$ref === 'string' ? (pointed(document, option.$ref) ?? option) : option))
    .find((option) => {
      const property = record(record(option.properties)[name]);
      return property.const === tag || (Array.isArray(property.enum) && property.enum.includes(tag));
    });
}

function conditional(schema: SchemaNode, value: Json | undefined): SchemaNode | undefined {
  const test = schema.if;
  if (!isRecord(test) || knownKeys(schema).length > 0) return undefined;
  const required = test.required;
  const holds = Array.isArray(required)
    ? required.every((key) => valueAt(value, String(key)) !== undefined)
    : test.type === (isRecord(value) ? 'object' : typeof value);
  const branch = holds ? schema.then : schema.else;
  return isRecord(branch) ? branch : undefined;
}

function pointed(document: SchemaNode, reference: string): SchemaNode | undefined {
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  const target = name === undefined ? undefined : record(document.$defs)[name];
  return isRecord(target) ? target : undefined;
}

function valueAt(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, step) ? (value as Record<string | number, Json>)[step] : undefined;
}

function record(value: unknown): SchemaNode {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
