import { resolve } from 'node:path';
import { mask } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { refuse } from '../problem.js';
import { readStandardInput, readText } from '../project/read-text.js';
import { writeData, writeRecord } from '../render/write-data.js';
import { answerLines } from './answer-lines.js';

export interface MaskOptions {
  readonly jsonl?: boolean;
}

/** A text with credentials replaced: the same rule as for events, logs and previews. */
export async function maskText(cli: Cli, file: string | undefined, options: MaskOptions): Promise<number> {
  if (options.jsonl === true) {
    return answerLines(cli, ({ text }) =>
      typeof text === 'string' ? { text: mask(text) } : { ok: false, code: 'invalid_request', message: 'text must be text' },
    );
  }
  const text = file === undefined ? await readStandardInput(cli.stdin) : readText(resolve(cli.cwd, file), file);
  if (!text.ok) return refuse(cli, text.problem);
  if (cli.json) writeRecord(cli.out, { text: mask(text.value) });
  else writeData(cli.out, mask(text.value));
  return exitCode.done;
}
