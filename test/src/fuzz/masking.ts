import { mask } from '@relavium/engine';
import fc from 'fast-check';
import { checked } from './checked.js';
import type { FuzzRequest, FuzzResult } from './request.js';

/** Credentials put into plain text: none of them survives, every word around them does, and the time grows with the length alone. */
export async function fuzzMasking(request: FuzzRequest): Promise<FuzzResult> {
  const counts = { runs: 0, credentials: 0 };
  const property = fc.property(
    fc.array(words, { minLength: 1, maxLength: 4 }),
    fc.array(credential, { maxLength: 3 }),
    (texts, secrets) => {
      const pieces = texts.flatMap((text, at) => [text, ...(secrets[at] === undefined ? [] : [secrets[at].written])]);
      const masked = mask(pieces.join(' '));
      counts.runs++;
      counts.credentials += Math.min(secrets.length, texts.length);
      for (const secret of secrets.slice(0, texts.length)) if (masked.includes(secret.body)) throw new Error(`survives: ${secret.body}`);
      for (const word of texts.join(' ').split(' ')) if (!masked.includes(word)) throw new Error(`lost: ${word} in ${masked}`);
      if (mask(masked) !== masked) throw new Error('masking what is masked changes it');
    },
  );
  const result = await checked(request, property, counts);
  return result.ok ? linear(counts, request.seed) : result;
}

const words = fc
  .array(fc.constantFrom('the', 'build', 'took', 'seven', 'minutes', 'and', 'passed', 'on', 'every', 'branch', 'v1.2.3', 'src/app.ts'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((list) => list.join(' '));

interface Credential {
  readonly written: string;
  /** What must not be left. */
  readonly body: string;
}

const ALPHABET = 'SYNTHETICfakeSAMPLE0123456789abcdef';
/** Made of an alphabet that says what it is. */
const body = (length: number): fc.Arbitrary<string> =>
  fc.array(fc.nat(ALPHABET.length - 1), { minLength: length, maxLength: length }).map((at) => at.map((index) => ALPHABET[index]).join(''));

const credential: fc.Arbitrary<Credential> = fc.oneof(
  ...(
    [
      ['gh', 'p_', 36],
      ['sk', '-ant-api03-', 48],
      ['sk', '-proj-', 48],
      ['xox', 'b-', 40],
      ['Bear', 'er ', 40],
      ['pass', 'word=', 20],
      ['api_', 'key: ', 24],
    ] as const
  ).map(([start, end, length]) => body(length).map((secret) => ({ written: `${start}${end}${secret}`, body: secret }))),
  body(20).map((secret) => ({ written: `https://someone:${secret}@host.example/path`, body: secret })),
);

/** Ten times the text may take twenty times the time, noise included; a square would take a hundred. */
const MOST_GROWTH = 20;

function linear(counts: Readonly<Record<string, number>>, seed: number): FuzzResult {
  for (const [name, unit] of Object.entries(hostile)) {
    const small = timeOf(unit.repeat(Math.ceil(1_000_000 / unit.length)));
    const large = timeOf(unit.repeat(Math.ceil(10_000_000 / unit.length)));
    if (large > MOST_GROWTH * Math.max(small, 5)) {
      return { ok: false, counts, counterexample: `${name}: 1 MB takes ${small.toFixed(0)} ms, 10 MB take ${large.toFixed(0)} ms` };
    }
  }
  const shapes = fc.sample(shape, { numRuns: SHAPES, seed });
  for (const unit of shapes) {
    const small = timeOf(unit.repeat(Math.ceil(50_000 / unit.length)));
    const large = timeOf(unit.repeat(Math.ceil(500_000 / unit.length)));
    if (large > MOST_GROWTH * Math.max(small, 5)) {
      const counterexample = `${JSON.stringify(unit)}, repeated: 50 KB take ${small.toFixed(0)} ms, 500 KB take ${large.toFixed(0)} ms`;
      return { ok: false, counts, counterexample };
    }
  }
  return { ok: true, counts: { ...counts, shapes: Object.keys(hostile).length + shapes.length } };
}

const SHAPES = 150;

/** What recognisers look for, put together at random. */
const shape = fc
  .array(
    fc.constantFrom(
      ...[
        'token',
        'password',
        'Token',
        'Bearer',
        'eyJ',
        'sk-',
        'ghp_',
        'xoxb-',
        'AIza',
        '-----BEGIN',
        'PRIVATE KEY-----',
        'https://',
        'cookie',
      ],
      ...[
        '=',
        ':',
        '"',
        "'",
        '`',
        '--',
        '-',
        '.',
        '@',
        '/',
        '{',
        '[',
        '|',
        '>',
        '\\',
        ' ',
        '\t',
        '\n',
        '\n  ',
        'a',
        'A1',
        'abcdefgh12345678',
      ],
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));

/** Texts that begin what a recogniser looks for and never end it. */
const hostile: Readonly<Record<string, string>> = {
  prose: 'the build took seven minutes and passed on every branch ',
  labels: 'password= ',
  colons: '::::',
  schemes: 'Bearer Bearer ',
  addresses: 'https://a:b',
  dashes: '-----BEGIN ',
  token: 'sk-a',
  breaks: 'a\n\t',
};

function timeOf(text: string): number {
  const start = performance.now();
  mask(text);
  return performance.now() - start;
}
