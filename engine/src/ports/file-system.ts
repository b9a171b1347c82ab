import type { CallContext } from './call-context.js';

/** How far paths may reach: the workspace; also the roots that this invocation was given; anywhere. */
export type FileScope = 'sandboxed' | 'project' | 'full';

/**
 * Files as tools see them. Every path is text from an author or a model: containment, floors and links are the host's to judge,
 * and a refusal is a `HostError` with code `tool_denied` and reason `path_denied`.
 */
export interface FileSystem {
  /** The same files with at most this scope; it never widens. */
  within(scope: FileScope): FileSystem;
  read(request: ReadRequest, call: CallContext): Promise<FileContent>;
  /** Files that match a glob, sorted by path; what cannot be read is in `skipped`. */
  readGlob(request: ReadRequest, call: CallContext): Promise<GlobContent>;
  write(request: WriteRequest, call: CallContext): Promise<WriteResult>;
  list(request: ListRequest, call: CallContext): Promise<Listing>;
  /**
   * The policy's answer alone, without I/O on contents: throws what `read`, `write` or `list` would. Gives the path that would be touched,
   * links followed, as a caller would name it again.
   */
  check(operation: FileOperation, path: string, root?: string): Promise<string>;
}

export type FileOperation = 'read' | 'write' | 'list' | 'glob';

export interface ReadRequest {
  /** A path, or in `readGlob` a pattern of `*`, `?` and `**`. A pattern that exists as written is that path. */
  readonly path: string;
  readonly root?: string;
  /** Absent: UTF-8, or what a byte order mark says. */
  readonly encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
  /** Lines are counted from 1; a line keeps its line break. */
  readonly startLine?: number;
  readonly lineCount?: number;
  /** Counted from 0. A character belongs to the range that holds its first byte, so that ranges laid end to end lose none. */
  readonly startByte?: number;
  readonly byteCount?: number;
  /** Whole files, and ranges, above this are `tool_failed too_large`. */
  readonly maxBytes: number;
}

export interface FileContent {
  readonly content: string;
  readonly mimeType: string;
  /** Of the whole file, also where only a range was read. */
  readonly sizeBytes: number;
  /** ISO instant. */
  readonly lastModified: string;
}

export interface GlobContent {
  readonly files: readonly (FileContent & { readonly path: string })[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export interface WriteRequest {
  readonly path: string;
  readonly root?: string;
  readonly content: string;
  readonly append: boolean;
  readonly createParents: boolean;
}

export interface WriteResult {
  /** As the caller would name it again: relative to the workspace, or absolute. */
  readonly path: string;
  readonly bytesWritten: number;
}

export interface ListRequest {
  readonly path: string;
  readonly root?: string;
  readonly recursive: boolean;
  /** Keeps the entries whose name, as it would be listed, matches. */
  readonly glob?: string;
  readonly maxEntries: number;
}

export interface Listing {
  /** Sorted by name; names are relative to the directory that was asked for, with `/`. Protected entries are left out. */
  readonly entries: readonly DirectoryEntry[];
  /** Present and true where there are more than `maxEntries`. */
  readonly truncated?: boolean;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly sizeBytes: number;
  readonly lastModified: string;
}
