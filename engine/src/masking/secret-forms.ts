/** Shorter values would hide ordinary words everywhere and are not worth guessing. */
const SHORTEST = 4;

/**
 * The texts by which a secret can be recognised where it was printed, logged or encoded: the value, each line of one with several lines,
 * each text inside one that is JSON, and each of these as base64 (wherever in the encoded bytes it began), percent-encoded, and escaped
 * as in JSON, once and twice.
 */
export function secretForms(value: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const plain of plainForms(value)) {
    forms.add(plain);
    for (const form of [...base64Forms(plain), ...percentForms(plain), ...escapedForms(plain)])
      if (form.length >= SHORTEST) forms.add(form);
  }
  return forms;
}

function plainForms(value: string): ReadonlySet<string> {
  const found = new Set([value, value.trim()]);
  for (const line of value.split(/\r\n|[\n\r]/u)) found.add(line).add(line.trim());
  for (const leaf of jsonLeaves(value)) found.add(leaf);
  return new Set([...found].filter((text) => text.length >= SHORTEST));
}

/** Texts and numbers of a value that is JSON; a bare text or number is found as it is. */
function jsonLeaves(value: string): readonly string[] {
  if (!/^\s*[[{]/u.test(value)) return [];
  let pending: unknown[];
  try {
    pending = [JSON.parse(value)];
  } catch {
    return [];
  }
  const leaves: string[] = [];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at === 'string' || typeof at === 'number') leaves.push(String(at));
    else if (typeof at === 'object' && at !== null) pending.push(...Object.values(at).filter((item) => item !== undefined));
  }
  return leaves;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The whole encoding, and for each place that the first byte can have in a group of three the characters that depend on the value alone:
 * what stands before or after it in the encoded text changes only the characters at its ends.
 */
function base64Forms(text: string): readonly string[] {
  const bytes = utf8Bytes(text);
  const whole = encodeBase64(bytes);
  const forms = [whole + '='.repeat((4 - (whole.length % 4)) % 4)];
  for (const before of [0, 1, 2]) {
    const encoded = encodeBase64([...new Array<number>(before).fill(0), ...bytes]);
    forms.push(encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)));
  }
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

function encodeBase64(bytes: readonly number[]): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const group = (bytes[index]! << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    const characters = Math.min(bytes.length - index, 3) + 1;
    for (let part = 0; part < characters; part++) text += BASE64[(group >> (18 - 6 * part)) & 63];
  }
  return text;
}

function percentForms(text: string): readonly string[] {
  const encoded = percentEncoded(text);
  // What JavaScript leaves as it is, others encode.
  const strict = encoded.replace(/[!'()*~]/gu, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  // RFC 3986 leaves the tilde.
  const standard = strict.replaceAll('%7E', '~');
  const spellings = [encoded, strict, standard];
  // A slash may be kept as part of a path, and a blank may be a plus.
  const forms = spellings.flatMap((form) => [form, form.replaceAll('%2F', '/')]).flatMap((form) => [form, form.replaceAll('%20', '+')]);
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/gu, (hex) => hex.toLowerCase()))];
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}

/** Of a text as a program may write it into JSON: our way, with slashes escaped, in ASCII only, without the characters of markup; and that as a text inside JSON. */
function escapedForms(text: string): readonly string[] {
  const once = JSON.stringify(text).slice(1, -1);
  const markup = once.replace(/[<>&]/gu, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  const ascii = [inAscii(once), inAscii(markup)];
  const capitals = ascii.map((form) => form.replace(/\\u[0-9a-f]{4}/gu, (unit) => `\\u${unit.slice(2).toUpperCase()}`));
  const forms = [once, once.replaceAll('/', '\\/'), markup, ...ascii, ...capitals];
  return [...forms, ...forms.map((form) => JSON.stringify(form).slice(1, -1))];
}

function inAscii(text: string): string {
  let result = '';
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    result += unit < 0x7f ? text[index]! : `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  return result;
}

function utf8Bytes(text: string): readonly number[] {
  const bytes: number[] = [];
  for (const part of percentEncoded(text).matchAll(/%([0-9A-F]{2})|[^%]/gu)) {
    bytes.push(part[1] === undefined ? part[0].charCodeAt(0) : Number.parseInt(part[1], 16));
  }
  return bytes;
}
