import type { Json, JsonObject } from '../json.js';
import { utf8Length } from '../text/utf8-length.js';
import type { ToolDef } from './tool-def.js';
import { type Objection, toolError } from './tool-error.js';

/** A limit on one argument. All sizes are UTF-8 bytes and inclusive. */
export type ByteBound =
  | { readonly kind: 'text'; readonly argument: string; readonly maxBytes: number }
  /** Text, or a value that is sent as JSON. */
  | { readonly kind: 'text_or_json'; readonly argument: string; readonly maxBytes: number }
  | {
      readonly kind: 'list';
      readonly argument: string;
      readonly maxEntries: number;
      readonly maxEntryBytes: number;
      readonly maxTotalBytes: number;
    };

/** Judges sizes only; what is no text or list at all is for the validator. Nothing is scanned that its length alone refuses or admits. */
export function checkBounds(tool: ToolDef, args: JsonObject): Objection {
  for (const bound of tool.bounds ?? []) {
    const value = args[bound.argument];
    const excess = excessOf(value, bound);
    if (excess !== undefined) {
      return toolError('invalid_args', tool.id, `${bound.argument} ${excess}`, { reason: 'too_large', field: bound.argument });
    }
  }
  return undefined;
}

function excessOf(value: Json | undefined, bound: ByteBound): string | undefined {
  if (bound.kind === 'list') return listExcess(value, bound);
  const isSentAsJson = bound.kind === 'text_or_json' && typeof value === 'object';
  return textExcess(isSentAsJson ? JSON.stringify(value) : value, bound.maxBytes);
}

function textExcess(value: Json | undefined, maxBytes: number): string | undefined {
  return typeof value === 'string' && exceeds(value, maxBytes) ? `is larger than ${maxBytes} bytes of UTF-8` : undefined;
}

function listExcess(value: Json | undefined, bound: Extract<ByteBound, { kind: 'list' }>): string | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.length > bound.maxEntries) return `has more than ${bound.maxEntries} entries`;
  const entries = value.filter((entry) => typeof entry === 'string');
  const tooMuch = `is larger than ${bound.maxTotalBytes} bytes of UTF-8 in all`;
  // A text has at least as many bytes as UTF-16 units, so the sum of lengths can refuse before any entry is scanned.
  if (entries.reduce((sum, entry) => sum + entry.length, 0) > bound.maxTotalBytes) return tooMuch;
  if (entries.some((entry) => exceeds(entry, bound.maxEntryBytes))) return `has an entry larger than ${bound.maxEntryBytes} bytes of UTF-8`;
  if (entries.reduce((sum, entry) => sum + utf8Length(entry), 0) > bound.maxTotalBytes) return tooMuch;
  return undefined;
}

/** A UTF-16 unit takes one to three bytes. */
function exceeds(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  if (text.length * 3 <= maxBytes) return false;
  return utf8Length(text) > maxBytes;
}
