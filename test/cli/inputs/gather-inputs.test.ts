import { describe, expect, it } from 'vitest';
import { gatherInputs, secretVariable } from '../../../hosts/cli/src/inputs/gather-inputs.js';

const declared = [
  { name: 'count', type: 'number' },
  { name: 'dry', type: 'boolean' },
  { name: 'note', type: 'string' },
  { name: 'data', type: 'json' },
  { name: 'api-key', type: 'secret' },
] as const;

const gather = (assignments: readonly string[], document?: never | object, env: NodeJS.ProcessEnv = {}) =>
  gatherInputs(declared, { assignments, document: document as never, env });

describe('gatherInputs', () => {
  it('turns text into the declared type', () => {
    const { given, problems } = gather(['count=-2.5e1', 'dry=false', 'note=a=b', 'data={"x": [1]}']);
    expect(problems).toEqual([]);
    expect(given).toEqual({ count: -25, dry: false, note: 'a=b', data: { x: [1] } });
  });

  it('keeps an empty text and passes unknown names on, for the engine to refuse', () => {
    expect(gather(['note=', 'other=1']).given).toEqual({ note: '', other: '1' });
  });

  it('lets an assignment win over the document', () => {
    expect(gather(['note=argument'], { note: 'document', count: 1 }).given).toEqual({ note: 'argument', count: 1 });
  });

  it('takes secrets from the environment or the document, never from an argument', () => {
    expect(gather([], undefined, { RELAVIUM_INPUT_API_KEY: 'from-env' }).given).toEqual({ 'api-key': 'from-env' });
    expect(gather([], { 'api-key': 'from-document' }).given).toEqual({ 'api-key': 'from-document' });
    const refused = gather(['api-key=on-the-command-line']);
    expect(refused.given).toEqual({});
    expect(refused.problems[0]?.message).toContain('RELAVIUM_INPUT_API_KEY');
    expect(refused.problems[0]?.message).not.toContain('on-the-command-line');
  });

  it('reads no other input from the environment', () => {
    expect(gather([], undefined, { RELAVIUM_INPUT_NOTE: 'ambient' }).given).toEqual({});
    expect(secretVariable('a-b')).toBe('RELAVIUM_INPUT_A_B');
  });

  it.each([
    [['count=ten'], 'must be a number'],
    [['count='], 'must be a number'],
    [['count=0x10'], 'must be a number'],
    [['count=9007199254740993'], 'cannot hold exactly'],
    [['data={"a":-1e999}'], '-1e999'],
    [['dry=yes'], 'must be true or false'],
    [['data={'], 'takes JSON'],
    [['data={"id": 12345678901234567890}'], 'cannot hold exactly'],
    [['note'], 'write -i name=value'],
    [['=x'], 'write -i name=value'],
    [['note=1', 'note=2'], 'given twice'],
  ])('refuses %j', (assignments, words) => {
    expect(
      gather(assignments)
        .problems.map(({ message }) => message)
        .join(),
    ).toContain(words);
  });

  it('refuses a document that is no object', () => {
    expect(gather([], [1]).problems).toHaveLength(1);
  });
});
