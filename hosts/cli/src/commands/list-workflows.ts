import { parseYaml, showControls } from '@relavium/engine';
import { validateWorkflow } from '@relavium/schemas/workflow';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { problem, refuse } from '../problem.js';
import { findProjectFiles } from '../project/find-files.js';
import { type Project, shownPath } from '../project/open-project.js';
import { readText } from '../project/read-text.js';
import { fitWidth, textWidth } from '../render/text-width.js';

interface Listed {
  readonly file: string;
  readonly id?: string;
  readonly description?: string;
}

/** The workflows of the project: what `relavium run` can be given. */
export function listWorkflows(cli: Cli, project: Project): number {
  const listed = findProjectFiles(project.root).workflows.map((path) => describe(cli, path));
  if (listed.length === 0) {
    return refuse(cli, problem(`there is no *.relavium.yaml below ${project.root}`, 'Make a first workflow with "relavium init", or name a file: relavium run FILE').problem);
  }
  if (cli.json) for (const workflow of listed) cli.out.line(JSON.stringify(workflow));
  else printTable(cli, listed);
  return exitCode.done;
}

function describe(cli: Cli, path: string): Listed {
  const file = shownPath(cli, path);
  const text = readText(path, file);
  if (!text.ok) return { file };
  const document = parseYaml({ path, text: text.value }).document;
  const checked = validateWorkflow(document?.value);
  if (!checked.ok) return { file };
  const { id, name, description } = checked.value.workflow;
  const about = description ?? name;
  return about === undefined ? { file, id } : { file, id, description: about };
}

function printTable(cli: Cli, listed: readonly Listed[]): void {
  const { paint } = cli.out;
  const ids = listed.map(({ id }) => id ?? '(not valid)');
  const idWidth = Math.max(...ids.map(textWidth));
  const fileWidth = Math.max(...listed.map(({ file }) => textWidth(showControls(file))));
  listed.forEach(({ file, description }, index) => {
    const id = ids[index] as string;
    const name = showControls(file);
    const about = showControls((description ?? '').trim().split('\n')[0] ?? '');
    const room = (cli.out.columns ?? 120) - idWidth - fileWidth - 4;
    const cells = [
      paint.bold(id) + ' '.repeat(idWidth - textWidth(id)),
      name + ' '.repeat(fileWidth - textWidth(name)),
      paint.dim(room > 8 ? fitWidth(about, room) : ''),
    ];
    cli.out.line(cells.join('  ').trimEnd());
  });
}
