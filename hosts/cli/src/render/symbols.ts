/** Marks in front of a node. The plain set serves terminals and logs that may not show anything but ASCII. */
export interface Symbols {
  readonly succeeded: string;
  readonly failed: string;
  readonly skipped: string;
  readonly cancelled: string;
  readonly running: readonly string[];
  readonly waiting: string;
  readonly pending: string;
}

export function symbolsFor(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Symbols {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  const unicode =
    platform === 'darwin' || (platform === 'win32' ? env.WT_SESSION !== undefined : /utf-?8/i.test(locale) && env.TERM !== 'linux');
  return unicode ? unicodeSymbols : asciiSymbols;
}

const unicodeSymbols: Symbols = {
  succeeded: '✓',
  failed: '✗',
  skipped: '–',
  cancelled: '⊘',
  running: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  waiting: '◷',
  pending: '·',
};

const asciiSymbols: Symbols = {
  succeeded: '+',
  failed: 'x',
  skipped: '-',
  cancelled: '/',
  running: ['|', '/', '-', '\\'],
  waiting: '~',
  pending: '.',
};
