import { describe, expect, it } from 'vitest';
import { knownSecrets } from '../../../../engine/src/masking/known-secrets.js';
import type { ProcessRequest } from '../../../../engine/src/ports/process-host.js';
import { createRegistry, type RegistryOptions } from '../../../../engine/src/registry/create-registry.js';
import type { ToolCall } from '../../../../engine/src/registry/registry.js';
import { memoryProcess } from '../../../../engine/src/testing/memory-process.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { requirements } from '../../requirement.js';
import { callOf } from './call-of.js';

const policy = { allowedCommands: [['show']], allowedCommandGlobs: [], allowedDomains: [], fsScope: 'sandboxed' } as const;
const store = {
  read: async (id: string) => (id === 'api' ? 'hunter22-of-mine' : undefined),
  places: (id: string) => [`the drawer of ${id}`],
};

/** A program that prints its variable, and a registry whose store has one secret. */
function opened(more: Partial<RegistryOptions> = {}) {
  const seen: ProcessRequest[] = [];
  const show = (request: ProcessRequest) => {
    seen.push(request);
    return { exitCode: request.env.FAIL === undefined ? 0 : 1, stdout: `got ${request.env.TOKEN}\n`, stderr: `bad ${request.env.TOKEN}\n` };
  };
  const registry = createRegistry({ tools: builtinTools, host: { process: memoryProcess({ show }), secrets: store }, policy, ...more });
  return { registry, seen };
}
const showing = (config: ToolCall['config'], context: Partial<ToolCall['context']> = {}) => {
  const call = callOf('run_command', { config: { command: 'show', ...config } });
  return { ...call, context: { ...call.context, ...context } };
};

describe('secret_env', () => {
  it(requirements(['MP-04', 'MP-06'], 'hands over the value of a secret, and nobody else gets to see it'), async () => {
    const { registry, seen } = opened();
    const streamed: string[] = [];
    const call = showing({ secret_env: { TOKEN: 'api' } }, { onOutput: (_, text) => streamed.push(text) });
    const outcome = await registry.dispatch(call);
    expect(seen[0]?.env).toEqual({ TOKEN: 'hunter22-of-mine' });
    expect(outcome).toMatchObject({ ok: true, output: { stdout: 'got [masked]\n' } });
    expect(JSON.stringify([outcome, streamed, registry.preview(call)])).not.toContain('hunter22');
    expect(streamed).toEqual(['got [masked]\n', 'bad [masked]\n']);
  });

  it('takes a secret input of the run', async () => {
    const { registry, seen } = opened();
    const secretInput = (name: string) => (name === 'token' ? 'given-by-a-person' : undefined);
    expect(await registry.dispatch(showing({ secret_env: { TOKEN: { input: 'token' } } }, { secretInput }))).toMatchObject({
      output: { stdout: 'got [masked]\n' },
    });
    expect(seen[0]?.env.TOKEN).toBe('given-by-a-person');
    expect(await registry.dispatch(showing({ secret_env: { TOKEN: { input: 'other' } } }, { secretInput }))).toMatchObject({
      error: { code: 'tool_unavailable', details: { reason: 'no_secret', input: 'other' } },
    });
  });

  it('is replaced in failures too, in whatever the run does afterwards, and in arguments that are shown', async () => {
    const secrets = knownSecrets();
    const { registry } = opened({ secrets });
    const failed = await registry.dispatch(showing({ env: { FAIL: '1' }, secret_env: { TOKEN: 'api' } }));
    expect(failed).toMatchObject({ ok: false, error: { details: { stderrTail: 'bad [masked]' } } });
    const other = opened({ secrets }).registry;
    const echoed = showing({ env: { TOKEN: 'hunter22-of-mine' } });
    expect(await other.dispatch(echoed)).toMatchObject({ output: { stdout: 'got [masked]\n' } });
    expect(other.preview(echoed)).not.toContain('hunter22');
  });

  it('names variables as env does: what decides about loaders, paths and credentials is refused before anything is read', async () => {
    let reads = 0;
    const counting = {
      ...store,
      async read(id: string) {
        reads++;
        return store.read(id);
      },
    };
    const { registry } = opened({ host: { process: memoryProcess({}), secrets: counting } });
    for (const name of ['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'GIT_SSH_COMMAND', 'RELAVIUM_SECRET_X', 'path'])
      expect(await registry.dispatch(showing({ secret_env: { [name]: 'api' } }))).toMatchObject({ error: { code: 'invalid_args' } });
    expect(reads).toBe(0);
  });

  it('comes from the author alone', async () => {
    const { registry } = opened();
    const byModel = { ...showing({}), caller: 'agent', modelArgs: { secret_env: { TOKEN: 'api' } } } as const;
    expect(await registry.dispatch(byModel)).toMatchObject({ error: { code: 'invalid_args', details: { reason: 'not_settable' } } });
    const mapped = { ...showing({}), mapped: { secret_env: { TOKEN: 'api' } } };
    expect(await registry.dispatch(mapped)).toMatchObject({ error: { code: 'invalid_args', details: { reason: 'not_settable' } } });
  });

  it('says where a secret that is missing was looked for, and starts nothing', async () => {
    const { registry, seen } = opened();
    expect(await registry.dispatch(showing({ secret_env: { TOKEN: 'nothing' } }))).toMatchObject({
      error: { code: 'tool_unavailable', message: 'run_command: there is no secret nothing; it is looked for in the drawer of nothing' },
    });
    expect(seen).toEqual([]);
  });
});
