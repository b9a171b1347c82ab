import { type Compilation, type CompilePorts, compile } from './compile.js';
import type { SourceRead, SourceReader } from './ports/source-reader.js';
import type { SourceText } from './source/source-text.js';

export interface CompileCache {
  /** As `compile`; the same texts give the same compilation without compiling again. */
  compile(source: SourceText, ports: CompilePorts): Compilation;
}

/** Compilations kept by one cache. A watch or a batch has a handful of files. */
const KEPT = 32;

/**
 * Remembers compilations under the text of the file. Files that it names are read again each time and compared, so an edited agent or
 * child is never missed.
 */
export function compileCache(): CompileCache {
  const known = new Map<string, Kept>();
  return {
    compile: (source, ports) => {
      const key = `${source.path}\n${source.text}`;
      const kept = known.get(key);
      known.delete(key);
      const current = kept !== undefined && kept.tools === ports.tools && kept.reads.every((read) => isUnchanged(read, ports.reader));
      const next = current ? kept : compileNoting(source, ports);
      known.set(key, next);
      if (known.size > KEPT) known.delete(known.keys().next().value as string);
      return next.compilation;
    },
  };
}

interface Kept {
  readonly compilation: Compilation;
  readonly tools: CompilePorts['tools'];
  readonly reads: readonly NotedRead[];
}

type NotedRead =
  | { readonly kind: 'relative'; readonly from: string; readonly path: string; readonly result: SourceRead }
  | { readonly kind: 'byId'; readonly of: 'agent' | 'workflow'; readonly id: string; readonly result: SourceRead }
  | { readonly kind: 'ids'; readonly of: 'agent' | 'workflow'; readonly result: readonly string[] };

function compileNoting(source: SourceText, ports: CompilePorts): Kept {
  const reads: NotedRead[] = [];
  const noted = <Read extends NotedRead>(read: Read): Read['result'] => {
    reads.push(read);
    return read.result;
  };
  const reader: SourceReader = {
    relative: (from, path) => noted({ kind: 'relative', from, path, result: ports.reader.relative(from, path) }),
    byId: (of, id) => noted({ kind: 'byId', of, id, result: ports.reader.byId(of, id) }),
    ids: (of) => noted({ kind: 'ids', of, result: ports.reader.ids(of) }),
  };
  return { compilation: compile(source, { ...ports, reader }), tools: ports.tools, reads };
}

function isUnchanged(read: NotedRead, reader: SourceReader): boolean {
  if (read.kind === 'ids') return read.result.join('\n') === reader.ids(read.of).join('\n');
  const now = read.kind === 'relative' ? reader.relative(read.from, read.path) : reader.byId(read.of, read.id);
  if (!now.ok || !read.result.ok) return !now.ok && !read.result.ok && now.problem === read.result.problem;
  return now.source.path === read.result.source.path && now.source.text === read.result.source.text;
}
