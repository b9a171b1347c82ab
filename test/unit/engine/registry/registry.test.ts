import { describe, expect, it } from 'vitest';
import { knownSecrets } from '../../../../engine/src/masking/known-secrets.js';
import type { FileScope } from '../../../../engine/src/ports/file-system.js';
import { HostError } from '../../../../engine/src/ports/host-error.js';
import type { ToolHost } from '../../../../engine/src/ports/tool-host.js';
import { createRegistry, type RegistryOptions } from '../../../../engine/src/registry/create-registry.js';
import type { ToolCall, ToolOutcome } from '../../../../engine/src/registry/registry.js';
import type { ToolDef } from '../../../../engine/src/registry/tool-def.js';
import type { ToolError } from '../../../../engine/src/registry/tool-error.js';
import { memoryFileSystem } from '../../../../engine/src/testing/memory-file-system.js';
import { memoryProcess } from '../../../../engine/src/testing/memory-process.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { requirement, requirements } from '../../requirement.js';
import { callOf } from './call-of.js';

const policy = { allowedCommands: [['make']], allowedCommandGlobs: [], allowedDomains: ['api.example.com'], fsScope: 'sandboxed' } as const;
const registryOf = (host: ToolHost, more: Partial<RegistryOptions> = {}) => createRegistry({ tools: builtinTools, host, policy, ...more });
const errorOf = (outcome: ToolOutcome): ToolError => {
  if (outcome.ok) throw new Error('the call was expected to fail');
  return outcome.error;
};
const denied = async (host: ToolHost, call: ToolCall, more: Partial<RegistryOptions> = {}) =>
  errorOf(await registryOf(host, more).dispatch(call));

