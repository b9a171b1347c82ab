/** Wraps text in colours, or gives it back as it is. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

export function createPaint(colour: boolean): Paint {
  return colour ? coloured : plain;
}

const style =
  (open: number, close: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`;

const coloured: Paint = {
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  yellow: style(33, 39),
  cyan: style(36, 39),
};

const same = (text: string): string => text;

const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** Flags beat the environment, `NO_COLOR` and `FORCE_COLOR` beat what the stream is. */
export function wantsColour(flag: boolean | undefined, env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (flag !== undefined) return flag;
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
