import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const sourceFolder = fileURLToPath(new URL('../src/', import.meta.url));
const commonName = 'common.schema.json';

/** The file kinds that have a schema of their own, in the order in which they are documented. */
export const fileKinds = ['workflow', 'agent', 'config', 'event', 'script'];

/** A file's schema with the shared definitions that it uses copied in, so that it needs no other document. */
export function loadFileSchema(kind) {
  return standAlone(readSchema(`${kind}.schema.json`), readSchema(commonName));
}

/** Tool id → schema of its arguments, for each file of `src/tools/`. */
export function loadToolSchemas() {
  const names = readdirSync(`${sourceFolder}tools`).filter((name) => name.endsWith('.schema.json'));
  const common = readSchema(commonName);
  return new Map(names.sort().map((name) => [name.replace('.schema.json', ''), standAlone(readSchema(`tools/${name}`), common)]));
}

function readSchema(name) {
  return JSON.parse(readFileSync(sourceFolder + name, 'utf8'));
}

const schemaMaps = new Set(['properties', '$defs', 'dependentSchemas']);
const schemaLists = new Set(['oneOf', 'anyOf', 'allOf']);
const schemaSlots = new Set(['items', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not']);

/**
 * A copy of `schema` in which `change` has replaced each sub-schema, innermost first; it is also told the JSON Pointer of the sub-schema.
 * Values such as examples are no schemas.
 */
export function mapSubschemas(schema, change) {
  const visit = (sub, pointer) => {
    if (sub === null || typeof sub !== 'object') return sub;
    const entries = Object.entries(sub).map(([key, value]) => {
      const at = `${pointer}/${key}`;
      if (schemaMaps.has(key))
        return [key, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item, `${at}/${name}`)]))];
      if (schemaLists.has(key)) return [key, value.map((item, index) => visit(item, `${at}/${index}`))];
      return [key, schemaSlots.has(key) ? visit(value, at) : value];
    });
    return change(Object.fromEntries(entries), pointer);
  };
  return visit(schema, '');
}

function standAlone(schema, common) {
  const missing = [];
  const localise = (sub, shared) => {
    if (sub.$ref === undefined) return sub;
    const pointer = sub.$ref.slice(sub.$ref.indexOf('#'));
    if (shared || !sub.$ref.startsWith('#')) missing.push(pointer.split('/')[2]);
    return { ...sub, $ref: pointer };
  };
  const own = mapSubschemas(schema, (sub) => localise(sub, false));
  const defs = { ...own.$defs };
  for (let name = missing.pop(); name !== undefined; name = missing.pop()) {
    if (schema.$defs?.[name] !== undefined) throw new Error(`${schema.$id} defines ${name}, which is the name of a shared definition`);
    if (common.$defs[name] === undefined) throw new Error(`${schema.$id} refers to ${name}, which is not defined`);
    defs[name] ??= mapSubschemas(common.$defs[name], (sub) => localise(sub, true));
  }
  return Object.keys(defs).length === 0 ? own : { ...own, $defs: defs };
}

/** What a reference of a stand-alone schema points to. */
export function resolveRef(root, ref) {
  const target = ref
    .split('/')
    .slice(1)
    .reduce((value, key) => value?.[key], root);
  if (target === undefined) throw new Error(`${root.$id} has nothing at ${ref}`);
  return target;
}

/** The description of a schema, else that of what it refers to. */
export function describe(schema, root) {
  if (schema.description !== undefined || schema.$ref === undefined) return schema.description;
  return describe(resolveRef(root, schema.$ref), root);
}