describe('the way to a tool', () => {
  it(
    requirements(
      ['IB-01', 'IB-02', 'IB-13', 'RC-09', 'GR-01', 'WR-05'],
      'refuses in its order: each refusal hides those of the steps below',
    ),
    async () => {
      const bad: ToolCall = callOf('run_command', {
        caller: 'agent',
        providerExecuted: true,
        granted: [],
        modelArgs: { command: 'rm', timeout_ms: 1 },
        mapped: {},
        config: { args: Array.from({ length: 257 }, () => 'a'), env: { PATH: '/' } },
      });
      const steps: [Partial<ToolCall>, string, string][] = [
        [{}, 'tool_denied', 'provider_executed'],
        [{ providerExecuted: false, tool: 'no_tool' }, 'unknown_tool', ''],
        [{ tool: 'run_command' }, 'tool_denied', 'not_granted'],
        [{ granted: ['run_command'] }, 'invalid_args', 'not_settable'],
        [{ modelArgs: { command: 'rm' } }, 'invalid_args', 'too_large'],
        [{ config: { env: { PATH: '/' }, cwd: 1 } }, 'invalid_args', 'schema'],
        [{ config: { env: { PATH: '/' } } }, 'invalid_args', 'variable'],
        [{ config: { env: { NAME: 'a\0b' } } }, 'invalid_args', 'variable'],
        [{ config: {} }, 'tool_denied', 'command_not_allowed'],
        [{ modelArgs: { command: 'make' } }, 'tool_unavailable', 'no_capability'],
      ];
      let call = bad;
      for (const [change, code, reason] of steps) {
        call = { ...call, ...change };
        const error = await denied({}, call);
        expect([error.code, error.details.reason ?? '']).toEqual([code, reason]);
        expect((await registryOf({}).check(call)).code).toBe(code);
      }
    },
  );

  it(requirement('WR-04', 'lists what there is when a tool is unknown, and guesses nothing'), async () => {
    const error = await denied({}, callOf('readfile'));
    expect(error.message).toContain('read_file');
    expect(error.details.available).toHaveLength(13);
  });

  it(
    requirement('CP-04', 'puts the arguments of the author over those of a model, and lets neither set what belongs to the other'),
    async () => {
      const fs = memoryFileSystem({ 'docs/a.txt': 'A' });
      const agent = (parts: Partial<ToolCall>) => callOf('read_file', { caller: 'agent', ...parts });
      expect(await registryOf({ fs }).dispatch(agent({ modelArgs: { path: 'a.txt' }, config: { root: 'docs' } }))).toMatchObject({
        ok: true,
        output: { content: 'A' },
      });
      for (const modelArgs of [
        { path: 'a.txt', root: 'docs' },
        { path: 'a.txt', max_bytes: 1 },
      ]) {
        expect(await denied({ fs }, agent({ modelArgs }))).toMatchObject({ code: 'invalid_args', details: { reason: 'not_settable' } });
      }
      expect((await denied({ fs }, agent({ modelArgs: { path: 'x' }, config: { path: 'docs/a.txt' } }))).code).toBe('invalid_args');
      expect((await denied({ fs }, agent({ modelArgs: { path: 'x' }, mapped: { path: 'docs/a.txt' } }))).code).toBe('invalid_args');
      expect((await denied({ fs }, callOf('read_file', { mapped: { path: 'a.txt', root: 'docs' } }))).details).toMatchObject({
        field: 'root',
      });
    },
  );

  it('refuses secrets at any depth of the arguments', async () => {
    const marker = { $secret: 'token' };
    const calls = [
      callOf('mcp_call', { config: { server: 's', tool: 't', args: { deep: [{ value: marker }] } } }),
      callOf('http_request', { config: { method: 'POST', url: 'https://api.example.com/', body: { token: marker } } }),
    ];
    expect((await denied({}, calls[0]!)).details).toMatchObject({ reason: 'secret', at: '/args/deep/0/value' });
    expect((await denied({}, calls[1]!)).details).toMatchObject({ reason: 'secret' });
  });

  it('refuses a tool whose class needs a target and that names none', async () => {
    const silent: ToolDef = { ...builtinTools.find(({ id }) => id === 'run_command')!, policyTarget: () => undefined };
    const wrong: ToolDef = { ...silent, policyTarget: () => ({ kind: 'none' }) };
    for (const tool of [silent, wrong]) {
      const error = await denied({ process: memoryProcess({}) }, callOf('run_command', { config: { command: 'make' } }), { tools: [tool] });
      expect(error.details.reason).toBe('target_missing');
    }
  });

  it(requirements(['GC-04', 'GC-05'], 'keeps a commit from agents, and from nodes that nobody has approved'), async () => {
    const config = { message: 'done' };
    expect((await denied({}, callOf('git_commit', { config }))).details.reason).toBe('gate_required');
    expect((await denied({}, callOf('git_commit', { caller: 'agent', modelArgs: config, gateApproved: true }))).details.reason).toBe(
      'gate_required',
    );
    expect((await denied({}, callOf('git_commit', { config, gateApproved: true }))).code).toBe('tool_unavailable');
  });

  it('opens MCP servers and agents only as far as the caller holds them', async () => {
    const mcp = callOf('mcp_call', { config: { server: 'docs', tool: 'search' } });
    expect((await denied({}, mcp)).details.reason).toBe('not_granted');
    expect((await denied({}, { ...mcp, granted: ['mcp_call', 'mcp_docs_search'] })).code).toBe('tool_unavailable');
    const agent = callOf('invoke_agent', { config: { node_id: 'writer', input: 'x' } });
    expect((await denied({}, agent)).details.reason).toBe('not_granted');
    expect((await denied({}, { ...agent, invokes: ['writer'] })).code).toBe('tool_unavailable');
  });

  it(requirements(['HR-05', 'HR-06'], 'judges hosts exactly and only over https'), async () => {
    const reasonOf = async (url: string) => (await denied({}, callOf('http_request', { config: { method: 'GET', url } }))).details.reason;
    expect(await reasonOf('https://api.example.com/x')).toBe('no_capability');
    expect(await reasonOf('HTTPS://API.EXAMPLE.COM.:443/x')).toBe('no_capability');
    expect(await reasonOf('http://api.example.com/x')).toBe('insecure_url');
    for (const url of [
      'https://api.example.com.evil.test/',
      'https://evil.test/api.example.com',
      'https://api.example.com:8443/',
      'https://api.example.com@evil.test/',
      'https://evil.test\\@api.example.com/',
      'https://api.example.com\n.evil.test/',
      'https://xapi.example.com/',
      'https:///api.example.com/',
      'https://ap\u0456.example.com/',
    ]) {
      expect(await reasonOf(url)).toBe('domain_not_allowed');
    }
  });

  it(requirement('WR-07', 'reports that a capability is absent, with its name'), async () => {
    const error = await denied({}, callOf('notify', { config: { title: 'a', body: 'b' } }));
    expect(error).toMatchObject({ code: 'tool_unavailable', details: { capability: 'os' } });
  });
});

