import { Ajv2020 } from 'ajv/dist/2020.js';
import { mapSubschemas } from './source-schemas.mjs';

/** What is wrong with the examples and defaults that a schema gives for its parts, a line each. */
export function exampleFailures(root) {
  const ajv = new Ajv2020({
    allErrors: true,
    discriminator: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    logger: false,
  });
  ajv.addKeyword('configOnly');
  ajv.addSchema(root);
  const failures = [];
  mapSubschemas(root, (schema, pointer) => {
    const values = [...(schema.examples ?? []), ...('default' in schema ? [schema.default] : [])];
    if (values.length === 0) return schema;
    const validate = ajv.compile({ $ref: `${root.$id}#${pointer}` });
    for (const value of values) {
      if (!validate(value)) failures.push(`${root.$id}#${pointer}: ${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`);
    }
    return schema;
  });
  return failures;
}
