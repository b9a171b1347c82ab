import { describe, expect, it } from 'vitest';
import { type BuiltinToolId, toolParameters, validateToolArguments } from '../../../schemas/src/tools.js';
import { requirements } from '../requirement.js';

describe('the arguments of a tool', () => {
  const accepted: readonly (readonly [BuiltinToolId, unknown])[] = [
    ['read_file', { path: 'a', encoding: 'utf-8', start_line: 1, line_count: 2, root: 'x', max_bytes: 1 }],
    ['read_file', { glob: '**/*.md' }],
    ['read_file', { path: 'a', start_byte: 0, byte_count: 1 }],
    ['write_file', { path: 'a', content: '', append: true, create_parents: false, root: 'x' }],
    ['write_file', { path: 'a', content: 'a'.repeat(8_388_608) }],
    ['list_directory', { path: '.', recursive: true, glob: '*', root: 'x', max_entries: 1 }],
    [
      'run_command',
      {
        command: 'x',
        args: Array(256).fill(''),
        cwd: '.',
        env: { A: 'b' },
        secret_env: { T: 'token' },
        stdin: '',
        ok_exit_codes: [1],
        max_output_bytes: 1,
        timeout_ms: 1,
      },
    ],
    [
      'http_request',
      {
        method: 'PATCH',
        url: 'https://example.com',
        headers: { a: 'b' },
        body: '',
        timeout_ms: 1,
        max_bytes: 1,
        follow_redirects: false,
        ok_status: [404],
        idempotency_key: 'k',
      },
    ],
    ['http_request', { method: 'POST', url: 'https://example.com', body: { a: [1] }, credential_ref: 'token' }],
    ['web_search', { query: 'x', max_results: 3, provider: 'searxng', endpoint: 'https://example.com', credential_ref: 'k' }],
    ['git_status', { subcommand: 'diff', args: ['--stat'] }],
    ['git_commit', { message: 'm', pathspecs: ['a'], hooks: true }],
    ['read_clipboard', {}],
    ['notify', { title: 't', body: '', actions: ['ok'] }],
    ['mcp_call', { server: 's', tool: 't', args: { any: 1 } }],
    ['invoke_agent', { node_id: 'n', input: null }],
    ['read_media', { handle: `media://sha256-${'a'.repeat(64)}` }],
  ];
  for (const [tool, value] of accepted) {
    it(`of ${tool} are accepted: ${JSON.stringify(value).slice(0, 60)}`, () => {
      expect(validateToolArguments(tool, value).ok).toBe(true);
    });
  }

  const refused: readonly (readonly [string, BuiltinToolId, unknown])[] = [
    ['neither path nor glob', 'read_file', {}],
    ['path and glob', 'read_file', { path: 'a', glob: 'b' }],
    ['lines and bytes', 'read_file', { path: 'a', start_line: 1, byte_count: 1 }],
    ['more content than 8 MiB', 'write_file', { path: 'a', content: 'a'.repeat(8_388_609) }],
    ['content that is only like a string', 'write_file', { path: 'a', content: { length: 1 } }],
    ['257 arguments', 'run_command', { command: 'x', args: Array(257).fill('') }],
    ['an argument that is a number', 'run_command', { command: 'x', args: ['a', 1] }],
    ['an argument above 16 KiB', 'run_command', { command: 'x', args: ['a'.repeat(16_385)] }],
    ['a body above 1 MiB', 'http_request', { method: 'POST', url: 'https://example.com', body: 'a'.repeat(1_048_577) }],
    ['a method that is not offered', 'http_request', { method: 'TRACE', url: 'https://example.com' }],
    ['an empty message', 'git_commit', { message: '' }],
    ['a subcommand that changes something', 'git_status', { subcommand: 'push' }],
    ['an argument that the tool does not have', 'read_clipboard', { path: 'a' }],
    ['a handle that is none', 'read_media', { handle: 'media://sha256-AA' }],
  ];
  for (const [what, tool, value] of refused) {
    it(`of ${tool} are refused: ${what}`, () => {
      expect(validateToolArguments(tool, value).ok).toBe(false);
    });
  }

  it(requirements(['IB-34'], 'have limits only where the tool names one'), () => {
    const long = 'x'.repeat(2_000_000);
    expect(validateToolArguments('notify', { title: 't', body: long }).ok).toBe(true);
    expect(validateToolArguments('git_status', { subcommand: 'log', args: [long] }).ok).toBe(true);
  });
});

describe('the parameters of the tools', () => {
  it(requirements(['CP-01'], 'say which of them only an author sets'), () => {
    const configOnly = Object.fromEntries(Object.entries(toolParameters).map(([tool, { configOnly }]) => [tool, configOnly]));
    expect(configOnly).toEqual({
      read_file: ['root', 'max_bytes'],
      write_file: ['root'],
      list_directory: ['root', 'max_entries'],
      run_command: ['cwd', 'env', 'secret_env', 'stdin', 'ok_exit_codes', 'max_output_bytes', 'timeout_ms'],
      http_request: ['timeout_ms', 'max_bytes', 'follow_redirects', 'credential_ref', 'credentials', 'ok_status', 'idempotency_key'],
      web_search: ['provider', 'endpoint', 'credential_ref'],
      git_status: ['args'],
      git_commit: ['hooks'],
      read_clipboard: [],
      notify: [],
      mcp_call: [],
      invoke_agent: [],
      read_media: [],
    });
  });

  it(
    requirements(['IB-27', 'IB-28'], 'describe each argument, and name limits in bytes of UTF-8, and what stands for one that is left out'),
    () => {
      const described = Object.entries(toolParameters).flatMap(([tool, { schema }]) =>
        Object.entries(
          schema.properties as Readonly<
            Record<string, { readonly description?: string; readonly $ref?: string; readonly maxLength?: number }>
          >,
        ).map(([name, property]) => ({ at: `${tool}.${name}`, ...property })),
      );
      expect(described.filter((property) => property.description === undefined && property.$ref === undefined)).toEqual([]);
      const bounded = described.filter((property) => (property.maxLength ?? 0) > 1000);
      expect(bounded.map((property) => property.at)).toEqual(['git_commit.message', 'http_request.body', 'write_file.content']);
      expect(bounded.filter((property) => !/\d+ bytes\) as UTF-8/.test(property.description ?? ''))).toEqual([]);
      const optional = described.filter(({ at }) => at === 'http_request.body' || at === 'run_command.args');
      expect(optional.map(({ description }) => /left out: none|none by default/.test(description ?? ''))).toEqual([true, true]);
    },
  );
});
