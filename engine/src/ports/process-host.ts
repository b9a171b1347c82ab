import type { CallContext } from './call-context.js';

/** Starts operating-system processes without a shell, in a group of their own that ends as a whole. */
export interface ProcessHost {
  /** Resolves for every exit code; a command that cannot be started is `tool_failed` with reason `not_found` or `spawn_failed`. */
  run(request: ProcessRequest, call: CallContext): Promise<ProcessResult>;
}

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Relative to the workspace. */
  readonly cwd?: string;
  /** Declared variables, already judged by the environment predicate. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent: the child reads end of file at once. */
  readonly stdin?: string;
  /** A stream's ceiling in bytes; head and tail are kept above it. */
  readonly maxOutputBytes: number;
  readonly timeoutMs?: number;
}

export interface ProcessResult {
  /** 128 + n for a child that died by signal n, as shells report it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** Present and true where output was left out. */
  readonly truncated?: boolean;
  /** Present and true where bytes that are no UTF-8 were replaced by U+FFFD. */
  readonly invalidUtf8?: boolean;
}
