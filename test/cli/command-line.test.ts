import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binary, ended, environment, folderWith, relavium, repository, start } from './relavium.js';

const version = JSON.parse(readFileSync(join(repository, 'hosts/cli/package.json'), 'utf8')).version;

describe('the command line', () => {
  it.each([['-V'], ['--version'], ['run', '-V']])('prints the version for %s', async (...args) => {
    expect(await relavium(args)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([[['--help']], [['run', '-h']], [['tools', 'check', '--help']]])('prints help on standard output for %j', async (args) => {
    const { code, stdout, stderr } = await relavium(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: relavium');
  });

  it.skipIf(!existsSync('/dev/full'))('fails where its results cannot be written, and says so', () => {
    const full = openSync('/dev/full', 'w');
    for (const args of [
      ['eval', '1 + 1'],
      ['run', 'workflows/hello.relavium.yaml'],
      ['explain', '--json'],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [binary, ...args], {
        cwd: repository,
        env: environment(),
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      expect([args[0], status, stderr]).toEqual([args[0], 1, expect.stringContaining('standard output cannot be written to (ENOSPC)')]);
    }
    closeSync(full);
  });

  it('offers exactly the commands that there are', async () => {
    const { stdout } = await relavium(['--help']);
    const commands = stdout
      .slice(stdout.indexOf('Commands:'))
      .split('\n')
      .flatMap((line) => /^ {2}([a-z]+)/.exec(line)?.[1] ?? []);
    expect(commands).toEqual(['init', 'run', 'watch', 'batch', 'lint', 'graph', 'eval', 'schema', 'explain', 'tools', 'mask', 'doctor']);
  });

  it.each([
    [[], 'Usage: relavium'],
    [['rum'], 'Did you mean run?'],
    [['run', '--no-such-flag'], 'unknown option'],
    [['graph'], 'missing required argument'],
    [['run', 'x', '--max-parallel', '0'], 'whole number from 1 to 64'],
    [['run', 'x', '--timeout', 'soon'], 'number of seconds'],
    [['run', 'x', '--tier', 'root'], 'Allowed choices'],
    [['schema', 'nothing'], 'Allowed choices'],
    [['lint', '--cwd', '/no/such/place'], 'there is no directory'],
    [['lint', '--config', 'no.toml'], 'there is no file'],
    [['run', 'workflows/hello.relavium.yaml', '--root', '.'], 'Add --tier project'],
    [['run', 'workflows/hello.relavium.yaml', '--tier', 'project', '--root', 'nowhere'], 'there is no such directory'],
  ])('ends with 2 for %j and says why on standard error', async (args, words) => {
    const { code, stdout, stderr } = await relavium(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('takes global flags before and after the command', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': 'nonsense' });
    const before = await relavium(['--json', '--cwd', cwd, 'lint']);
    const after = await relavium(['lint', '--cwd', cwd, '--json']);
    expect(before).toEqual(after);
    expect(JSON.parse(before.stdout.split('\n')[0] ?? '').file).toBe('w.relavium.yaml');
  });

  it('colours by the flag, FORCE_COLOR and NO_COLOR, and never a pipe on its own', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': 'nonsense' });
    const coloured = async (args: readonly string[], env = {}) =>
      (await relavium(['lint', ...args], { cwd, env })).stdout.includes('\u001b[');
    expect(await coloured([])).toBe(false);
    expect(await coloured([], { FORCE_COLOR: '1' })).toBe(true);
    expect(await coloured([], { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await coloured(['--color'], { NO_COLOR: '1' })).toBe(true);
    expect(await coloured(['--no-color'], { FORCE_COLOR: '1' })).toBe(false);
  });

  it('does not crash when nobody reads its output any more', async () => {
    for (const args of [['--version'], ['--help'], ['run', '--help'], ['explain'], ['schema', 'workflow'], ['tools', 'list']]) {
      const child = start(args);
      child.stdin?.end();
      child.stdout?.destroy();
      const { code, stderr } = await ended(child);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    }
  });

  it.runIf(process.platform !== 'win32')('works with standard output, standard error or standard input closed', () => {
    for (const redirect of ['>&-', '2>&-', '<&-', '>&- 2>&-']) {
      const { status, signal } = spawnSync('sh', ['-c', `"$0" "$1" explain unknown_key ${redirect}`, process.execPath, binary], {
        env: environment(),
      });
      expect({ redirect, status, signal }).toEqual({ redirect, status: 0, signal: null });
    }
  });
});
