import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcessHost } from '../../../../hosts/node/src/process/process-host.js';
import { requirement, requirements } from '../../requirement.js';

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'process-')));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

interface Request {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly maxOutputBytes?: number;
  readonly timeoutMs?: number;
}

const quiet = { node: 'test', attempt: 1, signal: new AbortController().signal };
const host = (environment: Readonly<Record<string, string | undefined>> = process.env) => createProcessHost({ workspace, environment });
const run = ({ args = [], env = {}, maxOutputBytes = 1_048_576, ...request }: Request, context = quiet) =>
  host().run({ args, env, maxOutputBytes, ...request }, context);
const shell = (script: string, more: Omit<Request, 'command' | 'args'> = {}) => run({ command: 'sh', args: ['-c', script], ...more });
const path = (name: string) => join(workspace, name);
const pidIn = (name: string) => Number(readFileSync(path(name), 'utf8').trim());

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

describe('a command', () => {
  it(requirement('RC-02', 'gives its output, its exit code and how long it took'), async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      durationMs: expect.any(Number),
    });
  });

  it(requirements(['RC-01', 'EN-01'], 'gets its arguments as they are: nothing is expanded'), async () => {
    expect((await run({ command: 'echo', args: ['$HOME', '*', 'a  b', '`id`', ''] })).stdout).toBe('$HOME * a  b `id` \n');
  });

  it('that dies by a signal is reported as shells report it', async () => {
    expect((await shell('kill -9 $$')).exitCode).toBe(137);
    expect((await shell('kill -15 $$')).exitCode).toBe(143);
  });

  it('reads end of file at once, or what it is given', async () => {
    expect((await run({ command: 'cat' })).stdout).toBe('');
    expect((await run({ command: 'cat', stdin: 'grüße\n' })).stdout).toBe('grüße\n');
    expect((await run({ command: 'true', stdin: 'x'.repeat(1_000_000) })).exitCode).toBe(0);
  });

  it(
    requirements(['EN-02', 'EN-03', 'EN-04', 'EN-07', 'EN-08'], 'sees the few harmless variables of the host and those that are declared'),
    async () => {
      const environment = { ...process.env, SECRET_OF_HOST: 'x', NODE_OPTIONS: '', LC_TIME: 'C', PATH: `relative:.::${process.env.PATH}` };
      const { stdout } = await host(environment).run({ command: 'env', args: [], env: { DECLARED: 'yes' }, maxOutputBytes: 10_000 }, quiet);
      const seen = Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/su).slice(0, 2)),
      );
      expect(seen).toMatchObject({
        DECLARED: 'yes',
        LC_TIME: 'C',
        PATH: process.env
          .PATH!.split(':')
          .filter((folder) => folder.startsWith('/'))
          .join(':'),
      });
      expect(Object.keys(seen).filter((name) => !/^(?:PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|DECLARED)$/u.test(name))).toEqual([]);
    },
  );

  it('runs in the workspace or a folder of it, and nowhere else', async () => {
    mkdirSync(path('sub'));
    symlinkSync('/', path('out'));
    expect((await run({ command: 'pwd' })).stdout).toBe(`${workspace}\n`);
    expect((await run({ command: 'pwd', cwd: 'sub' })).stdout).toBe(`${workspace}/sub\n`);
    for (const cwd of ['..', '/', 'out', 'sub/../..'])
      await expect(run({ command: 'pwd', cwd })).rejects.toMatchObject({ code: 'tool_denied', reason: 'path_denied' });
    await expect(run({ command: 'pwd', cwd: 'none' })).rejects.toMatchObject({ code: 'tool_failed', reason: 'no_cwd' });
  });

  it(requirement('EN-06', 'cannot be shadowed by a file of the workspace, unless a path is written'), async () => {
    mkdirSync(path('bin'));
    for (const name of ['true', 'bin/true', 'bin/only-here']) {
      writeFileSync(path(name), '#!/bin/sh\necho shadow\n');
      chmodSync(path(name), 0o755);
    }
    const link = `${workspace}-link`;
    symlinkSync(path('bin'), link);
    const environment = { ...process.env, PATH: `${path('bin')}:${workspace}:.:${link}:${process.env.PATH}` };
    const start = (command: string) => host(environment).run({ command, args: [], env: {}, maxOutputBytes: 100 }, quiet);
    expect((await start('true')).stdout).toBe('');
    await expect(start('only-here')).rejects.toMatchObject({ code: 'tool_failed', reason: 'not_found' });
    expect((await start('./true')).stdout).toBe('shadow\n');
    expect((await start('bin/only-here')).stdout).toBe('shadow\n');
    rmSync(link);
  });

  it('that is not there or cannot be started is a failure with its reason', async () => {
    await expect(run({ command: 'no-such-program' })).rejects.toMatchObject({ code: 'tool_failed', reason: 'not_found' });
    writeFileSync(path('plain'), 'x');
    await expect(run({ command: './plain' })).rejects.toMatchObject({ reason: 'not_found' });
    writeFileSync(path('bad'), '#!/no/such/interpreter\n');
    chmodSync(path('bad'), 0o755);
    await expect(run({ command: './bad' })).rejects.toMatchObject({ code: 'tool_failed', reason: 'spawn_failed' });
    await expect(run({ command: 'true', args: ['x'.repeat(3_000_000)] })).rejects.toMatchObject({ reason: 'spawn_failed' });
  });
});

