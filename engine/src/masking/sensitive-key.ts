/** Is this the name of something whose value is a credential? Judged by its last words, in any of the usual spellings. */
export function isSensitiveKey(name: string): boolean {
  // Nearly every name is told by its last letters.
  let end = name.length;
  while (end > 0 && !isWordCharacter(name.charCodeAt(end - 1))) end--;
  if (!mayEndSensitiveKey(name, end)) return false;
  const words = name
    .slice(-80)
    .replace(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
  const last = words.at(-1);
  if (last === undefined) return false;
  if (WORDS.has(last)) return true;
  return words.length > 1 && (PAIRS.has(`${words.at(-2)} ${last}`) || last === 'pass');
}

/** Shells keep the folder that they are in, and the one before, under names that elsewhere mean a password. */
export function isWorkingFolder(name: string, value: string): boolean {
  return (name === 'PWD' || name === 'OLDPWD') && value.startsWith('/');
}

/** Could a sensitive name end before this offset? Asked of every separator, so it looks at the last three letters and nothing else. */
export function mayEndSensitiveKey(text: string, end: number): boolean {
  const third = text.charCodeAt(end - 3) | LOWER;
  const second = text.charCodeAt(end - 2) | LOWER;
  const last = text.charCodeAt(end - 1) | LOWER;
  return ENDINGS.has((third << 16) | (second << 8) | last);
}

function isWordCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | LOWER) >= 0x61 && (code | LOWER) <= 0x7a);
}

/** Makes a capital of ASCII small. */
const LOWER = 0x20;

const WORDS: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pgpassword',
  'sshpass',
  'pwd',
  'secret',
  'token',
  'apikey',
  'accesskey',
  'secretkey',
  'privatekey',
  'authtoken',
  'accesstoken',
  'clientsecret',
  'authorization',
  'credential',
  'credentials',
  'cookie',
]);

const PAIRS: ReadonlySet<string> = new Set([
  'api key',
  'access key',
  'secret key',
  'private key',
  'signing key',
  'encryption key',
  'master key',
  'account key',
  'auth key',
  'service key',
  'storage key',
  'license key',
  'subscription key',
  'amz signature',
  'goog signature',
]);

const ENDINGS: ReadonlySet<number> = new Set(
  [...WORDS, ...PAIRS, 'pass'].map((name) => {
    const [third, second, last] = [...name.slice(-3)].map((letter) => letter.charCodeAt(0));
    return (third! << 16) | (second! << 8) | last!;
  }),
);
