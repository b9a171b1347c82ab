import { fork, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProcessHost } from '../../../../hosts/node/src/process/process-host.js';

/** On other systems starting a program does not copy what this process holds, and there is no helper. */
const onLinux = describe.skipIf(process.platform !== 'linux');
const source = (name: string) => fileURLToPath(new URL(`../../../../hosts/node/src/process/${name}`, import.meta.url));

let folder: string;
let workspace: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'spawn-helper-')));
  workspace = join(folder, 'ws');
  spawnSync('mkdir', [workspace]);
  await build({
    entryPoints: [source('spawn-helper.ts'), source('process-host.ts')],
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const quiet = () => ({ node: 'test', attempt: 1, signal: new AbortController().signal });
interface Given {
  readonly stdin?: string;
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A host that has come to use its helper: who starts its programs has another number than this process. */
async function helped() {
  const host = createProcessHost({
    workspace,
    environment: process.env,
    helper: { file: pathToFileURL(join(folder, 'spawn-helper.js')), fromBytes: 0 },
  });
  const shell = (script: string, { env = {}, ...given }: Given = {}, context: Parameters<typeof host.run>[1] = quiet()) =>
    host.run({ command: 'sh', args: ['-c', script], env, maxOutputBytes: 1_048_576, ...given }, context);
  let starter = process.pid;
  for (let tries = 0; starter === process.pid && tries < 100; tries++) {
    starter = Number((await shell('echo $PPID')).stdout);
    await pause(20);
  }
  expect(starter).not.toBe(process.pid);
  return { host, shell, helper: starter };
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

onLinux('a program that is started through the helper', () => {
  it('is like one that is started here: output, exit code, signal, input, variables, folder, name', async () => {
    const { host, shell } = await helped();
    expect(await shell('echo out; echo err >&2; exit 3')).toMatchObject({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
    expect((await shell('kill -9 $$')).exitCode).toBe(137);
    expect((await shell('cat; echo "$A"; pwd; echo "$0"', { stdin: 'text\n', env: { A: 'b' } })).stdout).toBe(
      `text\nb\n${workspace}\nsh\n`,
    );
    expect((await shell('cat')).stdout).toBe('');
    const large = await shell('yes 0123456789 | head -c 30000000');
    expect(large).toMatchObject({ exitCode: 0, truncated: true });
    writeFileSync(join(workspace, 'no-program'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const broken = host.run({ command: './no-program', args: [], env: {}, maxOutputBytes: 10 }, quiet());
    await expect(broken).rejects.toMatchObject({ reason: 'spawn_failed', details: { system: 'ENOENT' } });
  });

  it('can be one of many at once, each with its own output', async () => {
    const { shell } = await helped();
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, index) => shell(`echo out ${index}; echo err ${index} >&2; exit ${index}`)),
    );
    results.forEach((result, index) => {
      expect(result).toMatchObject({ exitCode: index, stdout: `out ${index}\n`, stderr: `err ${index}\n` });
    });
  });

  it('is ended with its whole tree by a time limit, and by a cancel', async () => {
    const { shell } = await helped();
    const script = 'sleep 60 & echo $! > child.pid; wait';
    const child = () => Number(readFileSync(join(workspace, 'child.pid'), 'utf8'));
    await expect(shell(script, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'timeout', details: { treeEnded: true } });
    expect(isRunning(child())).toBe(false);
    const controller = new AbortController();
    const running = shell(script, {}, { ...quiet(), signal: controller.signal });
    await pause(300);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(isRunning(child())).toBe(false);
  });

  it('is ended and reported as lost when the helper goes, and the next one is started here', async () => {
    const { shell, helper } = await helped();
    const running = shell('echo $$ > lost.pid; sleep 60');
    const lost = expect(running).rejects.toMatchObject({ code: 'tool_failed', reason: 'lost' });
    await pause(300);
    process.kill(helper, 'SIGKILL');
    await lost;
    expect(isRunning(Number(readFileSync(join(workspace, 'lost.pid'), 'utf8')))).toBe(false);
    expect(Number((await shell('echo $PPID')).stdout)).toBe(process.pid);
  });
});

onLinux('the helper', () => {
  const script = `
    import { createProcessHost } from './process-host.js';
    const host = createProcessHost({ workspace: ${'process.argv[2]'}, environment: process.env, helper: { file: new URL('./spawn-helper.js', import.meta.url), fromBytes: 0 } });
    const call = { node: 'x', attempt: 1, signal: new AbortController().signal };
    const run = (text) => host.run({ command: 'sh', args: ['-c', text], env: {}, maxOutputBytes: 1000 }, call);
    let helper = process.pid;
    while (helper === process.pid) helper = Number((await run('echo $PPID')).stdout);
    process.send(helper);
    if (process.argv[3] === 'hang') await run('echo $$ > hanging.pid; sleep 60');
    process.disconnect();
  `;
  const started = async (how: string) => {
    writeFileSync(join(folder, 'main.js'), script);
    const child = fork(join(folder, 'main.js'), [workspace, how]);
    const helper = await new Promise<number>((resolve) => child.once('message', (pid) => resolve(Number(pid))));
    return { child, helper, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) };
  };
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('relavium-spawn-'));

  it('keeps nobody alive, and ends with the process that it works for', async () => {
    const before = folders().length;
    const { helper, ended } = await started('end');
    expect(await ended).toBe(0);
    await pause(500);
    expect(isRunning(helper)).toBe(false);
    expect(folders().length).toBeLessThanOrEqual(before);
  });

  it('ends what runs when that process is killed', async () => {
    const { child, helper, ended } = await started('hang');
    while (!existsSync(join(workspace, 'hanging.pid'))) await pause(20);
    child.kill('SIGKILL');
    await ended;
    await pause(500);
    expect([helper, Number(readFileSync(join(workspace, 'hanging.pid'), 'utf8'))].map(isRunning)).toEqual([false, false]);
  });
});
