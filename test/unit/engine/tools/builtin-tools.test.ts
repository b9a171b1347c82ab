import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../engine/src/registry/create-registry.js';
import { memoryFileSystem } from '../../../../engine/src/testing/memory-file-system.js';
import { memoryProcess } from '../../../../engine/src/testing/memory-process.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { templateFileReader } from '../../../../engine/src/tools/template-file-reader.js';
import { requirement, requirements } from '../../requirement.js';
import { callOf } from '../registry/call-of.js';

const policy = { allowedCommands: [['make']], allowedCommandGlobs: [], allowedDomains: [], fsScope: 'sandboxed' } as const;
const byId = (id: string) => builtinTools.find((tool) => tool.id === id)!;

describe('the built-in tools', () => {
  it(requirements(['TK-07', 'RC-08'], 'are thirteen, each with a schema that is strict and a text for models'), () => {
    expect(builtinTools.map(({ id }) => id)).toEqual([
      'read_file',
      'write_file',
      'list_directory',
      'run_command',
      'http_request',
      'web_search',
      'git_status',
      'git_commit',
      'read_clipboard',
      'notify',
      'mcp_call',
      'invoke_agent',
      'read_media',
    ]);
    for (const tool of builtinTools) {
      expect(tool.source).toBe('builtin');
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.description.length).toBeGreaterThan(30);
      const names = Object.keys((tool.parameters.properties ?? {}) as object);
      for (const name of tool.configOnly) expect(names).toContain(name);
    }
  });

  it(requirements(['IB-29', 'IB-32'], 'state their limits to models in UTF-8 bytes'), () => {
    for (const tool of builtinTools) {
      for (const bound of tool.bounds ?? []) {
        const limits = bound.kind === 'list' ? [bound.maxEntries, bound.maxEntryBytes, bound.maxTotalBytes] : [bound.maxBytes];
        for (const limit of limits) expect(tool.description).toContain(String(limit));
        expect(tool.description).toContain(bound.argument);
      }
    }
  });

  it(requirements(['CP-02', 'CP-06', 'IB-33'], 'keep what only an author may set out of the reach of models'), () => {
    expect(
      Object.fromEntries(
        builtinTools.filter(({ configOnly }) => configOnly.length > 0).map(({ id, configOnly }) => [id, [...configOnly].sort()]),
      ),
    ).toEqual({
      read_file: ['max_bytes', 'root'],
      write_file: ['root'],
      list_directory: ['max_entries', 'root'],
      run_command: ['cwd', 'env', 'max_output_bytes', 'ok_exit_codes', 'secret_env', 'stdin', 'timeout_ms'],
      http_request: ['credential_ref', 'credentials', 'follow_redirects', 'idempotency_key', 'max_bytes', 'ok_status', 'timeout_ms'],
      web_search: ['credential_ref', 'endpoint', 'provider'],
      git_status: ['args'],
      git_commit: ['hooks'],
    });
  });

  it('say what repeating a call would do', () => {
    const effectOf = (id: string, args: Parameters<ReturnType<typeof byId>['policyTarget']>[0]) => {
      const { effect } = byId(id);
      return typeof effect === 'function' ? effect(args) : effect;
    };
    expect(effectOf('write_file', { path: 'a', content: '' })).toBe('receipt');
    expect(effectOf('write_file', { path: 'a', content: '', append: true })).toBe('once');
    expect(effectOf('http_request', { method: 'GET' })).toBe('none');
    expect(effectOf('http_request', { method: 'POST' })).toBe('once');
    expect(effectOf('run_command', {})).toBe('once');
    expect(effectOf('notify', {})).toBe('benign');
    expect(effectOf('read_file', {})).toBe('none');
  });

  it('take either a path or a pattern to read, and either lines or bytes', () => {
    const isValid = (args: Parameters<ReturnType<typeof byId>['validate']>[0]) => byId('read_file').validate(args).length === 0;
    expect(isValid({ path: 'a' })).toBe(true);
    expect(isValid({ glob: '*' })).toBe(true);
    for (const args of [
      {},
      { path: 'a', glob: '*' },
      { path: 'a', start_line: 0 },
      { path: 'a', start_line: 1, start_byte: 0 },
      { path: 'a', other: 1 },
      { path: '' },
    ]) {
      expect(isValid(args)).toBe(false);
    }
  });

  it(requirement('EN-05', 'hand a command over as it was written, with what the author has set'), async () => {
    const seen: unknown[] = [];
    const process = memoryProcess({
      make: (request) => {
        seen.push(request);
        return {};
      },
    });
    const registry = createRegistry({ tools: builtinTools, host: { process }, policy });
    const config = { command: 'make', env: { CI: '1' }, cwd: 'sub', stdin: 'in', timeout_ms: 5, max_output_bytes: 10 };
    await registry.dispatch(callOf('run_command', { config }));
    await registry.dispatch(callOf('run_command', { config: { command: 'make' } }));
    expect(seen).toEqual([
      { command: 'make', args: [], env: { CI: '1' }, cwd: 'sub', stdin: 'in', timeoutMs: 5, maxOutputBytes: 10 },
      { command: 'make', args: [], env: {}, maxOutputBytes: 1_048_576 },
    ]);
  });

  it('do not pretend to hand over secrets that nobody can look up', async () => {
    const registry = createRegistry({ tools: builtinTools, host: { process: memoryProcess({ make: () => ({}) }) }, policy });
    const outcome = await registry.dispatch(
      callOf('run_command', { config: { command: 'make', secret_env: { API_TOKEN: 'github_token' } } }),
    );
    expect(outcome).toMatchObject({ ok: false, error: { code: 'tool_unavailable', details: { capability: 'secrets' } } });
  });
});

describe('files that templates read', () => {
  const context = { node: 'a', attempt: 1, signal: new AbortController().signal };

  it('come through the same files as the tool, and refusals are values', async () => {
    const read = templateFileReader(memoryFileSystem({ 'a.txt': 'A' }), policy, context);
    expect(await read('a.txt')).toEqual({ ok: true, text: 'A' });
    expect(await read('none.txt')).toMatchObject({ ok: false, code: 'tool_failed' });
    expect(await read('../a.txt')).toMatchObject({ ok: false, code: 'tool_denied' });
    expect(await templateFileReader(undefined, policy, context)('a.txt')).toMatchObject({ ok: false, code: 'tool_unavailable' });
  });
});
