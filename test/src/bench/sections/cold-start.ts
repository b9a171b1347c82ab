import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binary } from '../../shared/cli.js';
import { judged } from '../figure.js';
import { callByCall } from '../measure.js';
import { chainText } from '../sample-workflow.js';
import type { Section } from '../sections.js';

export const parts: Readonly<Record<string, Section>> = { commands: (report) => commands(report) };

const commands: Section = async (report) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const hundred = join(folder, 'hundred.relavium.yaml');
    const hello = join(folder, 'hello.relavium.yaml');
    writeFileSync(hundred, chainText(100));
    writeFileSync(
      hello,
      "schema_version: '1.0'\nworkflow:\n  id: hello\n  nodes:\n    - { id: say, type: transform, transform: '\"hello\"' }\n",
    );
    const node = (...args: string[]): void => {
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    };
    const measured = await callByCall(
      {
        bare: () => node('-e', '0'),
        version: () => node(binary, '--version'),
        lint: () => node(binary, 'lint', hundred),
        run: () => node(binary, 'run', hello),
      },
      9,
      1,
    );
    const row = (name: string, key: 'version' | 'lint' | 'run', atMost: number): void => {
      const { ms, spread } = measured[key];
      report(
        judged(
          { section: 'cold-start', name, value: ms, unit: 'ms', against: 'node -e 0', ratio: ms / measured.bare.ms, spread },
          { atMost },
        ),
      );
    };
    row('--version', 'version', 1.5);
    row('lint of 100 nodes', 'lint', 2.2);
    row('run of a hello', 'run', 3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
