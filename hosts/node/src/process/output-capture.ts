/** What is kept of a stream whose length nobody knows. Bytes above the ceiling are left out of the middle. */
export interface OutputCapture {
  push(bytes: Uint8Array): void;
  finish(): CapturedOutput;
}

export interface CapturedOutput {
  readonly text: string;
  readonly truncated: boolean;
  /** Bytes that are no UTF-8 were replaced. */
  readonly invalidUtf8: boolean;
}

export function outputCapture(maxBytes: number): OutputCapture {
  const headSize = Math.ceil(maxBytes / 2);
  const tailSize = maxBytes - headSize;
  const head = growing();
  const tail = growing(tailSize);
  let total = 0;
  return {
    push(bytes) {
      total += bytes.length;
      const toHead = Math.min(headSize - head.length(), bytes.length);
      head.append(bytes.subarray(0, toHead));
      tail.append(bytes.subarray(toHead));
    },
    finish() {
      if (total <= maxBytes) return { ...decoded(Buffer.concat([head.bytes(), tail.bytes()])), truncated: false };
      const first = head.bytes();
      const last = tail.bytes();
      const kept = { first: first.subarray(0, wholeEnd(first)), last: last.subarray(wholeStart(last)) };
      const left = total - kept.first.length - kept.last.length;
      const before = decoded(kept.first);
      const after = decoded(kept.last);
      return {
        text: `${before.text}\n[${left} bytes left out here]\n${after.text}`,
        truncated: true,
        invalidUtf8: before.invalidUtf8 || after.invalidUtf8,
      };
    },
  };
}

interface Growing {
  append(bytes: Uint8Array): void;
  length(): number;
  bytes(): Buffer;
}

/** One buffer that doubles as needed. With `keep`, only that many of the last bytes count, and it never grows beyond twice of them. */
function growing(keep = Number.POSITIVE_INFINITY): Growing {
  let buffer = Buffer.alloc(0);
  let used = 0;
  const start = () => Math.max(used - keep, 0);
  return {
    append(bytes) {
      const added = bytes.length > keep ? bytes.subarray(bytes.length - keep) : bytes;
      if (used + added.length > buffer.length) {
        const kept = buffer.subarray(start(), used);
        const size = Math.max(kept.length + added.length, Math.min(Math.max(buffer.length * 2, 4_096), keep * 2));
        const larger = Buffer.allocUnsafe(size);
        kept.copy(larger);
        buffer = larger;
        used = kept.length;
      }
      buffer.set(added, used);
      used += added.length;
    },
    length: () => used,
    bytes: () => buffer.subarray(start(), used),
  };
}

function decoded(bytes: Uint8Array): { readonly text: string; readonly invalidUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), invalidUtf8: false };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), invalidUtf8: true };
  }
}

/** Where the last whole character ends. */
function wholeEnd(bytes: Uint8Array): number {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && lead > 0 && isContinuation(bytes[lead]!)) lead--;
  const byte = bytes[lead] ?? 0;
  const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead + width > bytes.length ? lead : bytes.length;
}

/** Where the first whole character begins. */
function wholeStart(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && start < bytes.length && isContinuation(bytes[start]!)) start++;
  return start;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
