import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, environment } from './relavium.js';

/** The built command in a pseudo-terminal, which `script` of util-linux makes, with somebody who reads and types. */
export interface PseudoTerminal {
  /** Waits until this stands in what was printed since the last line was typed. */
  shows(text: string): Promise<void>;
  type(line: string): void;
  /** Everything that was printed, without control sequences. */
  text(): string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  close(): void;
}

const PATIENCE_MS = 15_000;

export function pseudoTerminal(args: readonly string[], cwd: string): PseudoTerminal {
  const quoted = [process.execPath, binary, ...args].map((word) => JSON.stringify(word)).join(' ');
  const child = spawn('script', ['-qec', `stty rows 24 columns 100; exec ${quoted}`, '/dev/null'], { cwd, env: environment() });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let printed = '';
  let typedAt = 0;
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    printed += chunk;
  });
  const text = (): string => printed.replaceAll('\r\n', '\n').replaceAll(/\u001b\[[?\d;]*[a-zA-Z]|\r/g, '');
  return {
    async shows(wanted) {
      const end = Date.now() + PATIENCE_MS;
      while (!text().slice(typedAt).includes(wanted)) {
        if (Date.now() > end) throw new Error(`"${wanted}" was not shown; what was:\n${text()}`);
        await sleep(20);
      }
    },
    type(line) {
      typedAt = text().length;
      child.stdin.write(`${line}\n`);
    },
    text,
    ended,
    close() {
      child.kill('SIGKILL');
    },
  };
}
