import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mask } from '../../../../engine/src/masking/mask.js';
import { maskStream } from '../../../../engine/src/masking/mask-stream.js';
import { requirement } from '../../requirement.js';

const streamed = (pieces: readonly string[]): readonly string[] => {
  const passed: string[] = [];
  const stream = maskStream((text) => passed.push(text));
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return passed;
};
const body = 'SYNTHETIC0fakeSAMPLE1fakeTOKEN2fake';
const key = `-----BEGIN PRIVATE KEY-----\n${`${'MIIfakefakeFAKE0123456789fakefakefake+/'.repeat(1)}\n`.repeat(12)}-----END PRIVATE KEY-----\n`;

describe('output that is masked while it comes', () => {
  it('passes each line on as soon as it is whole', () => {
    const passed: string[] = [];
    const stream = maskStream((text) => passed.push(text));
    stream.push('one\ntwo');
    expect(passed).toEqual(['one\n']);
    stream.push(' and password: hunter22\n');
    expect(passed).toEqual(['one\n', 'two and password: [masked]\n']);
    stream.push('rest');
    stream.end();
    expect(passed.at(-1)).toBe('rest');
  });

  it('holds a line back while the credential at its end may go on', () => {
    const passed: string[] = [];
    const stream = maskStream((text) => passed.push(text));
    stream.push(`before\ntoken ghp_${body}\n`);
    expect(passed).toEqual(['before\n']);
    stream.push(`${body}\n(after)\n`);
    expect(passed.join('')).toBe('before\ntoken [masked]\n(after)\n');
  });

  it(requirement('MK-18', 'masks a private key that comes line by line, and a quoted value over several lines'), () => {
    for (const text of [
      `key:\n${key}done\n`,
      'password = "first part\nsecond part\nthird" and more\n',
      'secret: |\n  first\n  second\nnext: x\n',
    ]) {
      expect(streamed(text.split(/(?<=\n)/)).join('')).toBe(mask(text));
      expect(streamed([...text]).join('')).toBe(mask(text));
    }
  });

  it('holds a bounded part, also of a line without an end and of a key without one', () => {
    const endless = (unit: string, before = '') => {
      let passed = '';
      let pushed = 0;
      const stream = maskStream((text) => {
        passed += text;
      });
      stream.push(before);
      for (let round = 0; round < 200; round++) {
        stream.push(unit);
        pushed += unit.length;
        if (!before.includes('BEGIN') && !before.includes('ghp_')) expect(pushed - passed.length).toBeLessThan(40_000);
      }
      stream.end();
      return passed;
    };
    expect(endless('no break at all '.repeat(64)).length).toBe(200 * 64 * 16);
    expect(endless(`${'MIIfakeFAKE0123456789'.repeat(3)}\n`, '-----BEGIN PRIVATE KEY-----\n').replaceAll('[masked]', '')).not.toContain(
      'MIIfake',
    );
    expect(endless('ab0C'.repeat(200), 'token ghp_')).toBe('token [masked]');
  });

  it('gives what masking the whole gives, wherever the pieces end', () => {
    const word = fc.constantFrom(
      'plain words here',
      'status=200',
      '\n',
      '\n  ',
      '\r\n',
      ' ',
      '"',
      'password: ',
      '"apiKey": "',
      "token='",
      'secret: |\n',
      `ghp_${body}`,
      `sk-${body}`,
      'ghp_0abc',
      'Authorization: Bearer ',
      body,
      'https://user:pw0word@host/x',
      key,
      '-----BEGIN RSA PRIVATE KEY-----',
      '-----END RSA PRIVATE KEY-----',
      'eyJhbGciOiJub25l.eyJzdWIiOiJmYWtl.sig0',
      '--token ',
      'Cookie: a=b; c=d',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), fc.array(fc.nat({ max: 400 }), { maxLength: 12 }), (words, cuts) => {
        const text = words.join('');
        const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
        const pieces = [0, ...places].map((start, index) => text.slice(start, places[index] ?? text.length));
        expect(streamed(pieces).join('')).toBe(mask(text));
      }),
      { numRuns: 1_000 },
    );
  });
});
