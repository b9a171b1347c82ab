/**
 * `fetch` for servers that speak the OpenAI chat dialect. Some of them number all calls of an answer 0 and tell them apart by id alone;
 * the package that reads the stream goes by the number, and would glue the calls together. Each call is given a number of its own here.
 */
export function repairChatStream(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    if (!isStream || response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(renumbered(response.body), { status, statusText, headers });
  };
}

const LINE_FEED = 0x0a;
const SIGN = '"tool_calls"';

/** Passes whole lines on; only those that hold calls are looked into. A stream that is pulled costs half of what a pipe does. */
function renumbered(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const renumber = callNumbers();
  let kept: Buffer[] = [];
  const wholeLines = (chunk: Uint8Array): Buffer | undefined => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      kept.push(bytes);
      return undefined;
    }
    const lines = kept.length === 0 ? bytes.subarray(0, end) : Buffer.concat([...kept, bytes.subarray(0, end)]);
    kept = end < bytes.length ? [bytes.subarray(end)] : [];
    return lines.includes(SIGN) ? Buffer.from(lines.toString().split('\n').map(renumber).join('\n')) : lines;
  };
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          const lines = done ? Buffer.concat(kept) : wholeLines(value);
          if (lines !== undefined && lines.length > 0) controller.enqueue(lines);
          if (done) return controller.close();
          if (lines !== undefined) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
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
    if (!line.startsWith('data:') || !line.includes(SIGN)) return line;
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
