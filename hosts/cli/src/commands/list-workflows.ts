import { showControls } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { problem, refuse } from '../problem.js';
import { type ListedWorkflow, listProject } from '../project/list-project.js';
import type { Project } from '../project/open-project.js';
import { fitWidth, textWidth } from '../render/text-width.js';
import { writeRecord } from '../render/write-data.js';

/** The workflows of the project: what `relavium run` can be given. */
export function listWorkflows(cli: Cli, project: Project): number {
  const listed = listProject(cli, project);
  if (listed.length === 0) {
    return refuse(
      cli,
      problem(
        `there is no *.relavium.yaml below ${project.root}`,
        'Make a first workflow with "relavium init", or name a file: relavium run FILE',
      ).problem,
    );
  }
  if (cli.json) for (const workflow of listed) writeRecord(cli.out, workflow);
  else printTable(cli, listed);
  return exitCode.done;
}

function printTable(cli: Cli, listed: readonly ListedWorkflow[]): void {
  const { paint } = cli.out;
  const ids = listed.map(({ id }) => id ?? '(not valid)');
  const idWidth = Math.max(...ids.map(textWidth));
  const fileWidth = Math.max(...listed.map(({ file }) => textWidth(showControls(file))));
  listed.forEach(({ file, description }, index) => {
    const id = ids[index] as string;
    const name = showControls(file);
    const about = showControls((description ?? '').trim().split('\n')[0] ?? '');
    const room = (cli.out.columns ?? Number.POSITIVE_INFINITY) - idWidth - fileWidth - 4;
    const cells = [
      paint.bold(id) + ' '.repeat(idWidth - textWidth(id)),
      name + ' '.repeat(fileWidth - textWidth(name)),
      paint.dim(room > 8 ? fitWidth(about, room) : ''),
    ];
    cli.out.line(cells.join('  ').trimEnd());
  });
}
