import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import dependentSchemas from 'ajv/dist/vocabularies/applicator/dependentSchemas.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import { mapSubschemas } from './source-schemas.mjs';

const metaSchemaId = 'https://json-schema.org/draft/2020-12/schema';
const options = {
  allErrors: true,
  discriminator: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  inlineRefs: 2,
  // Lengths in UTF-16 units cost nothing to ask for; both they and characters are at most the bytes that limits are about.
  unicode: false,
  logger: false,
  code: { source: true, esm: true },
};

/** Source of a module whose constant `validators` has a compiled validator for each key of the map of schemas. */
export async function emitValidators(schemas) {
  // The class for 2020-12 adds bookkeeping for unevaluatedProperties to each function: our schemas do not use it.
  const ajv = new Ajv(options);
  ajv.addKeyword(dependentSchemas.default);
  for (const schema of schemas.values()) ajv.addSchema(withoutAnnotations(schema));
  return moduleSource(ajv, Object.fromEntries([...schemas].map(([key, schema]) => [key, schema.$id])));
}

/** The same for the schema of schemas: it tells whether a JSON Schema that an author wrote is well formed. */
export async function emitMetaValidators() {
  // As built-in meta-schemas they would be compiled without formats, and a malformed pattern would pass.
  const ajv = new Ajv2020({ ...options, meta: false, validateSchema: false, strict: false });
  addFormats.default(ajv, ['regex', 'uri', 'uri-reference']);
  for (const schema of metaSchemas()) ajv.addSchema(schema);
  return moduleSource(ajv, { jsonSchema: metaSchemaId });
}

function metaSchemas() {
  const folder = new URL('./refs/json-schema-2020-12/', import.meta.resolve('ajv'));
  const vocabularies = readdirSync(new URL('meta/', folder)).map((name) => `meta/${name}`);
  return ['schema.json', ...vocabularies.sort()].map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
}

/** Titles and the like would only be carried along in the generated code. */
function withoutAnnotations(schema) {
  return mapSubschemas(schema, ({ $schema, title, description, examples, default: _, configOnly, ...rules }) => rules);
}

async function moduleSource(ajv, idByKey) {
  const code = await bundle(linearErrors(standalone.default(ajv, idByKey)));
  const entries = Object.keys(idByKey).map((key) => `  ${key}: ${code.names.get(key)},`);
  return `${code.body}\nexport const validators: Readonly<Record<${Object.keys(idByKey)
    .map((key) => `'${key}'`)
    .join(' | ')}, CompiledValidator>> = {\n${entries.join('\n')}\n};\n`;
}

/**
 * The generated functions join their errors with those of the functions they call by copying both lists:
 * a document with many mistakes would take time by the square of their number.
 */
function linearErrors(source) {
  const joined = source.replace(/vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\)/g, 'append(vErrors, $1.errors)');
  if (joined.includes('.concat(')) throw new Error('the generated code joins errors in a way that is not known here');
  return `${joined}\nfunction append(all, more) { if (all === null) return more; for (const error of more) all.push(error); return all; }\n`;
}

/** The ESM output of ajv still calls require() for its run-time helpers; bundling puts those few functions in place. */
async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2023',
    charset: 'utf8',
    minify: true,
    lineLimit: 200,
    legalComments: 'none',
  });
  const text = outputFiles[0].text;
  const at = text.lastIndexOf('export{');
  const names = new Map(
    [...text.slice(at + 'export{'.length).matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?\s*[,}]/g)].map(([, local, exported]) => [
      exported ?? local,
      local,
    ]),
  );
  return { body: text.slice(0, at).trimEnd(), names };
}
