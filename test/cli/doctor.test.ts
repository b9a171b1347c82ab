import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, relavium } from './relavium.js';

const findings = (stdout: string): Record<string, { readonly state: string; readonly detail: string }> =>
  Object.fromEntries(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ check, ...rest }) => [check, rest]),
  );

describe('relavium doctor', () => {
  it('tells what works here, and which keys are set without their values', async () => {
    const home = folderWith();
    const env = { HOME: home, RELAVIUM_SECRET_DEPLOY_KEY: 'hunter22-value', OPENAI_API_KEY: 'another-value' };
    const { code, stdout } = await relavium(['doctor', '--json'], { cwd: folderWith(), env });
    expect(code).toBe(0);
    expect(stdout).not.toContain('-value');
    const found = findings(stdout);
    expect(found).toMatchObject({
      expressions: { state: 'ok' },
      commands: { state: 'ok' },
      git: { state: 'ok', detail: expect.stringContaining('git version') },
      secrets: { state: 'ok', detail: 'set: DEPLOY_KEY' },
      'openai key': { state: 'ok' },
      'anthropic key': { state: 'absent' },
      leftovers: { state: 'ok', detail: 'none' },
    });
  });

  it('removes what killed runs have left, and says that others could enter the state folder', async () => {
    const home = folderWith();
    const { pid } = spawnSync('true');
    const left = join(home, '.relavium/scratch', `${pid}-1-0123456789ab`);
    mkdirSync(left, { recursive: true });
    chmodSync(join(home, '.relavium'), 0o755);
    const first = findings((await relavium(['doctor', '--json'], { env: { HOME: home } })).stdout);
    expect(first.leftovers?.detail).toBe('1 of runs that were killed, removed');
    expect(first['state folder']?.state).toBe('warning');
    expect(existsSync(left)).toBe(false);
  });

  it('says what is missing, and with -q only what is wrong', async () => {
    const { code, stdout } = await relavium(['doctor', '--json'], { env: { PATH: folderWith() } });
    expect(code).toBe(0);
    expect(findings(stdout).git).toMatchObject({ state: 'absent' });
    expect((await relavium(['doctor', '-q'], { env: { HOME: folderWith() } })).stdout).toBe('');
  });
});
