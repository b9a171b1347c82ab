import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownSecrets } from '../../../../engine/src/masking/known-secrets.js';
import { needleSearch } from '../../../../engine/src/masking/needle-search.js';

const knowing = (...values: readonly string[]) => {
  const secrets = knownSecrets();
  for (const value of values) secrets.add(value);
  return secrets;
};
const streamed = (secrets: ReturnType<typeof knownSecrets>, pieces: readonly string[]): string => {
  const passed: string[] = [];
  const stream = secrets.stream((text) => passed.push(text));
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return passed.join('');
};

describe('a secret that the run has read', () => {
  it('is replaced in a text, though it looks like no credential', () => {
    expect(knowing('hunter22').redact('the word is hunter22, hunter2 is not')).toBe('the word is [masked], hunter2 is not');
  });

  it('is replaced line by line where it has several lines, but for lines of less than 4 characters', () => {
    const secrets = knowing('{\n"token": "PRIVATE-abc-123"\n}\n');
    expect(secrets.redact('says "token": "PRIVATE-abc-123"')).toBe('says [masked]');
    expect(secrets.redact('{}')).toBe('{}');
    expect(secrets.redact('got PRIVATE-abc-123')).toBe('got [masked]');
  });

  it('is replaced where one of its texts or numbers as JSON turns up', () => {
    const secrets = knowing('{"user": {"key": "left-and-right", "pin": 87654321}, "ok": true}');
    expect(secrets.redact('left-and-right 87654321 true')).toBe('[masked] [masked] true');
  });

  it('is replaced in base64 at each of the three offsets, in both alphabets', () => {
    const value = 'p?~assw>rd-ÿ-of-mine';
    const secrets = knowing(value);
    for (const before of ['', 'a', 'ab', 'user:']) {
      for (const after of ['', 'x', 'xy']) {
        for (const encoding of ['base64', 'base64url'] as const) {
          const encoded = Buffer.from(before + value + after).toString(encoding);
          const left = secrets.redact(`Authorization: ${encoded}`).replace('[masked]', '');
          expect(left.length).toBeLessThan('Authorization: '.length + (before.length + after.length) * 1.4 + 6);
        }
      }
    }
  });

  it('is replaced percent-encoded and JSON-escaped, also twice', () => {
    const value = 'a "quoted" /path\\ & ünïcode';
    const secrets = knowing(value);
    const once = JSON.stringify(value).slice(1, -1);
    const ascii = once.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    for (const form of [
      encodeURIComponent(value),
      new URLSearchParams({ a: value }).toString().slice(2),
      once,
      ascii,
      JSON.stringify(once).slice(1, -1),
    ])
      expect(secrets.redact(`<${form}>`)).toBe('<[masked]>');
  });

  it('is left alone when it is shorter than 4 characters', () => {
    expect(knowing('abc', '').redact('abc def')).toBe('abc def');
  });

  it('is replaced in keys, texts and numbers of a value, and a value without one is given back as it is', () => {
    const secrets = knowing('hunter22', '12345678');
    expect(secrets.redactJson({ hunter22: ['a hunter22', { n: 12345678, m: 1, b: true, z: null }] })).toEqual({
      '[masked]': ['a [masked]', { n: '[masked]', m: 1, b: true, z: null }],
    });
    const clean = { a: [1, 'x', { b: null }] };
    expect(secrets.redactJson(clean)).toBe(clean);
  });

  it('is replaced in output that comes in any pieces, and nothing waits longer than it must', () => {
    const secrets = knowing('hunter22', 'hunter22-and-more');
    expect(streamed(secrets, [...'a hunter22 b hunter22-and-more c hunter22-and'])).toBe('a [masked] b [masked] c [masked]-and');
    const passed: string[] = [];
    const stream = secrets.stream((text) => passed.push(text));
    stream.push('plain\nhunt');
    expect(passed).toEqual(['plain\n']);
  });

  it('is replaced from the moment it is known, in a stream that began before', () => {
    const secrets = knownSecrets();
    const passed: string[] = [];
    const stream = secrets.stream((text) => passed.push(text));
    stream.push('one hunter22 ');
    secrets.add('hunter22');
    stream.push('two hunt');
    stream.push('er22');
    stream.end();
    expect(passed.join('')).toBe('one hunter22 two [masked]');
  });

  it('holds no more than its own length back, also when it repeats itself', () => {
    const secrets = knowing('a'.repeat(1000));
    let passed = 0;
    const stream = secrets.stream((text) => {
      passed += text.length;
      expect(text.replaceAll('[masked]', '')).toBe('');
    });
    for (let round = 0; round < 1000; round++) stream.push('a'.repeat(500));
    stream.end();
    expect(passed).toBe('[masked]'.length);
  });
});

