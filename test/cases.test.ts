import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isKnown } from './src/cases/areas.js';
import { areasIn, corpusFolder, readArea } from './src/cases/corpus.js';
import { requirements } from './unit/requirement.js';

const corpus = corpusFolder({});

/** What the cases of an area hold. */
const heldBy: Readonly<Record<string, (title: string) => string>> = {
  conformance: (title) => requirements(['WR-01'], title),
  run_command: (title) => requirements(['RC-05', 'RC-06', 'RC-07', 'RC-10'], title),
  tool_bounds: (title) =>
    requirements(
      [
        'IB-06',
        'IB-07',
        'IB-08',
        'IB-09',
        'IB-10',
        'IB-11',
        'IB-14',
        'IB-15',
        'IB-16',
        'IB-17',
        'IB-18',
        'IB-19',
        'IB-20',
        'IB-21',
        'IB-31',
      ],
      title,
    ),
  masking: (title) =>
    requirements(['MK-04', 'MK-05', 'MK-06', 'MK-07', 'MK-08', 'MK-11', 'MK-12', 'MK-13', 'MK-14', 'MK-15', 'MK-16'], title),
  git_flags: (title) => requirements(['GS-02', 'GS-04', 'IB-12'], title),
  fs_paths: (title) =>
    requirements(['FA-08', 'FA-10', 'FA-13', 'FA-15', 'FA-16', 'FA-18', 'FA-19', 'FA-20', 'FA-21', 'FA-22', 'FT-08'], title),
  save_to: (title) => requirements(['AR-11', 'AR-12', 'AR-13', 'AR-14'], title),
};

describe('the cases', () => {
  for (const area of areasIn(corpus).filter(isKnown)) {
    for (const host of area === 'conformance' ? ['memory', 'node'] : ['node']) {
      const title = `of ${area} hold, firm and derived ones, on the ${host} host`;
      it(heldBy[area]?.(title) ?? title, { timeout: 300_000 }, async () => {
        const { code, stdout } = await cases([area, '--host', host], corpus);
        const [, passed, total] = new RegExp(`^${area} (\\d+)/(\\d+)$`, 'm').exec(stdout) ?? [];
        const skipped = /^skipped (\d+)$/m.exec(stdout)?.[1];
        expect({ code, stdout }).toMatchObject({ code: 0 });
        expect(Number(passed)).toBeGreaterThan(0);
        expect(Number(total) + Number(skipped)).toBe(readArea(corpus, area).length);
      });
    }
  }

  it('are skipped only where a scenario needs what this version has not', async () => {
    const { stdout } = await cases(['conformance'], corpus);
    const skipped = [...stdout.matchAll(/^ {2}(\S+) skipped: /gm)].map((match) => match[1]);
    const excused = readArea(corpus, 'conformance').filter((entry) => /"(processes|kill)":|type: agent/.test(JSON.stringify(entry)));
    expect(skipped).toEqual(excused.map(({ id }) => id));
  });
});

describe('npm run cases', () => {
  it('counts what passed, lists what failed with both sides, and exits 1', async () => {
    const folder = casesFolder({ conformance: [scenario('right', '"a"', 'a'), scenario('wrong', '"a"', 'b')] });
    const { code, stdout } = await cases(['conformance'], folder);
    expect(stdout).toContain('conformance 1/2\nskipped 0\n');
    expect(stdout).toMatch(/ {2}wrong\n {4}expected outputs \{"out":"b"\}\n {4}found {4}\{"out":"a"\}/);
    expect(stdout).not.toContain('  right');
    expect(code).toBe(1);
  });

  it('leaves skipped scenarios out of the total and says how many', async () => {
    const folder = casesFolder({
      conformance: [scenario('right', '"a"', 'a'), { ...scenario('later', '"a"', 'a'), stubbed: { processes: [{}] } }],
    });
    const { code, stdout } = await cases(['conformance'], folder);
    expect(stdout).toContain('conformance 1/1\nskipped 1\n');
    expect(code).toBe(0);
  });

  it('lists an optional case that fails, and does not fail by it', async () => {
    const optional = {
      id: 'o',
      area: 'terminal_escape',
      input: 'x',
      context: { sink: 'terminal', basis: 'optional' },
      expect: { no_raw: ['x'], keep: [] },
    };
    const { code, stdout } = await cases([], casesFolder({ terminal_escape: [optional] }));
    expect(stdout).toContain('security/terminal_escape 0/1');
    expect(stdout).toContain('  o (optional)');
    expect(code).toBe(0);
  });

  it('chooses cases by the value of a key, and firm ones on request', async () => {
    const shown = (id: string, sink: string, basis?: string) => ({
      id,
      area: 'terminal_escape',
      input: 'x',
      context: { sink, ...(basis && { basis }) },
      expect: { no_raw: [], keep: ['x'] },
    });
    const folder = casesFolder({ terminal_escape: [shown('a', 'terminal'), shown('b', 'log_line'), shown('c', 'terminal', 'derived')] });
    expect((await cases(['--only', 'sink=terminal'], folder)).stdout).toContain('security/terminal_escape 2/2');
    expect((await cases(['--only', 'sink=terminal', '--firm'], folder)).stdout).toContain('security/terminal_escape 1/1');
  });

  it('exits 2 for an area that nobody judges yet, for one that the folder has not, and for a flag that it does not know', async () => {
    const folder = casesFolder({ terminal_escape: [] });
    for (const args of [['security/no_such_area'], ['security/expressions'], ['--no-such-flag']]) {
      const { code, stderr } = await cases(args, folder);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toContain('usage:');
    }
  });
});

function scenario(id: string, expression: string, output: string): object {
  const nodes = `    - { id: say, type: transform, transform: '${expression}' }\n    - { id: out, type: output, needs: [say] }\n`;
  return {
    id,
    area: 'sequence',
    workflow: `schema_version: '1.0'\nworkflow:\n  id: w\n  nodes:\n${nodes}`,
    inputs: {},
    stubbed: {},
    expect: { outputs: { out: output } },
  };
}

function casesFolder(areas: Readonly<Record<string, readonly object[]>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  for (const [area, entries] of Object.entries(areas)) {
    const file = area === 'conformance' ? join(folder, 'conformance', 'scenarios.jsonl') : join(folder, 'security', `${area}.jsonl`);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }
  return folder;
}

function cases(args: readonly string[], folder: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const main = fileURLToPath(new URL('./dist/cases/main.js', import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env: { ...process.env, RELAVIUM_CASES: folder } }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
