import type { Json } from '@relavium/engine';
import type { Input } from '@relavium/schemas';
import { parseJson } from './parse-json.js';

export type Converted = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string };

/** Text from a command line as a value of the declared type. */
export function textToValue(text: string, type: Input['type']): Converted {
  switch (type) {
    case 'number':
      return toNumber(text);
    case 'boolean':
      if (text === 'true' || text === 'false') return { ok: true, value: text === 'true' };
      return { ok: false, message: `must be true or false, not "${text}"` };
    case 'json': {
      const parsed = parseJson(text, 'the value');
      return parsed.ok ? parsed : { ok: false, message: `takes JSON: ${parsed.problem.message}` };
    }
    case 'string':
    case 'file_path':
    case 'code_diff':
    case 'secret':
      return { ok: true, value: text };
    default:
      return type satisfies never;
  }
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function toNumber(text: string): Converted {
  const value = Number(text);
  if (!decimal.test(text) || !Number.isFinite(value)) return { ok: false, message: `must be a number, not "${text}"` };
  if (/^[+-]?\d+$/.test(text) && !Number.isSafeInteger(value))
    return { ok: false, message: `is the integer ${text}, which a number cannot hold exactly` };
  return { ok: true, value };
}
