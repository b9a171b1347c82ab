import { describe, resolveRef } from './source-schemas.mjs';

/**
 * TypeScript declarations for stand-alone schemas. Definitions that several schemas share are declared once.
 * Off-the-shelf generators turn each reference that has a description of its own into a further type (Id, Id1, … Id15)
 * and know no readonly, so this small subset of JSON Schema is translated here.
 */
export function emitTypes(roots) {
  const declarations = new Map();
  for (const { name, schema } of roots) {
    declare(declarations, name, schema, schema);
    for (const [defName, def] of Object.entries(schema.$defs ?? {})) {
      if (isNamed(def)) declare(declarations, defName, def, schema);
    }
  }
  return [...declarations.values()].join('\n\n');
}

/** `Workflow file` → `WorkflowFile`, `read_file arguments` → `ReadFileArguments`. */
export function typeName(title) {
  return title.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function declare(declarations, name, schema, root) {
  const text = declaration(name, schema, root);
  const known = declarations.get(name);
  if (known !== undefined && known !== text) throw new Error(`two different definitions are called ${name}`);
  declarations.set(name, text);
}

function declaration(name, schema, root) {
  const comment = docComment(schema.description, '');
  if (schema.properties !== undefined && schema.oneOf === undefined && Object.keys(schema.properties).length > 0) {
    return `${comment}export interface ${name} {\n${members(schema, root)}\n}`;
  }
  return `${comment}export type ${name} = ${typeOf(schema, root)};`;
}

function members(schema, root) {
  const required = new Set(schema.required);
  return Object.entries(schema.properties)
    .filter(([, property]) => property !== false)
    .map(([key, property]) => {
      const mark = required.has(key) ? '' : '?';
      return `${docComment(describe(property, root), '  ')}  readonly ${propertyKey(key)}${mark}: ${typeOf(property, root)};`;
    })
    .join('\n');
}

/** Scalars, lists and maps are written out where they are used: a name for each of them would say less than the type. */
function isNamed(schema) {
  return (
    schema.properties !== undefined ||
    schema.oneOf !== undefined ||
    schema.enum !== undefined ||
    isChoice(schema) ||
    Array.isArray(schema.type)
  );
}

function isChoice(schema) {
  return (
    schema.if !== undefined && schema.properties === undefined && [schema.then, schema.else].some((branch) => branch?.$ref !== undefined)
  );
}

function typeOf(schema, root) {
  if (schema.$ref !== undefined) return refType(schema.$ref, root);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const union = schema.oneOf ?? (isConstraint(schema.anyOf) ? undefined : schema.anyOf);
  if (union !== undefined) return unionOf(union.map((branch) => typeOf(branch, root)));
  if (schema.type === 'object' && isChoice(schema)) return unionOf([schema.then, schema.else].map((branch) => typeOf(branch, root)));
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => typeOf(narrowed(schema, type, root), root)));
  return plainType(schema, root);
}

function refType(ref, root) {
  const target = resolveRef(root, ref);
  const parts = ref.split('/');
  return parts.length === 3 && isNamed(target) ? parts[2] : typeOf(target, root);
}

/** An anyOf whose branches only ask for keys narrows no type. */
function isConstraint(anyOf) {
  return anyOf?.every((branch) => Object.keys(branch).join() === 'required');
}

/** One of several types of a schema, with the then or else branch that is about it. */
function narrowed(schema, type, root) {
  const branches = [schema.then, schema.else].filter((branch) => branch !== undefined);
  const concrete = branches.map((branch) => (branch.$ref === undefined ? branch : { ...resolveRef(root, branch.$ref), $ref: branch.$ref }));
  const match = concrete.find((branch) => (branch.type ?? typeof branch.const) === type);
  if (match?.$ref !== undefined) return { $ref: match.$ref };
  return match ?? { type, items: schema.items };
}

function plainType(schema, root) {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${parenthesised(typeOf(schema.items ?? {}, root))}[]`;
    case 'object':
      return `Readonly<Record<string, ${valueType(schema, root)}>>`;
    default:
      return 'Json';
  }
}

/** Objects with keys of their own are definitions, which have names; what comes here is a map. */
function valueType({ properties, additionalProperties = true }, root) {
  if (Object.keys(properties ?? {}).length > 0) throw new Error('an object with properties must be a definition');
  if (additionalProperties === false) return 'never';
  return additionalProperties === true ? 'Json' : typeOf(additionalProperties, root);
}

function unionOf(types) {
  return [...new Set(types)].join(' | ');
}

function parenthesised(type) {
  return /[|\s]/.test(type) ? `(${type})` : type;
}

function literal(value) {
  return typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
}

function propertyKey(key) {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

function docComment(text, indent) {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}
