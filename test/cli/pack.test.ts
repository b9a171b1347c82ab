import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { environment, folderWith, repository } from './relavium.js';

const run = promisify(execFile);
const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, env: environment() });

describe('the package', () => {
  it('installs without a network into an empty folder and works there', { timeout: 120_000 }, async () => {
    const folder = folderWith({ 'package.json': '{ "private": true }' });
    await npm(['pack', '--pack-destination', folder], join(repository, 'hosts/cli'));
    const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    await npm(['install', `./${tarball}`], folder);

    const command = join(folder, 'node_modules/.bin/relavium');
    const relavium = (...args: readonly string[]) => run(command, [...args], { cwd: folder, env: environment({ RELAVIUM_DEBUG: '1' }) });
    expect((await relavium('--version')).stdout).toBe('0.1.0\n');
    await expect(relavium('run', 'hello')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('relavium init') });
    await relavium('init');
    const { stdout } = await run('npx', ['--offline', 'relavium', 'run', '-q', 'hello'], { cwd: folder, env: environment() });
    expect(stdout).toMatch(/^Hello, world! This folder holds .*node_modules.*\n$/);
    expect((await relavium('lint', '--strict')).stdout).toBe('no problems in 1 file\n');
    const program = join(folder, 'node_modules/relavium/dist/main.js');
    const before = readFileSync(program);
    writeFileSync(
      join(folder, 'w.relavium.yaml'),
      "schema_version: '1.0'\nworkflow:\n  id: w\n  nodes: [{ id: x, type: tool, tool: write_file, tool_config: { path: node_modules/relavium/dist/main.js, content: x } }]\n",
    );
    await expect(relavium('run', 'w.relavium.yaml')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no tool may change it'),
    });
    expect(readFileSync(program).equals(before)).toBe(true);
    expect((await relavium('eval', '[1, 2, 3].map(n => n * 2).at(-1)')).stdout).toBe('6\n');
  });

  it('has no dependencies, holds what it needs, and names whose work is in it', () => {
    const manifest = JSON.parse(readFileSync(join(repository, 'hosts/cli/package.json'), 'utf8'));
    expect(manifest.dependencies).toBeUndefined();
    const dist = join(repository, 'hosts/cli/dist');
    for (const file of ['main.js', 'expression-worker.js', 'quickjs.wasm', 'LICENSE', 'third-party-licenses.txt']) {
      expect({ file, exists: existsSync(join(dist, file)) }).toEqual({ file, exists: true });
    }
    expect(statSync(join(dist, 'main.js')).size).toBeLessThan(4_096);
    const licenses = readFileSync(join(dist, 'third-party-licenses.txt'), 'utf8');
    for (const name of ['acorn', 'commander', 'p-queue', 'quickjs-wasi', 're2js', 'smol-toml', 'yaml'])
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});
