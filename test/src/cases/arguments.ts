import { parseArgs } from 'node:util';

export interface CasesRequest {
  /** `conformance` or `security/<area>`; empty: all that the corpus has. */
  readonly areas: readonly string[];
  /** Leaves out expectations that are not firm. */
  readonly firmOnly: boolean;
  readonly host: 'node' | 'memory';
  /** Every one must hold: a key of the case, its context or its input, and the text of its value. */
  readonly only: readonly (readonly [key: string, value: string])[];
}

/** Throws a `UsageError` for what it does not understand. */
export function readArguments(argv: readonly string[]): CasesRequest {
  const { values, positionals } = parse(argv);
  const host = values.host ?? 'memory';
  if (host !== 'node' && host !== 'memory') throw new UsageError(`--host is node or memory, not ${host}`);
  return { areas: positionals, firmOnly: values.firm ?? false, host, only: (values.only ?? []).map(readFilter) };
}

export class UsageError extends Error {}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { firm: { type: 'boolean' }, host: { type: 'string' }, only: { type: 'string', multiple: true } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readFilter(text: string): readonly [string, string] {
  const cut = text.indexOf('=');
  if (cut < 1) throw new UsageError(`--only takes key=value, not ${text}`);
  return [text.slice(0, cut), text.slice(cut + 1)];
}
