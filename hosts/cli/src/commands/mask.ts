import { resolve } from 'node:path';
import { mask, maskStream } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { problem, refuse } from '../problem.js';
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
  if (file === undefined && !cli.json) return maskInput(cli);
  const text = file === undefined ? await readStandardInput(cli.stdin) : readText(resolve(cli.cwd, file), file);
  if (!text.ok) return refuse(cli, text.problem);
  if (cli.json) writeRecord(cli.out, { text: mask(text.value) });
  else writeData(cli.out, mask(text.value));
  return exitCode.done;
}

/** Passes standard input on while it comes: a log that is followed shows its lines at once, and its length does not matter. */
async function maskInput(cli: Cli): Promise<number> {
  const stream = maskStream((text) => writeData(cli.out, text));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of cli.stdin) {
      stream.push(decoder.decode(chunk as Buffer, { stream: true }));
      await cli.out.drained();
      if (!cli.out.isOpen) return exitCode.done;
    }
    stream.push(decoder.decode());
  } catch (error) {
    stream.end();
    if (error instanceof TypeError)
      return refuse(cli, problem('standard input is not UTF-8 text', 'Convert it to UTF-8 and try again.').problem);
    return refuse(cli, problem(`standard input cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`).problem);
  }
  stream.end();
  return exitCode.done;
}
