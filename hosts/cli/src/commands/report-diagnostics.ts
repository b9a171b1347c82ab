import type { Compilation } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { countLine, prettyDiagnostic } from '../render/diagnostic.js';
import { diagnosticRecord } from '../render/diagnostic-record.js';
import { writeRecord } from '../render/write-data.js';

/**
 * Says what is wrong with a workflow that was to be used. With `--json` the findings are the result if nothing else will be
 * (`isResult`); warnings of a file that is used all the same never mix with other records.
 */
export function reportDiagnostics(
  cli: Cli,
  { diagnostics, sources }: Pick<Compilation, 'diagnostics' | 'sources'>,
  isResult: boolean,
): void {
  if (cli.json) {
    if (isResult) for (const diagnostic of diagnostics) writeRecord(cli.out, diagnosticRecord(diagnostic));
    return;
  }
  const shown = cli.quiet && !isResult ? [] : diagnostics;
  for (const diagnostic of shown) cli.err.line(`${prettyDiagnostic(diagnostic, cli.err.paint, cli.err.columns)}\n`);
  if (isResult) cli.err.line(`Nothing was run: ${countLine(diagnostics, sources.length)}.`);
}
