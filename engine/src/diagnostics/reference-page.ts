import { catalogue } from './catalogue.js';
import { runCodes } from './run-codes.js';

/** `docs/diagnostics.md`. */
export function referencePage(): string {
  const lines = [
    '# Diagnostics and error codes',
    '',
    'Generated from the catalogue in `engine/src/diagnostics/`; a test fails when this page is out of date.',
    '`relavium explain CODE` prints the explanation and the examples of a code.',
    '',
    'An error stops a workflow from being run. A warning names what will be refused or looks wrong; `relavium lint --strict` treats it as an error.',
    'A warning is hidden by a comment `# relavium-ignore[code]: reason` in the line above it.',
  ];
  for (const group of catalogue) {
    lines.push('', `## ${group.title}`, '', '| code | severity | fix | what it says |', '|---|---|---|---|');
    for (const entry of group.entries)
      lines.push(`| \`${entry.code}\` | ${entry.severity} | ${entry.fixable ? 'yes' : ''} | ${entry.title} |`);
    for (const entry of group.entries) {
      lines.push(
        '',
        `### ${entry.code}`,
        '',
        entry.explanation,
        '',
        'Wrong:',
        '',
        ...fenced(entry.wrong),
        '',
        'Right:',
        '',
        ...fenced(entry.right),
      );
    }
  }
  lines.push('', '## Errors of a run', '', 'Beside these a `fail` node makes codes of its own, seen as `user.<code>`.', '');
  lines.push('| code | retried by default | what it says |', '|---|---|---|');
  for (const run of runCodes) lines.push(`| \`${run.code}\` | ${run.retried ? 'yes' : ''} | ${run.title} |`);
  for (const run of runCodes) lines.push('', `### ${run.code} (run)`, '', run.explanation);
  return `${lines.join('\n')}\n`;
}

function fenced(yaml: string): readonly string[] {
  return ['```yaml', ...yaml.split('\n'), '```'];
}
