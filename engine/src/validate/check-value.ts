import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Json } from '../json.js';
import { clip } from '../masking/clip.js';
import { showControls } from '../masking/show-controls.js';

type Check = ValidateFunction<unknown>;
const checks = new WeakMap<object, Promise<Check>>();

/**
 * What is wrong with a value under an author's JSON Schema (2020-12), one sentence a problem; none: it is valid. The schema was judged
 * when the workflow was compiled (well formed, no remote reference, bounded work). The validator is loaded on first use, and its
 * patterns run in a linear-time engine.
 */
export async function checkValue(schema: Json, value: Json): Promise<readonly string[]> {
  if (typeof schema !== 'object' || schema === null) return schema === false ? ['no value is allowed'] : [];
  let check = checks.get(schema);
  if (check === undefined) {
    check = compileCheck(schema);
    checks.set(schema, check);
  }
  const validate = await check;
  return validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(sentence);
}

const MAX_PROBLEMS = 20;

async function compileCheck(schema: object): Promise<Check> {
  // These are CommonJS modules: `default` is what they export, bundled or not.
  const [ajvModule, formatsModule, { linearPattern }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats/dist/formats.js'),
    import('./linear-pattern.js'),
  ]);
  const regExp = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' });
  const ajv = new ajvModule.default.Ajv2020({
    allErrors: true,
    strict: false,
    formats: formatsModule.default.fullFormats,
    code: { regExp },
  });
  return ajv.compile(schema);
}

/** Names of properties come from whoever made the value, and may be anything: one line, and not long. */
function sentence({ instancePath, message, params }: ErrorObject): string {
  const extra = 'additionalProperty' in params ? ` ${JSON.stringify(clip(String(params.additionalProperty), 100))}` : '';
  const place = instancePath === '' ? 'the value' : clip(showControls(instancePath, 'log_line'), 200);
  return `${place} ${message ?? 'is not valid'}${extra}`;
}
