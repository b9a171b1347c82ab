import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { showControls } from '@relavium/engine';
import { schemaDocuments } from '@relavium/schemas/documents';
import hello from '../../starter/hello.relavium.yaml';
import projectToml from '../../starter/project.toml';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { problem, refuse } from '../problem.js';
import { jsonText } from '../render/outputs.js';
import { writeRecord } from '../render/write-data.js';

/** Makes a small project. What is there already is never touched. */
export function init(cli: Cli, named: string | undefined): number {
  const folder = resolve(cli.cwd, named ?? '.');
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    return refuse(cli, problem(`${named ?? folder} is a file`, 'Name a directory; it is made if it is not there.').problem);
  }
  const made: string[] = [];
  for (const [path, text] of Object.entries(starterFiles())) {
    const target = join(folder, path);
    if (existsSync(target)) {
      if (!cli.quiet) cli.err.line(`kept ${showControls(shown(cli, target))}: it is there already`);
      continue;
    }
    try {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text, { flag: 'wx' });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
      return refuse(
        cli,
        problem(`${shown(cli, target)} cannot be written (${code})`, 'Check the permissions of the directory and the space on the disk.')
          .problem,
      );
    }
    made.push(target);
    if (!cli.json) cli.out.line(`made ${showControls(shown(cli, target))}`);
    else writeRecord(cli.out, { file: shown(cli, target) });
  }
  if (!cli.quiet && !cli.json) {
    const enter = folder === cli.cwd ? '' : `cd ${shown(cli, folder)} && `;
    cli.err.line(made.length === 0 ? 'Everything is there already.' : `Next: ${showControls(enter)}relavium run hello`);
  }
  return exitCode.done;
}

/** Path below the project → text. */
function starterFiles(): Readonly<Record<string, string>> {
  return {
    '.relavium/workflows/hello.relavium.yaml': hello,
    '.relavium/project.toml': projectToml,
    '.relavium/.gitignore': '# What runs leave behind.\n/runs/\n/runs.db*\n',
    '.relavium/schemas/workflow.schema.json': jsonText(schemaDocuments.workflow),
    '.relavium/schemas/config.schema.json': jsonText(schemaDocuments.config),
    '.vscode/settings.json': jsonText(editorSettings),
  };
}

/** Completion, documentation and checks while typing, in editors that read these settings. */
const editorSettings = {
  'yaml.schemas': { './.relavium/schemas/workflow.schema.json': '*.relavium.yaml' },
  'evenBetterToml.schema.associations': { '.*/\\.relavium/project\\.toml$': './.relavium/schemas/config.schema.json' },
};

function shown(cli: Cli, path: string): string {
  return relative(cli.cwd, path) || '.';
}
