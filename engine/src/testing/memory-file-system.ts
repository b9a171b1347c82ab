import { isPattern, pathGlob } from '../paths/path-glob.js';
import type { DirectoryEntry, FileContent, FileSystem, ReadRequest } from '../ports/file-system.js';
import { HostError } from '../ports/host-error.js';
import { utf8Length } from '../text/utf8-length.js';

/** Text files in memory, by their path from the workspace with `/`. Folders are there where a file is below them. */
export interface MemoryFileSystem extends FileSystem {
  readonly files: ReadonlyMap<string, string>;
}

/** Paths that leave the workspace are refused; there are no links, no protected names and no encodings. */
export function memoryFileSystem(initial: Readonly<Record<string, string>> = {}): MemoryFileSystem {
  const files = new Map(Object.entries(initial));

  const contentOf = (path: string, request: ReadRequest): FileContent => {
    const whole = files.get(path);
    if (whole === undefined) throw new HostError('tool_failed', 'missing', `${request.path} does not exist`);
    const content = rangeOf(whole, request);
    if (utf8Length(content) > request.maxBytes)
      throw new HostError('tool_failed', 'too_large', `${request.path} is larger than ${request.maxBytes} bytes`);
    return { content, mimeType: 'text/plain', sizeBytes: utf8Length(whole), lastModified: LAST_MODIFIED };
  };

  const system: MemoryFileSystem = {
    files,
    within: () => system,
    read: async (request) => contentOf(resolve(request.path, request.root), request),
    async readGlob(request) {
      const pattern = resolve(request.path, request.root);
      if (files.has(pattern) || !isPattern(pattern)) return { files: [{ path: pattern, ...contentOf(pattern, request) }], skipped: [] };
      const glob = pathGlob(pattern);
      const paths = [...files.keys()].filter((path) => glob.matches(path)).sort();
      return { files: paths.map((path) => ({ path, ...contentOf(path, request) })), skipped: [] };
    },
    async write({ path: given, root, content, append, createParents }) {
      const path = resolve(given, root);
      const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
      const hasParent = parent === '' || [...files.keys()].some((other) => other.startsWith(`${parent}/`));
      if (!hasParent && !createParents) throw new HostError('tool_failed', 'missing_parent', `the folder of ${given} does not exist`);
      files.set(path, append ? (files.get(path) ?? '') + content : content);
      return { path, bytesWritten: utf8Length(content) };
    },
    async list({ path: given, root, recursive, glob, maxEntries }) {
      const folder = resolve(given, root);
      const prefix = folder === '' ? '' : `${folder}/`;
      const entries = new Map<string, DirectoryEntry>();
      for (const [path, content] of files) {
        if (!path.startsWith(prefix)) continue;
        const names = path.slice(prefix.length).split('/');
        for (let depth = 1; depth <= (recursive ? names.length : 1); depth++) {
          const name = names.slice(0, depth).join('/');
          entries.set(name, entryOf(name, depth === names.length ? content : undefined));
        }
      }
      if (entries.size === 0 && folder !== '') throw new HostError('tool_failed', 'missing', `${given} does not exist`);
      const wanted = glob === undefined ? undefined : pathGlob(glob);
      const sorted = [...entries.values()]
        .filter(({ name }) => wanted?.matches(name) ?? true)
        .sort((one, other) => (one.name < other.name ? -1 : 1));
      return sorted.length > maxEntries ? { entries: sorted.slice(0, maxEntries), truncated: true } : { entries: sorted };
    },
    check: async (_operation, path, root) => resolve(path, root),
  };
  return system;
}

const LAST_MODIFIED = '1970-01-01T00:00:00.000Z';

function entryOf(name: string, content: string | undefined): DirectoryEntry {
  return content === undefined
    ? { name, type: 'directory', sizeBytes: 0, lastModified: LAST_MODIFIED }
    : { name, type: 'file', sizeBytes: utf8Length(content), lastModified: LAST_MODIFIED };
}

function resolve(path: string, root = ''): string {
  const names: string[] = [];
  for (const name of `${root}/${path}`.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && names.pop() === undefined) throw denied(path);
    if (name !== '..') names.push(name);
  }
  if (path.startsWith('/')) throw denied(path);
  return names.join('/');
}

function denied(path: string): HostError {
  return new HostError('tool_denied', 'path_denied', 'the path is outside the workspace', { rule: 'workspace', value: path });
}

function rangeOf(text: string, { startLine, lineCount }: ReadRequest): string {
  if (startLine === undefined && lineCount === undefined) return text;
  const lines = text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const first = (startLine ?? 1) - 1;
  return lines.slice(first, lineCount === undefined ? undefined : first + lineCount).join('');
}
