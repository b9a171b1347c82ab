import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeProvider, fakeProvider } from '../unit/host-node/models/fake-provider.js';
import { folderWith, relavium } from './relavium.js';

let provider: FakeProvider;
beforeEach(async () => {
  provider = await fakeProvider('chat');
});
afterEach(() => provider.close());

const workflow = (more = '', agent = '') => `schema_version: '1.0'
workflow:
  id: ask
${more}
  agents:
    - { id: helper, provider: openai-compatible, base_url: '${provider.origin}/v1', model: stub, system_prompt: Help., tools: [read_file, write_file]${agent} }
  nodes:
    - { id: ask, type: agent, agent_ref: helper, prompt_template: Go }
`;
const folder = (more?: string, agent?: string) => folderWith({ 'ask.relavium.yaml': workflow(more, agent), 'a.txt': 'A' });
const words = { steps: [{ text: 'Hello.' }], finish: 'stop', usage: { input: 1000, cached: 0, output: 500 } } as const;
const write = {
  steps: [{ call: { index: 0, id: 'w', name: 'write_file', json: '{"path":"b.txt","content":"B"}' } }],
  finish: 'tool_calls',
} as const;

describe('relavium run with agents', () => {
  it('asks a server of this machine that the person names, with the key of the environment, and no other', async () => {
    provider.answer(words);
    const env = { RELAVIUM_SECRET_OPENAI_COMPATIBLE: 'banana-banana' };
    const { code, stdout, stderr } = await relavium(['run', 'ask.relavium.yaml', '--allow-local', provider.origin], { cwd: folder(), env });
    expect([code, stdout]).toEqual([0, 'Hello.\n']);
    expect(stderr).toContain('openai-compatible:stub, 1,500 tokens, no price known for openai-compatible:stub');
    expect(provider.requests[0]?.headers.authorization).toBe('Bearer banana-banana');

    const refused = await relavium(['run', 'ask.relavium.yaml'], { cwd: folder(), env });
    expect([refused.code, provider.requests.length]).toEqual([1, 1]);
    expect(refused.stderr).toContain(`allowed by --allow-local ${provider.origin}`);
  });

  it('says what is wrong with --model before anything runs', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'turns.yaml'), 'agents: { helper: [{ txt: Hello }] }\n');
    for (const [model, message] of [
      ['scripted', '"scripted" is no PROVIDER:MODEL'],
      ['somebody:model', 'there is no provider "somebody"'],
      ['scripted:missing.yaml', 'missing.yaml does not exist'],
      ['scripted:turns.yaml', 'turns.yaml is no script: 1:22 a scripted turn has no key "txt"'],
    ] as const) {
      const { code, stdout, stderr } = await relavium(['run', 'ask.relavium.yaml', '--model', model], { cwd });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: --model: /);
      expect(stderr).toContain(message);
    }
  });

  it('never shows a key, also where the server repeats it', async () => {
    provider.answer({ status: 400, body: { error: { message: 'what is banana-banana?' } } });
    const env = { RELAVIUM_SECRET_OPENAI_COMPATIBLE: 'banana-banana' };
    const { code, stdout, stderr } = await relavium(['-v', '--json', 'run', 'ask.relavium.yaml', '--allow-local', provider.origin], {
      cwd: folder(),
      env,
    });
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain('banana');
  });

  it('counts by the prices of the configuration, and ends before --max-cost can be gone over', async () => {
    const cwd = folder('', ', max_tokens: 1000');
    const prices = '[prices."openai-compatible:stub"]\ninput = 100_000_000\noutput = 200_000_000\n';
    writeFileSync(join(cwd, 'prices.toml'), prices);
    const run = (dollars: string) =>
      relavium(['--config', 'prices.toml', 'run', 'ask.relavium.yaml', '--allow-local', provider.origin, '--max-cost', dollars], { cwd });
    provider.answer(words);
    const enough = await run('0.01');
    expect(enough.code).toBe(0);
    expect(enough.stderr).toContain('$0.0020');
    const tooLittle = await run('0.001');
    expect([tooLittle.code, provider.requests.length]).toEqual([1, 1]);
    expect(tooLittle.stderr).toContain('budget_exceeded');
    writeFileSync(join(cwd, 'prices.toml'), '');
    expect((await run('1')).stderr).toContain('there is no price for openai-compatible:stub');
  });

  it('wants a terminal to ask in, or --gates reject, where a person is to be asked', async () => {
    const flags = ['run', 'ask.relavium.yaml', '--allow-local', provider.origin, '--ask'];
    const refused = await relavium(flags, { cwd: folder() });
    expect([refused.code, provider.requests.length]).toEqual([2, 0]);
    provider.answer(write, words);
    const rejected = await relavium([...flags, '--gates', 'reject'], { cwd: folder() });
    expect(rejected.stdout).toBe('Hello.\n');
    expect(rejected.stderr).toContain('rejected by --gates reject');
    expect(JSON.stringify(provider.requests[1]?.body.messages)).toContain('the call was not approved');
  });

  it.each([
    [['--allow-local', 'localhost:1'], 'is no origin'],
    [['--max-cost', '-1'], 'amount of dollars'],
    [['--model', 'scripted:none.yaml'], 'none.yaml does not exist'],
    [['--model', 'nobody:x'], 'there is no provider "nobody"'],
  ])('says what is wrong with %j', async (flags, words) => {
    const { code, stderr } = await relavium(['run', 'ask.relavium.yaml', ...flags], { cwd: folder() });
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
  });
});
