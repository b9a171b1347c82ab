import type { CallContext } from '../ports/call-context.js';

/** Keeps results that are too large for a model's copy, for the length of the run. Absent: the copy names no place. */
export interface Spill {
  /** Gives the path under which the caller can read the text with `read_file`; undefined where it could not be kept. */
  keep(text: string, context: CallContext): Promise<string | undefined>;
  /** Is this the path of something that was kept? A part of it that is too large again is not kept a second time. */
  holds(path: string): boolean;
}
