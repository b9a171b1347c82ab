import { checkValue, type Diagnostic, type Json, parseYaml, schemaReport, sourceFromBytes } from '@relavium/engine';
import { type Case, failed, type Judge, show, type Verdict, verdict } from '../case.js';
import { generate } from '../generator.js';
import { sameJson } from '../same-json.js';

/** YAML as `compile` reads it: bytes to text, text to plain data. */
export const judge: Judge = async (testCase) => {
  const input = testCase.input === 'generator' ? generate(testCase.context.generator) : testCase.input;
  const reading = read(input as string | Uint8Array);
  return testCase.context.use === 'json_schema' ? judgeSchema(testCase, reading) : meets(testCase.expect as Expected, reading);
};

type Reading = { readonly value?: unknown; readonly problems: readonly Diagnostic[] };

type Expected = {
  readonly value?: unknown;
  readonly error?: string;
  readonly no_crash?: true;
  readonly no_pollution?: string;
  readonly plain_or_error?: true;
  readonly one_of?: readonly Expected[];
  readonly valid?: boolean;
};

function read(input: string | Uint8Array): Reading {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const source = sourceFromBytes('case.yaml', bytes, decodeUtf8);
  if ('diagnostic' in source) return { problems: [source.diagnostic] };
  const { document, diagnostics } = parseYaml(source.source);
  const problems = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  return document === undefined ? { problems } : { value: document.value, problems };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function meets(expected: Expected, reading: Reading): Verdict {
  const { problems, value } = reading;
  const isRefused = problems.length > 0;
  const found = isRefused ? `refused: ${problems.map((problem) => problem.code).join(', ')}` : show(value);
  if (expected.one_of !== undefined) {
    const any = expected.one_of.some((each) => meets(each, reading).outcome === 'passed');
    return verdict(any, show(expected), found);
  }
  if ('value' in expected) return verdict(!isRefused && sameJson(value, expected.value), show(expected.value), found);
  if (expected.error !== undefined) return verdict(isRefused, `an error such as ${expected.error}`, found);
  if (expected.no_pollution !== undefined)
    return verdict(!(expected.no_pollution in {}), `no property ${expected.no_pollution} on plain objects`, found);
  if (expected.plain_or_error) return verdict(isRefused || isPlain(value), 'plain data or an error', found);
  if (expected.no_crash) return verdict(isRefused || value !== undefined, 'any answer', found);
  return failed(show(expected), 'an expectation that this harness does not know');
}

/** An author's schema as the product takes it: judged when the workflow is compiled, used on values only if it was found good. */
async function judgeSchema(testCase: Case, reading: Reading): Promise<Verdict> {
  const expected = testCase.expect as Expected;
  if (reading.problems.length > 0) return meets(expected, reading);
  const { schema, instance } = reading.value as { readonly schema: Json; readonly instance: Json };
  const { problems } = schemaReport(schema);
  const refusals = problems.length > 0 ? problems.map(({ what }) => what) : await checkValue(schema, instance);
  if (expected.valid !== undefined) return verdict((refusals.length === 0) === expected.valid, show(expected), refusals);
  if (expected.error !== undefined) return verdict(refusals.length > 0, show(expected), refusals);
  // `no_fetch`, `no_hang` and `no_crash` ask for any answer: the validator has no port through which it could fetch or read.
  return verdict(true, show(expected), refusals);
}

function isPlain(value: unknown): boolean {
  if (value === null || ['boolean', 'number', 'string'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}
