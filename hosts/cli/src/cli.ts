import { once } from 'node:events';
import { exitCode } from './exit-code.js';
import { createPaint, type Paint, wantsColour } from './render/paint.js';

/** What a command gets from the process: where to talk to, and what the global flags said. */
export interface Cli {
  readonly stdin: NodeJS.ReadStream;
  /** Results. */
  readonly out: Sink;
  /** Everything that is said about the work. */
  readonly err: Sink;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute; `--cwd` is already taken into account. */
  readonly cwd: string;
  /** Absolute path of the file that `--config` names. */
  readonly configFile?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** A stream that is written to. Nothing more is written once its reader has gone, which is no error. */
export interface Sink {
  readonly isTerminal: boolean;
  readonly paint: Paint;
  /** Size of the terminal now; absent when it is none or does not say. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** False once nobody reads any more. */
  readonly isOpen: boolean;
  /** So much waits to be read that more would only fill the memory. */
  readonly isBehind: boolean;
  /** Resolves when more can be written without keeping it in memory. */
  drained(): Promise<void>;
  write(text: string): void;
  line(text?: string): void;
  onResize(listener: () => void): () => void;
}

export interface GlobalOptions {
  readonly cwd?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: boolean;
}

/** Bytes. */
const MOST_WAITING = 4 * 1024 * 1024;

export function createSink(stream: NodeJS.WriteStream, colourFlag: boolean | undefined, env: NodeJS.ProcessEnv): Sink {
  let open = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code === 'EPIPE' || error.code === 'EOF' || error.code === 'ERR_STREAM_DESTROYED') return;
    if (stream === process.stdout) process.stderr.write(`error: standard output cannot be written to (${error.code ?? error.message})\n`);
    process.once('exit', (code) => {
      if (code === exitCode.done) process.exitCode = exitCode.failed;
    });
  });
  const write = (text: string): void => {
    if (open) stream.write(text);
  };
  return {
    isTerminal: stream.isTTY === true,
    paint: createPaint(wantsColour(colourFlag, env, stream.isTTY === true)),
    get columns(): number | undefined {
      return stream.columns;
    },
    get rows(): number | undefined {
      return stream.rows;
    },
    get isOpen(): boolean {
      return open;
    },
    get isBehind(): boolean {
      return stream.writableLength > MOST_WAITING;
    },
    async drained() {
      if (open && stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined);
    },
    write,
    line: (text = '') => write(`${text}\n`),
    onResize(listener) {
      stream.on('resize', listener);
      return () => stream.off('resize', listener);
    },
  };
}
