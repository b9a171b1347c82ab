import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mask } from '../../../../engine/src/masking/mask.js';

/** Bodies without a meaning: an alphabet that nobody issues from. */
const alphanumeric = 'SYNTHETICfakeSAMPLE0123456789';
const body = (length: number, alphabet = alphanumeric) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length + 8 }).map((text) => `${text}x1F`);

const token = fc
  .constantFrom<readonly [string, number]>(
    ['ghp_', 30],
    ['github_pat_', 30],
    ['glpat-', 20],
    ['xoxb-', 20],
    ['sk-', 30],
    ['sk-ant-', 40],
    ['npm_', 36],
    ['hf_', 34],
    ['whsec_', 30],
    ['AIza', 35],
  )
  .chain(([prefix, length]) => body(length).map((text) => ({ shown: prefix + text, hidden: text })));
const labelled = fc
  .tuple(
    fc.constantFrom(
      'password: ',
      'PASSWORD=',
      '"apiKey":"',
      'api_key = ',
      'Authorization: Bearer ',
      '--token ',
      'client_secret=',
      'DB_PASSWORD: ',
    ),
    body(16),
  )
  .map(([label, text]) => ({ shown: label.endsWith('"') ? `${label}${text}"` : label + text, hidden: text }));
const userinfo = body(8).map((text) => ({ shown: `https://ada:${text}@example.com/path`, hidden: text }));
const pem = body(40).map((text) => ({ shown: `-----BEGIN PRIVATE KEY-----\n${text}\n${text}\n-----END PRIVATE KEY-----`, hidden: text }));
const credential = fc.oneof(token, labelled, userinfo, pem);

/** Words that are no part of anything that is looked for, each one told from the others. */
const word = fc.constantFrom(
  'build',
  'of',
  'nine',
  'modules',
  'went',
  'well',
  '(42 ms)',
  'src/a-b.ts:10',
  'status=200',
  'https://example.com/x?y=1',
  'n.b.',
  '"quoted"',
);
const plain = fc.array(word, { minLength: 1, maxLength: 6 });
const separator = fc.constantFrom(' , ', ' | ', '; ', ' (and) ', ' <-> ');

describe('a text with credentials in it', () => {
  it('loses every credential and no other word', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, separator, credential, separator, plain), { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts
          .map(([before, one, { shown }, other, after]) => `${before.join(' ')}${one}${shown}${other}${after.join(' ')}`)
          .join('\n(next) ');
        const masked = mask(text);
        for (const [before, , { hidden }, , after] of parts) {
          expect(masked).not.toContain(hidden);
          expect(masked).not.toContain(hidden.slice(0, 8));
          expect(masked).toContain(before.join(' '));
          expect(masked).toContain(after.join(' '));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is the same when it is masked again, and a text without any is left as it is', () => {
    fc.assert(
      fc.property(plain, fc.array(credential, { maxLength: 3 }), (words, credentials) => {
        expect(mask(words.join(' '))).toBe(words.join(' '));
        const once = mask([...words, ...credentials.map(({ shown }) => shown)].join(' '));
        expect(mask(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});
