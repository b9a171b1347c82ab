import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LanguageModel, ModelReference } from '../../../../engine/src/index.js';
import { nodeClock } from '../../../../hosts/node/src/clock/node-clock.js';
import { createModels, type ModelsOptions } from '../../../../hosts/node/src/models/models.js';
import { environmentSecrets } from '../../../../hosts/node/src/secrets/environment-secrets.js';
import { createSourceReader } from '../../../../hosts/node/src/source/source-reader.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'models-')));
  mkdirSync(join(folder, 'project'));
  writeFileSync(join(folder, 'project', 'inside.yaml'), 'agents: { "*": [{ text: inside }, { text: again }] }');
  writeFileSync(join(folder, 'outside.json'), '{"agents":{"*":[{"text":"outside"}]}}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const models = (options: Partial<ModelsOptions> = {}) =>
  createModels({
    secrets: environmentSecrets({}),
    egress: { fetch: () => Promise.reject(new Error('no network in this test')) },
    clock: nodeClock(),
    reader: createSourceReader({ root: join(folder, 'project') }),
    workspace: join(folder, 'project'),
    ...options,
  });

async function said(model: LanguageModel): Promise<string> {
  let text = '';
  const request = { system: '', messages: [], tools: [], settings: {} };
  for await (const event of model.stream(request, new AbortController().signal)) if (event.type === 'text') text += event.delta;
  return text;
}

const anthropic: ModelReference = { provider: 'anthropic', model: 'claude-sonnet-4-5', agent: 'a' };

describe('the models of a run', () => {
  it('say where a key was looked for', async () => {
    await expect(models().open(anthropic)).rejects.toMatchObject({
      code: 'provider_auth',
      message:
        'there is no key for anthropic. Looked for in: the environment variable RELAVIUM_SECRET_ANTHROPIC, the environment variable ANTHROPIC_API_KEY',
    });
  });

  it.each(['anthropic', 'openai', 'google', 'deepseek'])('of %s need a key only', async (provider) => {
    const secrets = environmentSecrets({ [`RELAVIUM_SECRET_${provider.toUpperCase()}`]: 'banana' });
    const model = await models({ secrets }).open({ provider, model: 'some-model', baseUrl: 'https://elsewhere.test' });
    expect(model).toMatchObject({ provider, model: 'some-model' });
  });

  it('of an unknown provider name the known ones', async () => {
    await expect(models().open({ provider: 'acme', model: 'x' })).rejects.toMatchObject({
      code: 'provider_error',
      message: 'there is no provider "acme". There are: anthropic, openai, google, deepseek, openai-compatible, local, scripted',
    });
    await expect(models().open({ provider: 'constructor', model: 'x' })).rejects.toMatchObject({ code: 'provider_error' });
  });

  it('of a server need its address, and of a local one an address of this machine', async () => {
    const open = (provider: string, baseUrl?: string) =>
      models().open({ provider, model: 'x', ...(baseUrl === undefined ? {} : { baseUrl }) });
    await expect(open('openai-compatible')).rejects.toMatchObject({ code: 'provider_error', message: expect.stringContaining('base_url') });
    await expect(open('local')).rejects.toMatchObject({ code: 'provider_error' });
    await expect(open('local', 'https://models.example.com')).rejects.toMatchObject({ code: 'provider_error' });
    await expect(open('local', 'https://127.0.0.1.example.com')).rejects.toMatchObject({ code: 'provider_error' });
    for (const url of ['http://localhost:1/v1', 'http://127.0.0.1:1/v1', 'http://[::1]:1/v1'])
      expect(await open('local', url)).toBeDefined();
  });

  it('answer from a script of the project that an agent names, and from no file outside it', async () => {
    expect(await said(await models().open({ provider: 'scripted', model: 'inside.yaml' }))).toBe('inside');
    await expect(models().open({ provider: 'scripted', model: '../outside.json' })).rejects.toMatchObject({ code: 'provider_error' });
    await expect(models().open({ provider: 'scripted', model: 'missing.yaml' })).rejects.toMatchObject({
      message: expect.stringContaining('missing.yaml does not exist'),
    });
  });

  it('answer from any script that the person names, without a key', async () => {
    expect(await said(await models({ override: 'scripted:../outside.json' }).open(anthropic))).toBe('outside');
    expect(await said(await models({ override: 'scripted:outside.json', cwd: folder }).open(anthropic))).toBe('outside');
  });

  it('go on in a script where the agent left it, however often it is opened', async () => {
    const run = models({ override: 'scripted:inside.yaml' });
    expect([await said(await run.open(anthropic)), await said(await run.open(anthropic))]).toEqual(['inside', 'again']);
    expect(await said(await models({ override: 'scripted:inside.yaml' }).open(anthropic))).toBe('inside');
  });

  it('are all the one that the person asks for', async () => {
    const secrets = environmentSecrets({ OPENAI_API_KEY: 'banana' });
    const model = await models({ secrets, override: 'openai:gpt-5-mini' }).open(anthropic);
    expect(model).toMatchObject({ provider: 'openai', model: 'gpt-5-mini' });
    const tagged = models({ override: 'openai-compatible:llama3:8b' });
    expect(await tagged.open({ ...anthropic, baseUrl: 'http://127.0.0.1:1' })).toMatchObject({ model: 'llama3:8b' });
    for (const override of ['openai', 'openai:', 'acme:x']) expect(() => models({ override })).toThrow(/PROVIDER:MODEL|no provider/);
  });
});
