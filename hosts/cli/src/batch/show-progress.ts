import type { Cli } from '../cli.js';
import { fitWidth } from '../render/text-width.js';

export interface ShownProgress {
  /** Takes the line away until it is drawn again: something else is about to be written to the same terminal. */
  clear(): void;
  /** Says something above the line. */
  say(text: string): void;
  close(): void;
}

const REDRAW_MS = 100;
/** Where lines stay, one is written after this time, and then whenever the time has doubled, but at least once in ten minutes. */
const FIRST_LINE_MS = 10_000;
const LONGEST_SILENCE_MS = 600_000;

/** Keeps one line up to date in a terminal; writes a line now and then elsewhere. */
export function showProgress(cli: Cli, line: () => string): ShownProgress {
  const { err } = cli;
  if (cli.json || cli.quiet) return { clear: () => {}, say: (text) => (cli.json ? undefined : err.line(text)), close: () => {} };
  if (!redraws(cli)) return lineByLine(cli, line);
  const clear = (): void => err.write('\r\u001b[K');
  const draw = (): void => err.write(`\r\u001b[K${err.paint.dim(fitWidth(line(), Math.max(10, (err.columns ?? 80) - 1)))}`);
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    clear,
    say(text) {
      clear();
      err.line(text);
    },
    close() {
      clearInterval(timer);
      clear();
    },
  };
}

function lineByLine({ err }: Cli, line: () => string): ShownProgress {
  let wait = FIRST_LINE_MS;
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    timer = setTimeout(() => {
      err.line(line());
      wait = Math.min(wait * 2, LONGEST_SILENCE_MS);
      arm();
    }, wait);
    timer.unref();
  };
  arm();
  return { clear: () => {}, say: (text) => err.line(text), close: () => clearTimeout(timer) };
}

/** Build servers often give a terminal that nobody watches. */
function redraws({ err, env }: Cli): boolean {
  return err.isTerminal && env.TERM !== 'dumb' && ['', 'false', '0'].includes(env.CI ?? '');
}
