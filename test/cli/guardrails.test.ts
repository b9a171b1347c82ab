import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ended, folderWith, relavium, start } from './relavium.js';

describe('relavium mask', () => {
  it('passes lines on while they come', async () => {
    const child = start(['mask']);
    const outcome = ended(child);
    child.stdin?.write('password: hunter22\nrest');
    const [first] = (await once(child.stdout!, 'data')) as [Buffer];
    expect(first.toString()).toBe('password: [masked]\n');
    child.stdin?.end(' of it\n');
    expect(await outcome).toMatchObject({ code: 0 });
  });

  it('ends when nobody reads any more', async () => {
    const child = start(['mask']);
    child.stdin?.on('error', () => {});
    const feeding = setInterval(() => child.stdin?.write('line\n'.repeat(1000)), 1);
    await once(child.stdout!, 'data');
    child.stdout?.destroy();
    const ending = once(child, 'exit');
    expect(await Promise.race([ending.then(() => 'ended'), pause(5_000, 'still there')])).toBe('ended');
    clearInterval(feeding);
  });

  it('refuses what is no text', async () => {
    const child = start(['mask']);
    const outcome = ended(child);
    child.stdin?.end(Buffer.from([0x61, 0x0a, 0xff, 0x0a]));
    expect(await outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('not UTF-8') });
  });
});

describe('relavium tools check', () => {
  const check = async (...args: readonly string[]) => relavium(['tools', 'check', ...args], { cwd: folderWith({ 'a.txt': 'x' }) });

  it('judges the paths of another platform by their spelling', async () => {
    const windows = (path: string) => check('read_file', '--platform', 'win32', '--args', JSON.stringify({ path }));
    expect((await windows('sub\\a.txt')).stdout).toBe('allow read_file\n');
    for (const path of ['C:\\Windows\\a.txt', 'C:a.txt', '\\\\host\\share\\a', 'a.txt:stream', 'sub\\con', '..\\a.txt', 'sub\\.ENV'])
      expect(await windows(path)).toMatchObject({ code: 1, stdout: expect.stringContaining('path_denied') });
  });

  it('takes no flag with --jsonl that requests say for themselves', async () => {
    for (const flags of [['--allow-command', 'ls'], ['--tier', 'full'], ['--platform', 'win32'], ['--args', '{}'], ['run_command']]) {
      const { code, stderr } = await check('--jsonl', ...flags);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/has no effect with --jsonl/)]);
      expect(stderr).toContain(flags[0]);
    }
    expect((await check('--jsonl')).code).toBe(0);
  });

  it('gives a chat no full tier', async () => {
    const args = ['read_file', '--args', '{"path":"/etc/hosts"}', '--tier', 'full'];
    expect((await check(...args)).code).toBe(0);
    expect((await check(...args, '--surface', 'chat')).code).toBe(1);
  });

  it('judges the addresses that a name is said to resolve to', async () => {
    const fetching = (resolved: string) =>
      check(
        'http_request',
        '--args',
        '{"method":"GET","url":"https://api.example.com/"}',
        '--allow-domain',
        'api.example.com',
        '--resolve',
        resolved,
      );
    expect((await fetching('api.example.com=8.8.8.8,169.254.169.254')).stdout).toContain('address_blocked');
    expect((await fetching('api.example.com=8.8.8.8')).stdout).not.toContain('address_blocked');
    expect((await fetching('nonsense')).code).toBe(2);
  });

  it('says of a denial which rule it is, where it stands, what broke it and what would allow it', async () => {
    const cwd = folderWith({
      'w.relavium.yaml': `schema_version: '1.0'
workflow:
  id: w
  tools: { allowedCommands: ['make'] }
  nodes: [{ id: a, type: tool, tool: run_command, tool_config: { command: make } }]
`,
    });
    const { stdout } = await relavium(
      ['tools', 'check', 'run_command', '--args', '{"command":"make","args":["install"]}', '--workflow', 'w.relavium.yaml'],
      { cwd },
    );
    expect(stdout).toContain(
      '  rule:  tools.allowedCommands\n  from:  w.relavium.yaml\n  value: make install\n  these lines would allow it:\n  │ tools:\n',
    );
    expect(stdout).toContain("- 'make install'\n");
  });
});

describe('a run', () => {
  it('does not change the files that it was made from, by a tool or by save_to', async () => {
    const flow = (node: string) => `schema_version: '1.0'
workflow:
  id: w
  nodes: [{ id: x, ${node} }]
`;
    const nodes = [
      'type: tool, tool: write_file, tool_config: { path: w.relavium.yaml, content: x }',
      'type: tool, tool: write_file, tool_config: { path: sub/../w.relavium.yaml, content: x, append: true }',
      "type: output, value: '1', save_to: w.relavium.yaml",
    ];
    for (const node of nodes) {
      const cwd = folderWith({ 'w.relavium.yaml': flow(node), 'sub/a.txt': 'x' });
      const { code, stderr } = await relavium(['run', 'w.relavium.yaml'], { cwd });
      expect([node, code, stderr]).toEqual([node, 1, expect.stringContaining('the run is made of this file')]);
      expect(readFileSync(join(cwd, 'w.relavium.yaml'), 'utf8')).toBe(flow(node));
    }
  });
});