describe('files of a workflow', () => {
  it('reach no further than it asks for', async () => {
    const asked: string[] = [];
    const fs = memoryFileSystem({ 'a.txt': 'A' });
    const within = (scope: FileScope) => {
      asked.push(scope);
      return fs;
    };
    const host = { fs: { ...fs, within } };
    for (const fsScope of ['sandboxed', 'full'] as const) registryOf(host, { policy: { ...policy, fsScope } });
    expect(asked).toEqual(['sandboxed', 'full']);
  });
});

describe('answers of tools', () => {
  const failing = memoryProcess({
    make: () => ({ exitCode: 2, stderr: `${Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('')}password: hunter22\n` }),
  });

  it('count as a failure for a node and as a result for a model', async () => {
    const node = await denied({ process: failing }, callOf('run_command', { config: { command: 'make' } }));
    expect(node).toMatchObject({ code: 'tool_failed', message: 'run_command: make ended with exit code 2', details: { exitCode: 2 } });
    const tail = node.details.stderrTail as string;
    expect(tail.split('\n')).toHaveLength(20);
    expect(tail).toContain('line 29');
    expect(tail).not.toContain('hunter22');
    const agent = await registryOf({ process: failing }).dispatch(
      callOf('run_command', { caller: 'agent', modelArgs: { command: 'make' } }),
    );
    expect(agent).toMatchObject({ ok: true, output: { exitCode: 2 } });
    const accepted = await registryOf({ process: failing }).dispatch(
      callOf('run_command', { config: { command: 'make', ok_exit_codes: [2] } }),
    );
    expect(accepted.ok).toBe(true);
  });

  it(requirement('RB-03', 'pass through output_mapping whole, and its failure is an expression error'), async () => {
    const fs = memoryFileSystem({ 'a.txt': 'x'.repeat(100_000) });
    const call = callOf('read_file', {
      config: { path: 'a.txt' },
      mapOutput: (result) => ({ ok: true, value: { length: (result as { content: string }).content.length } }),
    });
    expect(await registryOf({ fs }).dispatch(call)).toMatchObject({ ok: true, output: { length: 100_000 } });
    const wrong = callOf('read_file', {
      config: { path: 'a.txt' },
      mapOutput: () => ({ ok: false, reason: 'runtime', message: 'x is not a function' }),
    });
    expect(await denied({ fs }, wrong)).toMatchObject({ code: 'expression_error', details: { reason: 'runtime' } });
  });

  it(
    requirements(
      ['RB-01', 'RB-02', 'RB-04', 'RB-05', 'RB-13'],
      'are bounded for a model and whole for the run, and the copy says where the rest is',
    ),
    async () => {
      const text = 'x'.repeat(200_000);
      const fs = memoryFileSystem({ 'a.txt': text });
      const spill = { keep: async () => '/spill/1.txt', holds: () => false };
      const outcome = await registryOf({ fs }, { spill }).dispatch(callOf('read_file', { caller: 'agent', modelArgs: { path: 'a.txt' } }));
      if (!outcome.ok) throw new Error(outcome.error.message);
      expect((outcome.output as { content: string }).content).toBe(text);
      expect(outcome.modelCopy!.length).toBeLessThanOrEqual(51_200);
      expect(outcome.modelCopy).toContain('/spill/1.txt');
      expect(outcome.summary.length).toBeLessThanOrEqual(500);
    },
  );

  it(requirements(['MK-02', 'MK-10'], 'are masked where they are shown, and handed on as they are'), async () => {
    const content = 'password: correct-horse-battery';
    const outcome = await registryOf({ fs: memoryFileSystem({ a: content }) }).dispatch(
      callOf('read_file', { caller: 'agent', modelArgs: { path: 'a' } }),
    );
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.output).toMatchObject({ content });
    expect(outcome.modelCopy).toContain(content);
    expect(outcome.summary).not.toContain('horse');
  });

  it(requirements(['RB-12', 'RB-15'], 'are bounded on a host that has no files, and say what is left out'), async () => {
    const process = memoryProcess({ make: () => ({ exitCode: 0, stdout: 'line\n'.repeat(20_000) }) });
    const outcome = await registryOf({ process }).dispatch(callOf('run_command', { caller: 'agent', modelArgs: { command: 'make' } }));
    if (!outcome.ok) throw new Error(outcome.error.message);
    const whole = JSON.stringify(outcome.output).length;
    const [, left] = /\[left out here: (\d+) bytes, \d+ line breaks\]/.exec(outcome.modelCopy ?? '') ?? [];
    expect(Number(left)).toBeGreaterThan(0);
    expect(outcome.modelCopy!.length).toBeLessThan(whole);
  });

  it('have the values of secrets replaced before anything else sees them', async () => {
    const secrets = knownSecrets();
    secrets.add('hunter22');
    const fs = memoryFileSystem({ 'a.txt': 'the word is hunter22' });
    const call = callOf('read_file', {
      config: { path: 'a.txt' },
      mapOutput: (result) => ({ ok: true, value: (result as { content: string }).content }),
    });
    expect(await registryOf({ fs }, { secrets }).dispatch(call)).toMatchObject({
      output: 'the word is [masked]',
      summary: '"the word is [masked]"',
    });
  });

  it('of a host that fails keep code, reason and details', async () => {
    const process = {
      run: () =>
        Promise.reject(new HostError('timeout', 'timeout', 'make did not end', { treeEnded: true, stderrTail: 'token: fakeTokenValue07' })),
    };
    const error = await denied({ process }, callOf('run_command', { config: { command: 'make' } }));
    expect(error).toMatchObject({ code: 'timeout', details: { reason: 'timeout', treeEnded: true, stderrTail: 'token: [masked]' } });
  });

  it('that are no HostError are faults and are thrown', async () => {
    const process = { run: () => Promise.reject(new TypeError('a bug')) };
    await expect(registryOf({ process }).dispatch(callOf('run_command', { config: { command: 'make' } }))).rejects.toThrow('a bug');
  });

  it('are shown masked while they come', async () => {
    const shown: string[] = [];
    const process = memoryProcess({ make: () => ({ stdout: 'token: fakeTokenValue07 (old)\nnext\n' }) });
    const context = {
      node: 'a',
      attempt: 1,
      signal: new AbortController().signal,
      onOutput: (_stream: string, text: string) => shown.push(text),
    };
    await registryOf({ process }).dispatch(callOf('run_command', { config: { command: 'make' }, context }));
    expect(shown.join('')).toBe('token: [masked] (old)\nnext\n');
  });
});