describe('output', () => {
  it(requirements(['RC-03', 'RB-11'], 'keeps beginning and end when there is more than fits, and the command still ends'), async () => {
    const { stdout, truncated } = await run({ command: 'seq', args: ['1', '200000'], maxOutputBytes: 1_000 });
    expect(truncated).toBe(true);
    expect(stdout).toMatch(/^1\n2\n3\n/u);
    expect(stdout).toMatch(/199999\n200000\n$/u);
    expect(stdout).toContain('bytes left out here');
    expect(stdout.length).toBeLessThan(1_100);
  });

  it('that never ends does not fill the memory', async () => {
    const before = process.memoryUsage().rss;
    await expect(run({ command: 'yes', maxOutputBytes: 100_000, timeoutMs: 700 })).rejects.toMatchObject({ code: 'timeout' });
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it('that is no UTF-8 is replaced and flagged', async () => {
    expect(await shell("printf 'caf\\351 ok\\n'")).toMatchObject({ stdout: 'caf\ufffd ok\n', invalidUtf8: true });
    expect(await shell('echo café')).not.toHaveProperty('invalidUtf8');
  });

  it('is passed on while it comes, characters whole', async () => {
    const seen: string[] = [];
    const context = { ...quiet, onOutput: (stream: string, text: string) => seen.push(`${stream} ${text}`) };
    await run({ command: 'sh', args: ['-c', "printf 'a\\303'; sleep 0.1; printf '\\274b'; echo x >&2"] }, context);
    expect(
      seen
        .filter((text) => text.startsWith('stdout'))
        .map((text) => text.slice(7))
        .join(''),
    ).toBe('aüb');
    expect(seen).toContain('stderr x\n');
  });
});

describe('the end of a command', () => {
  it('comes with its own end although something in the background holds its output, which is ended too', async () => {
    const begun = Date.now();
    expect(await shell('sleep 60 & echo $! > bg.pid; echo started')).toMatchObject({ exitCode: 0, stdout: 'started\n' });
    expect(Date.now() - begun).toBeLessThan(3_000);
    await pause(300);
    expect(isRunning(pidIn('bg.pid'))).toBe(false);
  });

  it('by a time limit takes the whole tree along', async () => {
    const begun = Date.now();
    const failure = shell('echo before >&2; sleep 60 & echo $! > child.pid; (sleep 61 & echo $! > grandchild.pid; wait) & wait', {
      timeoutMs: 300,
    });
    await expect(failure).rejects.toMatchObject({ code: 'timeout', details: { timeoutMs: 300, treeEnded: true, stderrTail: 'before\n' } });
    expect(Date.now() - begun).toBeLessThan(3_000);
    for (const name of ['child.pid', 'grandchild.pid']) expect(isRunning(pidIn(name))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('reaches what has left the group', async () => {
    const failure = shell('setsid sh -c "echo \\$\\$ > stray.pid; exec sleep 60" & wait', { timeoutMs: 600 });
    await expect(failure).rejects.toMatchObject({ code: 'timeout', details: { treeEnded: true } });
    expect(isRunning(pidIn('stray.pid'))).toBe(false);
  });

  it('is enforced after a grace where a request is ignored', async () => {
    const begun = Date.now();
    await expect(shell('trap "" TERM; echo $$ > stubborn.pid; while :; do sleep 0.1; done', { timeoutMs: 200 })).rejects.toMatchObject({
      details: { treeEnded: true },
    });
    expect(Date.now() - begun).toBeGreaterThan(3_000);
    expect(isRunning(pidIn('stubborn.pid'))).toBe(false);
  });

  it('by a cancel takes the whole tree along, and a cancelled call starts nothing', async () => {
    const controller = new AbortController();
    const context = { ...quiet, signal: controller.signal };
    const failure = run({ command: 'sh', args: ['-c', 'sleep 60 & echo $! > child.pid; wait'] }, context);
    while (!existsSync(path('child.pid')) || readFileSync(path('child.pid'), 'utf8') === '') await pause(10);
    controller.abort();
    await expect(failure).rejects.toMatchObject({ code: 'cancelled', details: { treeEnded: true } });
    expect(isRunning(pidIn('child.pid'))).toBe(false);
    await expect(run({ command: 'touch', args: ['made'] }, context)).rejects.toMatchObject({ code: 'cancelled' });
    expect(existsSync(path('made'))).toBe(false);
  });

  it('comes when the host itself exits', async () => {
    writeFileSync(
      path('main.ts'),
      `import { createProcessHost } from ${JSON.stringify(new URL('../../../../hosts/node/src/process/process-host.ts', import.meta.url).pathname)};
       const call = { node: 'a', attempt: 1, signal: new AbortController().signal };
       createProcessHost({ workspace: process.argv[2], environment: process.env })
         .run({ command: 'sh', args: ['-c', 'echo $$ > host.pid; sleep 60 & echo $! > child.pid; wait'], env: {}, maxOutputBytes: 100 }, call);
       setTimeout(() => process.exit(0), 700);`,
    );
    const absWorkingDir = new URL('../../../../hosts/node', import.meta.url).pathname;
    await build({
      entryPoints: [path('main.ts')],
      outfile: path('main.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['source'],
      absWorkingDir,
      nodePaths: [join(absWorkingDir, '../../node_modules')],
    });
    const child = spawn(process.execPath, [path('main.mjs'), workspace], { stdio: 'inherit' });
    await new Promise((resolve) => child.once('exit', resolve));
    await pause(200);
    for (const name of ['host.pid', 'child.pid']) expect(isRunning(pidIn(name))).toBe(false);
  });
});
