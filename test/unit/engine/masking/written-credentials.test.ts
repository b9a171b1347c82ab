import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import { coverCredentials } from '../../../../engine/src/masking/written-credentials.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { requirement } from '../../requirement.js';

const token = 'ghp_SYNTHETICsampleSYNTHETICsample0000';
const key = '-----BEGIN PRIVATE KEY-----\nSYNTHETIC\r\nsample\n-----END PRIVATE KEY-----';

describe('a text that is shown beside a position', () => {
  it('has asterisks for credentials, and its lines and length', () => {
    expect(coverCredentials(`a: ${token} # end`)).toBe(`a: ${'*'.repeat(token.length)} # end`);
    expect(coverCredentials('x://ada:SYNTHETIC@host/p')).toBe('x://*************@host/p');
    expect(coverCredentials(key)).toBe(key.replaceAll(/[^\r\n]/g, '*'));
  });

  it('covers a token to the end of its line, and one that is wrapped as a whole', () => {
    expect(coverCredentials(`a: ${token}\nb: 1`)).toBe(`a: ${'*'.repeat(token.length)}\nb: 1`);
    const wrapped = `${token.slice(0, 10)}\n${token.slice(10)}`;
    expect(coverCredentials(wrapped)).toBe(wrapped.replaceAll(/[^\n]/g, '*'));
  });

  it.each(['x://{{inputs.user}}:{{inputs.password}}@host', 'x://<user>:<password>@host', 'x://git@host/p', 'token: deploy_token'])(
    'keeps %s, where no credential stands',
    (text) => {
      expect(coverCredentials(text)).toBe(text);
    },
  );

  it('never moves a position', () => {
    const parts = fc.constantFrom(token, key, 'x://a:b@c', '-----BEGIN PRIVATE KEY-----', '\n', ' ', 'word');
    fc.assert(
      fc.property(fc.array(parts), (pieces) => {
        const text = pieces.join('');
        const covered = coverCredentials(text);
        expect(covered.length).toBe(text.length);
        expect(covered.split('\n').length).toBe(text.split('\n').length);
        expect(covered).not.toContain('SYNTHETIC');
      }),
    );
  });
});

it(requirement('MP-05', 'a credential in a workflow is found, wherever it stands, and not repeated'), () => {
  const text = `schema_version: '1.0'\nworkflow:\n  id: w # ${token}\n  nodes: [{ id: a, type: output, value: '"${token}"' }]\n`;
  const { diagnostics } = compile({ path: 'w.yaml', text }, { reader: memorySourceReader({}), tools: [] });
  expect(diagnostics.map(({ code, range }) => [code, text.slice(range.start, range.end)])).toEqual([
    ['credential_in_file', token],
    ['credential_in_file', token],
  ]);
  expect(diagnostics.some(({ message }) => message.includes('SYNTHETIC'))).toBe(false);
});
