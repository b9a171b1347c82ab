/** What to do about one line of a stream: pass it on, changed or not, or end the stream behind it. */
export interface LineRepair {
  /** A sign without which no line is looked into: texts of which one stands in every line that may have to be changed. */
  readonly signs: readonly string[];
  repair(line: string): string;
  /** Is this the last line, whatever the server sends behind it? */
  isEnd(line: string): boolean;
}

/** Passes whole lines of an event stream on; only those with a sign are looked into. */
export interface RepairedLines {
  /** What can be passed on of all that has come; `undefined`: no line is whole yet. */
  take(chunk: Uint8Array): Uint8Array | undefined;
  /** What is left at the end of the stream. */
  rest(): Uint8Array;
  /** Whether the last line has been passed on. */
  isOver(): boolean;
}

const LINE_FEED = 0x0a;

export function repairLines({ signs, repair, isEnd }: LineRepair): RepairedLines {
  let kept: Buffer[] = [];
  let isOver = false;

  const changed = (lines: Buffer): Buffer => {
    if (!signs.some((sign) => lines.includes(sign))) return lines;
    const written = lines.toString().split('\n');
    const end = written.findIndex(isEnd);
    isOver = end >= 0;
    return Buffer.from(`${(isOver ? written.slice(0, end + 1) : written).map(repair).join('\n')}${isOver ? '\n\n' : ''}`);
  };
  return {
    take(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const end = bytes.lastIndexOf(LINE_FEED) + 1;
      if (end === 0) {
        kept.push(bytes);
        return undefined;
      }
      const lines = kept.length === 0 ? bytes.subarray(0, end) : Buffer.concat([...kept, bytes.subarray(0, end)]);
      kept = end < bytes.length ? [bytes.subarray(end)] : [];
      return changed(lines);
    },
    // The last event may lack the blank line behind it; half an event stays what it is.
    rest() {
      const line = Buffer.concat(kept).toString();
      return isWhole(line) ? changed(Buffer.from(`${line}\n\n`)) : Buffer.from(kept.length === 0 ? '\n\n' : line);
    },
    isOver: () => isOver,
  };
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
