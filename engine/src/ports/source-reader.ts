import type { SourceText } from '../source/source-text.js';

/** Gives compile the files that a workflow names. Synchronous; containment inside the project is the host's to judge. */
export interface SourceReader {
  /** A file named in another one, relative to it; `from` is that one's `SourceText.path`. */
  relative(from: string, path: string): SourceRead;
  /** An agent or workflow of the project by its id. */
  byId(kind: 'agent' | 'workflow', id: string): SourceRead;
  /** Ids that `byId` knows, for near-name suggestions. */
  ids(kind: 'agent' | 'workflow'): readonly string[];
}

export type SourceRead =
  | { readonly ok: true; readonly source: SourceText }
  | { readonly ok: false; readonly problem: 'missing' | 'outside' | 'unreadable'; readonly message: string };
