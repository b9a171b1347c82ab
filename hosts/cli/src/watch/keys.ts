import type { Cli } from '../cli.js';

export interface Keys {
  /** Leaves the keyboard to somebody else until the function that it returns is called. */
  lend(): () => void;
  close(): void;
}

/** Single keys, where there is a terminal to press them in. Ctrl-C comes as the signal that it would have been. */
export function listenToKeys(cli: Cli, onKey: (key: string) => void): Keys | undefined {
  const { stdin } = cli;
  if (stdin.isTTY !== true || !cli.err.isTerminal) return undefined;
  const receive = (data: Buffer): void => {
    for (const key of data.toString('latin1')) {
      if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
      else onKey(key);
    }
  };
  let isClosed = false;
  const take = (): void => {
    if (isClosed) return;
    stdin.setRawMode(true);
    stdin.on('data', receive);
    stdin.resume();
  };
  const leave = (): void => {
    stdin.off('data', receive);
    stdin.setRawMode(false);
    stdin.pause();
  };
  take();
  return {
    lend() {
      leave();
      // A question that is broken off gives the terminal back a moment after the run has ended.
      return () => setImmediate(take);
    },
    close() {
      isClosed = true;
      leave();
    },
  };
}

const CTRL_C = '\u0003';
