/** UTF-8 for code that may run where no platform encoder is. Half of a surrogate pair is written as three bytes, as QuickJS does. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) as number;
    if (code < 0x80) {
      bytes[length++] = code;
    } else if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6);
      bytes[length++] = 0x80 | (code & 0x3f);
    } else if (code < 0x10000) {
      bytes[length++] = 0xe0 | (code >> 12);
      bytes[length++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[length++] = 0x80 | (code & 0x3f);
    } else {
      bytes[length++] = 0xf0 | (code >> 18);
      bytes[length++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[length++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[length++] = 0x80 | (code & 0x3f);
      i++;
    }
  }
  return bytes.subarray(0, length);
}

/** Reads what `encodeUtf8` or QuickJS wrote; anything else gives some text, never an error. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = '';
  let units: number[] = [];
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] as number;
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = size === 1 ? first : first & (0xff >> (size + 1));
    for (let j = 1; j < size; j++) code = (code << 6) | ((bytes[i + j] ?? 0) & 0x3f);
    if (code < 0x10000) units.push(code);
    else units.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
    i += size;
    if (units.length > 8000) {
      text += String.fromCharCode(...units);
      units = [];
    }
  }
  return text + String.fromCharCode(...units);
}