describe('whatever the secrets and the text are', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 0, maxLength: 12 });

  it('finds what a search of every place finds', () => {
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 5 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 }),
        (needles, text) => {
          const wanted = needles.filter((needle) => needle !== '');
          const isCovered = Array.from(text, () => false);
          for (const needle of wanted)
            for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) isCovered.fill(true, at, at + needle.length);
          const found = Array.from(text, () => false);
          for (const { start, end } of needleSearch(wanted).find(text)) found.fill(true, start, end);
          expect(found).toEqual(isCovered);
        },
      ),
    );
  });

  it('gives the same in pieces as in one, and no secret comes through', () => {
    const secret = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 3 }), fc.array(letters, { maxLength: 12 }), (values, pieces) => {
        const secrets = knowing(...values);
        const whole = secrets.redact(pieces.join(''));
        expect(streamed(secrets, pieces)).toBe(whole);
        for (const value of values) expect(whole).not.toContain(value);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a secret that a program has put into another form', () => {
  const value = 'k8s&pass<1>!x~y-2026/é and a good deal more, so that it does not fit into one line of anything';
  const secrets = knownSecrets();
  secrets.add(value);
  const leaks = (text: string): boolean => /2026|more, so|good deal|k8s/u.test(text.replace(/\s/gu, ' '));
  const wrapped = (text: string, width: number, end: string): string => text.replace(new RegExp(`.{${width}}`, 'gu'), `$&${end}`);

  it.each([
    [
      'by the usual encoders of URLs',
      [
        encodeURIComponent(value),
        encodeURIComponent(value).replaceAll('!', '%21'),
        new URLSearchParams({ v: value }).toString(),
        encodeURIComponent(value).replaceAll('!', '%21').replaceAll('%2F', '/'),
      ],
    ],
    [
      'by encoders of JSON that spare markup',
      [JSON.stringify(value).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')],
    ],
    ['by encoders of JSON that write ASCII in capitals', [JSON.stringify(value).replace('é', '\\u00E9')]],
  ])('is found: %s', (_, texts) => {
    for (const text of texts) expect(secrets.redact(`before ${text} after`)).toMatch(/^before .*\[masked\].* after$/u);
    for (const text of texts) expect(leaks(secrets.redact(text))).toBe(false);
  });

  it('is found where base64 was wrapped, whatever stands before and after it', () => {
    const needle = Buffer.from(value).toString('base64').slice(8, -8);
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 40 }),
        fc.constantFrom(64, 76),
        fc.constantFrom('\n', '\r\n'),
        (before, after, width, end) => {
          const masked = secrets.redact(wrapped(Buffer.from(before + value + after).toString('base64'), width, end));
          expect(masked.replace(/[\r\n]/gu, '').includes(needle.slice(0, 24))).toBe(false);
          expect(masked).toContain('[masked]');
        },
      ),
    );
  });

  it('is found in pieces beside what was left out of an output', () => {
    const gap = '\n[171 bytes left out here]\n';
    expect(secrets.redact(`aaa ${value.slice(0, 30)}${gap}${value.slice(60)} bbb`)).toBe(`aaa [masked]${gap}[masked] bbb`);
    expect(secrets.redact(`an ordinary text${gap}another one`)).toBe(`an ordinary text${gap}another one`);
  });

  it('is passed on in a stream as it is in a whole text, wherever it is cut', () => {
    const text = `x ${value.slice(0, 7)}\n${wrapped(Buffer.from(value).toString('base64'), 76, '\n')}\ny ${value} z`;
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        let streamed = '';
        const stream = secrets.stream((piece) => (streamed += piece));
        let from = 0;
        for (const cut of [...cuts.sort((one, other) => one - other), text.length]) {
          stream.push(text.slice(from, cut));
          from = cut;
        }
        stream.end();
        expect(streamed).toBe(secrets.redact(text));
      }),
    );
  });
});
