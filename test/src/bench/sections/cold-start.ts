import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binary } from '../../shared/cli.js';
import { withFolder } from '../../shared/host-call.js';
import { judged } from '../figure.js';
import { notMeasured } from '../installed.js';
import { callByCall } from '../measure.js';
import { chainText } from '../sample-workflow.js';
import type { Section } from '../sections.js';

export const parts: Readonly<Record<string, Section>> = {
  commands: async (report) => {
    await withFolder(async (folder) => {
      const hundred = join(folder, 'hundred.relavium.yaml');
      const hello = join(folder, 'hello.relavium.yaml');
      writeFileSync(hundred, chainText(100));
      writeFileSync(
        hello,
        "schema_version: '1.0'\nworkflow:\n  id: hello\n  nodes:\n    - { id: say, type: transform, transform: '\"hello\"' }\n",
      );
      const node = (...args: string[]): void => run(folder, process.execPath, args);
      const works = {
        bare: () => node('-e', '0'),
        '--version': () => node(binary, '--version'),
        'lint of 100 nodes': () => node(binary, 'lint', hundred),
        'run of a hello': () => node(binary, 'run', hello),
        'dry run of 100 nodes': () => node(binary, 'run', '-n', hundred),
      };
      const measured = await callByCall(works, 9, 1);
      const row = (name: keyof typeof works, atMost?: number): void => {
        const { ms, spread } = measured[name];
        const figure = { section: 'cold-start', name, value: ms, unit: 'ms', against: 'node -e 0', ratio: ms / measured.bare.ms, spread };
        report(judged(figure, atMost === undefined ? undefined : { atMost }));
      };
      row('--version', 1.5);
      row('lint of 100 nodes', 2.2);
      row('run of a hello', 3);
      row('dry run of 100 nodes');
    });
  },

  /** The same chain as rules of snakemake, whose dry run prints no more than ours does. */
  'dry run': async (report) => {
    if (spawnSync('snakemake', ['--version']).status !== 0) return notMeasured('snakemake', 'apt-get install snakemake');
    await withFolder(async (folder) => {
      const hundred = join(folder, 'hundred.relavium.yaml');
      writeFileSync(hundred, chainText(100));
      writeFileSync(join(folder, 'Snakefile'), chainOfRules(100));
      const works = {
        ours: () => run(folder, process.execPath, [binary, 'run', '-n', hundred]),
        snakemake: () => run(folder, 'snakemake', ['-n', '-q']),
      };
      const { ours, snakemake } = await callByCall(works, 7, 1);
      const figure = { section: 'cold-start', name: 'dry run of 100 nodes', value: ours.ms, unit: 'ms', spread: ours.spread } as const;
      report(judged({ ...figure, against: 'snakemake -n', ratio: ours.ms / snakemake.ms }, { atMost: 0.167 }));
    });
  },
};

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
}

function chainOfRules(length: number): string {
  const rules = Array.from({ length }, (_, n) => {
    const input = n === 0 ? '' : `    input: "${n - 1}.txt"\n`;
    return `rule step${n}:\n${input}    output: "${n}.txt"\n    shell: "touch {output}"\n`;
  });
  return `rule all:\n    input: "${length - 1}.txt"\n${rules.join('')}`;
}
