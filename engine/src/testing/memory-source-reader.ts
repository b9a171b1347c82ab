import type { SourceRead, SourceReader } from '../ports/source-reader.js';
import type { SourceText } from '../source/source-text.js';

/** Files by path with `/`. Those below `.relavium/agents/` and `.relavium/workflows/` are also found by id. */
export function memorySourceReader(files: Readonly<Record<string, string>>): SourceReader {
  const read = (path: string): SourceRead => {
    const text = Object.hasOwn(files, path) ? files[path] : undefined;
    if (text === undefined) return { ok: false, problem: 'missing', message: `${path} does not exist` };
    const source: SourceText = { path, text };
    return { ok: true, source };
  };
  return {
    relative: (from, path) => {
      const joined = resolve(from, path);
      return joined === undefined ? { ok: false, problem: 'outside', message: `${path} lies outside the project` } : read(joined);
    },
    byId: (kind, id) => read(pathOf(kind, id)),
    ids: (kind) => {
      const [start, end] = pathOf(kind, '\n').split('\n') as [string, string];
      return Object.keys(files)
        .filter((path) => path.startsWith(start) && path.endsWith(end))
        .map((path) => path.slice(start.length, path.length - end.length))
        .sort();
    },
  };
}

function pathOf(kind: 'agent' | 'workflow', id: string): string {
  return kind === 'agent' ? `.relavium/agents/${id}.agent.yaml` : `.relavium/workflows/${id}.relavium.yaml`;
}

/** `undefined` for a path that leads out of the root. */
function resolve(from: string, path: string): string | undefined {
  if (path.startsWith('/')) return undefined;
  const parts = from.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
