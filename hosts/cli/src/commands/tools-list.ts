import { builtinTools } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { refuse } from '../problem.js';
import { openProject } from '../project/open-project.js';
import { fitWidth } from '../render/text-width.js';
import { openHost } from '../run/open-host.js';

/** The tools that a workflow may name. One whose capability this host lacks is listed as such: calling it is refused. */
export function listTools(cli: Cli): number {
  const host = openHost(cli, openProject(cli), { tier: 'sandboxed' });
  if (!host.ok) return refuse(cli, host.problem);
  const width = Math.max(...builtinTools.map(({ id }) => id.length));
  for (const { id, source, policy, capability, description } of builtinTools) {
    // Agents belong to the run that they are in.
    const available = capability === 'agents' || host.value.tools[capability] !== undefined;
    if (cli.json) {
      cli.out.line(JSON.stringify({ id, source, policy, available, description }));
      continue;
    }
    const { paint } = cli.out;
    const state = available ? '' : `(not available: this host has no ${capability} capability) `;
    const room = (cli.out.columns ?? Number.POSITIVE_INFINITY) - width - 2;
    const text = fitWidth(`${state}${firstSentence(description)}`, room);
    cli.out.line(`${available ? paint.bold(id) : paint.dim(id)}${' '.repeat(width - id.length)}  ${paint.dim(text)}`);
  }
  return exitCode.done;
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}
