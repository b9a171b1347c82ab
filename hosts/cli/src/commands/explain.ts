import { type Explanation, explainableCodes, explain as explainCode } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { problem, refuse } from '../problem.js';
import { wrapText } from '../render/wrap-text.js';

/** What a code means, with a wrong and a right example; without a code, the list of them. */
export function explain(cli: Cli, code: string | undefined): number {
  if (code === undefined) {
    for (const known of explainableCodes()) cli.out.line(cli.json ? JSON.stringify({ code: known }) : known);
    return exitCode.done;
  }
  const explained = explainCode(code);
  if (!explained.ok) {
    const near = explained.near === undefined ? '' : `Did you mean "${explained.near}"? `;
    return refuse(cli, problem(`there is no code "${code}"`, `${near}"relavium explain" lists them.`).problem);
  }
  if (cli.json) for (const explanation of explained.explanations) cli.out.line(JSON.stringify(explanation));
  else cli.out.write(explained.explanations.map((explanation) => page(explanation, cli)).join('\n'));
  return exitCode.done;
}

function page({ code, kind, severity, title, explanation, wrong, right }: Explanation, cli: Cli): string {
  const { paint } = cli.out;
  const what = kind === 'run_error' ? 'error of a run' : severity;
  const lines = [
    `${paint.bold(code)} ${paint.dim(`(${what})`)}: ${title}`,
    '',
    ...wrapText(explanation, cli.out.columns),
    '',
    paint.red('Wrong:'),
    ...indented(wrong),
    '',
    paint.green('Right:'),
    ...indented(right),
  ];
  return `${lines.join('\n')}\n`;
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`.trimEnd());
}
