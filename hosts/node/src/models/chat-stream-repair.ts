import type { LineRepair } from './repaired-lines.js';

/**
 * For servers that speak the OpenAI chat dialect. Some of them number all calls of an answer 0 and tell them apart by id alone;
 * the package that reads the stream goes by the number, and would glue the calls together. Each call is given a number of its own here.
 * Some keep the connection open behind their last word, or go on talking: what follows it is nobody's. Counts of tokens that are no
 * numbers are left out, so that they do not cost the whole answer.
 */
export function chatRepair(): LineRepair {
  const renumber = callNumbers();
  return {
    signs: [CALLS, USAGE, END],
    repair: (line) => withCounts(renumber(line)),
    isEnd: (line) => /^data:\s*\[DONE\]/u.test(line),
  };
}

const CALLS = '"tool_calls"';
const USAGE = '"usage"';
const END = '[DONE]';

function withCounts(line: string): string {
  if (!line.startsWith('data:') || !line.includes(USAGE)) return line;
  try {
    const event = JSON.parse(line.slice('data:'.length)) as { usage?: unknown };
    const { usage } = event;
    if (typeof usage !== 'object' || usage === null) return line;
    const { prompt_tokens: input, completion_tokens: output } = usage as {
      readonly prompt_tokens?: unknown;
      readonly completion_tokens?: unknown;
    };
    if (typeof input === 'number' && typeof output === 'number') return line;
    delete event.usage;
    return `data: ${JSON.stringify(event)}`;
  } catch {
    return line;
  }
}

interface CallDelta {
  index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null };
}

function callNumbers(): (line: string) => string {
  /** Number on the wire → the calls that came under it, by id, and the one that comes now. */
  const calls = new Map<number, { readonly numbers: Map<string, number>; current: number }>();
  let next = 0;

  const numberOf = ({ index, id, function: called }: CallDelta & { readonly index: number }): number => {
    const known = calls.get(index);
    if (known === undefined) {
      const number = Math.max(next, index);
      next = number + 1;
      calls.set(index, { numbers: new Map(id ? [[id, number]] : []), current: number });
      return number;
    }
    if (!id) return known.current;
    const own = known.numbers.get(id);
    // An id that comes late, or a new one in every piece, belongs to the call at hand: a new call also says what it calls.
    const isNew = own === undefined && known.numbers.size > 0 && Boolean(called?.name);
    known.current = own ?? (isNew ? next++ : known.current);
    known.numbers.set(id, known.current);
    return known.current;
  };

  return (line) => {
    if (!line.startsWith('data:') || !line.includes(CALLS)) return line;
    let event: { readonly choices?: readonly { readonly delta?: { readonly tool_calls?: readonly CallDelta[] | null } }[] };
    try {
      event = JSON.parse(line.slice('data:'.length));
    } catch {
      return line;
    }
    let isChanged = false;
    for (const call of event.choices?.[0]?.delta?.tool_calls ?? []) {
      if (typeof call?.index !== 'number') continue;
      const number = numberOf(call as CallDelta & { index: number });
      isChanged ||= number !== call.index;
      call.index = number;
    }
    return isChanged ? `data: ${JSON.stringify(event)}` : line;
  };
}
