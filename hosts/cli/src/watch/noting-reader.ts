import { dirname, join, resolve } from 'node:path';
import type { SourceReader } from '@relavium/engine';

export interface NotingReader extends SourceReader {
  /** Absolute paths of all files that were asked for, those that are not there included: making one of them changes what compiles. */
  readonly asked: ReadonlySet<string>;
}

export function notingReader(reader: SourceReader, { root, cwd }: { readonly root: string; readonly cwd: string }): NotingReader {
  const asked = new Set<string>();
  return {
    asked,
    relative(from, path) {
      asked.add(resolve(cwd, dirname(from), path));
      return reader.relative(from, path);
    },
    byId(kind, id) {
      const read = reader.byId(kind, id);
      asked.add(read.ok ? resolve(cwd, read.source.path) : join(root, '.relavium', `${kind}s`, id + ENDINGS[kind]));
      return read;
    },
    ids: reader.ids,
  };
}

const ENDINGS = { workflow: '.relavium.yaml', agent: '.agent.yaml' } as const;
