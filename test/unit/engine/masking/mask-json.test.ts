import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip } from '../../../../engine/src/masking/clip.js';
import { mask } from '../../../../engine/src/masking/mask.js';
import { maskJson } from '../../../../engine/src/masking/mask-json.js';
import { maskStream } from '../../../../engine/src/masking/mask-stream.js';
import { preview } from '../../../../engine/src/masking/preview.js';
import { isSensitiveKey } from '../../../../engine/src/masking/sensitive-key.js';
import { requirement, requirements } from '../../requirement.js';

/** Synthetic: the right shape, and nobody's. */
const TOKEN = `ghp_${'SYNTHETICfake'.repeat(3)}`;

describe('structured values', () => {
  it('are masked by their key at any depth, whatever they are', () => {
    expect(maskJson({ a: [{ password: 'x', apiKey: { id: 1 }, client_secret: 5, list: ['y'] }] })).toEqual({
      a: [{ password: '[masked]', apiKey: '[masked]', client_secret: '[masked]', list: ['y'] }],
    });
  });

  it('keep what says that there is no value, and markers of secrets', () => {
    expect(maskJson({ password: null, token: false, key: { $secret: 'github' } })).toEqual({
      password: null,
      token: false,
      key: { $secret: 'github' },
    });
  });

  it('are masked by the flag before them', () => {
    expect(maskJson(['curl', '--token', 'abc', '--password=hunter22', '-v', 'x'])).toEqual([
      'curl',
      '--token',
      '[masked]',
      '--password=[masked]',
      '-v',
      'x',
    ]);
  });

  it('hide tokens in keys as well', () => {
    expect(JSON.stringify(maskJson({ [TOKEN]: 1 }))).not.toContain('SYNTHETIC');
  });
});

describe('names of credentials', () => {
  it.each([
    'password',
    'DB_PASSWORD',
    'apiKey',
    'API-KEY',
    'x-api-key',
    'secretAccessKey',
    'AWS_SECRET_ACCESS_KEY',
    'Proxy-Authorization',
    'set-cookie',
    'refresh_token',
    'clientSecret',
    'DB_PASS',
    'X-Amz-Signature',
  ])('%s is one', (name) => expect(isSensitiveKey(name)).toBe(true));
  it.each([
    'max_tokens',
    'tokens',
    'passed',
    'pass',
    'key',
    'tokenizer',
    'secretary',
    'author',
    'credential_ref',
    'secret_env',
    'passwordless',
    'keyboard',
    '',
  ])('%s is none', (name) => expect(isSensitiveKey(name)).toBe(false));
});

describe('tokens by their prefix', () => {
  const hex = '0123456789abcdef'.repeat(4);
  const word = 'SYNTHETICfake0123'.repeat(4);
  const upper = 'SYNTHETIC0FAKE1SAMPLE2'.repeat(3);
  it.each([
    ...[
      'ghp_',
      'gho_',
      'github_pat_',
      'glpat-',
      'xoxb-',
      'xapp-1-',
      'sk-proj-',
      'sk-ant-api03-',
      'sk_live_',
      'rk_test_',
      'whsec_',
      'AIza',
      'ya29.',
      'GOCSPX-',
      'npm_',
    ].map((prefix) => prefix + word),
    ...[
      'pypi-AgE',
      'hvs.',
      'ntn_',
      'hf_',
      'gsk_',
      'xai-',
      'pplx-',
      'r8_',
      'SG.',
      'sq0atp-',
      'lin_api_',
      'dckr_pat_',
      'glsa_',
      'sntrys_',
      'pscale_tkn_',
      'PMAK-',
      'ATATT3',
      'tskey-',
      'figd_',
      'nfp_',
    ].map((prefix) => prefix + word),
    ...['rubygems_', 'dop_v1_', 'SK', 'key-', 'dapi', 'shpat_', 'sbp_'].map((prefix) => prefix + hex),
    ...['AKIA', 'ASIA', 'NRAK-', 'AGE-SECRET-KEY-1'].map((prefix) => prefix + upper),
    `eyJ${word}.eyJ${word}.${word}`,
  ])('%s', (token) => {
    expect(mask(`a (${token}) b`)).toBe('a ([masked]) b');
    expect(mask(`a ${token.slice(0, -20)}\n\t${token.slice(-20)} b`)).toBe('a [masked] b');
  });
});

describe('masked text', () => {
  it('holds no token, whatever stands around it', () => {
    const piece = fc.constantFrom(
      TOKEN,
      'password: ',
      'token=',
      '"',
      "'",
      '\n',
      '\t',
      ' ',
      'Bearer abcDEF1234567890',
      'https://a:b@c/',
      '[masked]',
      '[',
      ']',
      '--token ',
      '=',
      '-----BEGIN RSA PRIVATE KEY-----',
      '|',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(mask(pieces.join(''))).not.toContain('SYNTHETIC');
      }),
      { numRuns: 3_000 },
    );
  });

  it('holds no token of a known family, wherever it stands', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (before, after) => !mask(`${before} ${TOKEN} ${after}`).includes('SYNTHETIC')));
  });

  it(
    requirements(['MK-17', 'MK-19'], 'holds none of two tokens or headers on two lines, although the first runs on over the line break'),
    () => {
      expect(mask(`${TOKEN}\n${TOKEN} x`)).not.toContain('SYNTHETIC');
      expect(mask('Bearer abcDEF1234567890\nBearer ghiJKL1234567890 x')).not.toMatch(/123/u);
    },
  );

  it('hides a whole header line that has parameters', () => {
    expect(mask("curl -H 'Cookie: sid=abc; theme=dark' https://x.test/")).toBe("curl -H 'Cookie: [masked]' https://x.test/");
    expect(mask('Authorization: Digest username="u", response="abcdef"\nnext')).toBe('Authorization: [masked]\nnext');
  });

  it('hides a block scalar', () => {
    expect(mask('password: |\n  one\n  two\nuser: sam')).toBe('password: [masked]\nuser: sam');
  });

  it('hides a JSON value inside JSON text inside JSON text', () => {
    expect(mask('{\\"password\\":\\"fakePw\\",\\"n\\":1}')).toBe('{\\"password\\":\\"[masked]\\",\\"n\\":1}');
  });
});

describe('previews', () => {
  it(requirement('MK-09', 'are cut after masking'), () => {
    for (let limit = 5; limit < 80; limit++) expect(preview({ a: 'x'.repeat(20), b: TOKEN }, limit)).not.toContain('SYNTH');
  });

  it('cost the same for a value of any size', () => {
    let reads = 0;
    const many = new Proxy(
      Array.from({ length: 100_000 }, () => 'text'),
      {
        get(target, key, receiver) {
          reads++;
          return Reflect.get(target, key, receiver);
        },
      },
    );
    expect(preview(many, 500)).toHaveLength(500);
    expect(reads).toBeLessThan(20_000);
  });

  it('never end inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 20 }),
        (text, limit) => clip(text, limit).isWellFormed() && clip(text, limit).length <= limit,
      ),
    );
  });
});

describe('text that comes in pieces', () => {
  it('is masked as the whole lines are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const text = `one ${TOKEN} two\nthree password: hunter22 four\nfive\n`;
        const seen: string[] = [];
        const stream = maskStream((piece) => seen.push(piece));
        let at = 0;
        for (const size of sizes) {
          stream.push(text.slice(at, at + size));
          at += size;
        }
        stream.push(text.slice(at));
        stream.end();
        expect(seen.join('')).toBe('one [masked] two\nthree password: [masked] four\nfive\n');
      }),
    );
  });
});