describe('people and the journal', () => {
  const command = callOf('run_command', { config: { command: 'make' } });

  it('are asked before a governed call, and a refusal does nothing', async () => {
    const asked: string[] = [];
    const approve = (answer: 'approved' | 'rejected' | 'no_hook') => ({
      decide: async ({ preview }: { readonly preview: string }) => {
        asked.push(preview);
        return answer;
      },
    });
    let runs = 0;
    const process = memoryProcess({ make: () => ({ exitCode: runs++ * 0 }) });
    expect((await denied({ process }, { ...command, approval: approve('rejected') })).details.reason).toBe('rejected_by_user');
    expect((await denied({ process }, { ...command, approval: approve('no_hook') })).details.reason).toBe('no_approval_hook');
    expect(runs).toBe(0);
    expect((await registryOf({ process }).dispatch({ ...command, approval: approve('approved') })).ok).toBe(true);
    expect(runs).toBe(1);
    await registryOf({ fs: memoryFileSystem({ a: 'x' }) }).dispatch(
      callOf('read_file', { config: { path: 'a' }, approval: approve('rejected') }),
    );
    expect(asked).toEqual(['["make"]', '["make"]', '["make"]']);
  });

  it('see what would be touched, and where that is too long for them, how much of it they do not see', async () => {
    const seen: string[] = [];
    const approval = {
      decide: async ({ preview }: { readonly preview: string }) => {
        seen.push(preview);
        return 'rejected' as const;
      },
    };
    const ask = async (call: ToolCall) => denied({ fs: memoryFileSystem({}), process: memoryProcess({}) }, { ...call, approval });
    await ask(callOf('write_file', { config: { path: `notes/${'x/../'.repeat(200)}../package.json`, content: '' } }));
    await ask(callOf('run_command', { config: { command: 'make' } }));
    const open = { policy: { ...policy, allowedCommandGlobs: ['make *'] } };
    await denied(
      { process: memoryProcess({}) },
      callOf('run_command', { config: { command: 'make', args: ['a'.repeat(9_000), 'END'] }, approval }),
      open,
    );
    expect(seen.slice(0, 2)).toEqual(['"package.json"', '["make"]']);
    expect(seen[2]).toMatch(/^\["make","a+… \(\d+ characters are not shown here\) a+","END"\]$/u);
    expect(seen[2]!.length).toBeLessThan(4_100);
  });

  it('are not asked about a path that is refused anyway', async () => {
    const approval = { decide: () => Promise.reject(new Error('not to be asked')) };
    const effects = { prepare: () => Promise.reject(new Error('not to be asked')) };
    const call = callOf('write_file', { config: { path: '../x', content: '' }, approval });
    expect((await denied({ fs: memoryFileSystem() }, call, { effects })).details.reason).toBe('path_denied');
  });

  it(requirement('GC-06', 'who approve the call of an agent have not answered a gate'), async () => {
    const approval = { decide: async () => 'approved' as const };
    const call = callOf('git_commit', { caller: 'agent', modelArgs: { message: 'm' }, approval });
    expect((await denied({}, call)).details.reason).toBe('gate_required');
  });

  it(
    requirements(['IB-03', 'IB-04', 'IB-05'], 'hear nothing of a call whose arguments are too large, and neither does the host'),
    async () => {
      const heard: string[] = [];
      const hears = (who: string) => async () => {
        heard.push(who);
        throw new Error(`${who} was not to be asked`);
      };
      const fs = { ...memoryFileSystem(), write: hears('the host'), check: hears('the policy for files'), within: () => fs };
      const call = callOf('write_file', {
        config: { path: 'a', content: 'x'.repeat(8_388_609) },
        approval: { decide: hears('a person') },
      });
      const error = await denied({ fs: fs as never }, call, { effects: { prepare: hears('the journal') } });
      expect([error.code, error.details.reason, heard]).toEqual(['invalid_args', 'too_large', []]);
    },
  );

  it('hear of an effect before and after it, and a settled one is not done again', async () => {
    const log: string[] = [];
    let runs = 0;
    const process = memoryProcess({ make: () => ({ exitCode: runs++ === 0 ? 3 : 0 }) });
    const effects = {
      prepare: async ({ effect }: { readonly effect: string }) => {
        log.push(`prepare ${effect}`);
        return { kind: 'go' as const, settle: async ({ kind }: { readonly kind: string }) => void log.push(kind) };
      },
    };
    await registryOf({ process }, { effects }).dispatch(command);
    await registryOf({ process }, { effects }).dispatch(command);
    expect(log).toEqual(['prepare once', 'failed', 'prepare once', 'committed']);
    const done = { prepare: async () => ({ kind: 'done' as const, result: { exitCode: 0 } }) };
    expect(await registryOf({ process }, { effects: done }).dispatch(command)).toMatchObject({ ok: true, output: { exitCode: 0 } });
    expect(runs).toBe(2);
    const unknown = { prepare: async () => ({ kind: 'attention' as const, message: 'it may have happened' }) };
    expect((await denied({ process }, command, { effects: unknown })).code).toBe('effect_needs_attention');
  });

  it('do not hear of reads', async () => {
    const effects = { prepare: () => Promise.reject(new Error('not to be asked')) };
    const fs = memoryFileSystem({ 'a.txt': 'x' });
    expect((await registryOf({ fs }, { effects }).dispatch(callOf('read_file', { config: { path: 'a.txt' } }))).ok).toBe(true);
  });

  it(requirements(['MK-01', 'MP-07'], 'see previews masked and short'), () => {
    const preview = registryOf({}).preview({
      modelArgs: { command: 'x'.repeat(5_000) },
      mapped: {},
      config: { env: { API_KEY: 'fakeapikeyvalue01' } },
    });
    expect(preview.length).toBeLessThanOrEqual(2_048);
    expect(registryOf({}).preview({ modelArgs: {}, mapped: { args: ['--token', 'abc'] }, config: { password: 'x' } })).toBe(
      '{"args":["--token","[masked]"],"password":"[masked]"}',
    );
  });

  it('a call that is cancelled already is not begun', async () => {
    const controller = new AbortController();
    controller.abort();
    const context = { node: 'a', attempt: 1, signal: controller.signal };
    const error = await denied({ process: memoryProcess({ make: () => ({}) }) }, { ...command, context });
    expect(error.code).toBe('cancelled');
  });
});
