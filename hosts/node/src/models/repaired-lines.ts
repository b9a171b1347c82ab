/** What to do about one line of a stream: pass it on, changed or not, or end the stream behind it. */
export interface LineRepair {
  /** A sign without which no line is looked into: texts of which one stands in every line that may have to be changed. */
  readonly signs: readonly string[];
  repair(line: string): string;
  /** Is this the last line, whatever the server sends behind it? */
  isEnd(line: string): boolean;
}

/** `fetch` whose event streams are repaired line by line. */
export function repairedLines(fetch: typeof globalThis.fetch, newRepair: () => LineRepair): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    if (!isStream || response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(repaired(response.body, newRepair()), { status, statusText, headers });
  };
}

const LINE_FEED = 0x0a;

/** Passes whole lines on; only those with a sign are looked into. A stream that is pulled costs half of what a pipe does. */
function repaired(body: ReadableStream<Uint8Array>, { signs, repair, isEnd }: LineRepair): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let kept: Buffer[] = [];
  let isOver = false;

  const changed = (lines: Buffer): Buffer => {
    if (!signs.some((sign) => lines.includes(sign))) return lines;
    const written = lines.toString().split('\n');
    const end = written.findIndex(isEnd);
    isOver = end >= 0;
    return Buffer.from(`${(isOver ? written.slice(0, end + 1) : written).map(repair).join('\n')}${isOver ? '\n\n' : ''}`);
  };
  const wholeLines = (chunk: Uint8Array): Buffer | undefined => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      kept.push(bytes);
      return undefined;
    }
    const lines = kept.length === 0 ? bytes.subarray(0, end) : Buffer.concat([...kept, bytes.subarray(0, end)]);
    kept = end < bytes.length ? [bytes.subarray(end)] : [];
    return changed(lines);
  };
  /** The last event may lack the blank line behind it; half an event stays what it is. */
  const rest = (): Buffer => {
    const line = Buffer.concat(kept).toString();
    return isWhole(line) ? changed(Buffer.from(`${line}\n\n`)) : Buffer.from(kept.length === 0 ? '\n\n' : line);
  };
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          const lines = done ? rest() : wholeLines(value);
          if (lines !== undefined && lines.length > 0) controller.enqueue(lines);
          if (isOver) void reader.cancel().catch(() => undefined);
          if (done || isOver) return controller.close();
          if (lines !== undefined) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function isWhole(line: string): boolean {
  const data = /^data:\s*(.+?)\s*$/su.exec(line)?.[1];
  if (data === undefined) return false;
  if (data === '[DONE]') return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}
