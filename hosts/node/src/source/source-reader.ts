import { readdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { SourceRead, SourceReader } from '@relavium/engine';
import { codeOf } from '../fs/error-code.js';
import { nativePlatform, pathRules } from '../fs/path-rules.js';
import { readSource } from './read-source.js';

export interface SourceReaderOptions {
  /** The project; absolute. */
  readonly root: string;
  /** Source paths are relative to it where that is short, as people type them. Default: the project. */
  readonly cwd?: string;
}

/** Files that workflows name, as far as they lie inside the project with all links followed. Every answer is read anew. */
export function createSourceReader({ root, cwd = root }: SourceReaderOptions): SourceReader {
  const rules = pathRules(nativePlatform());
  const shownAs = (path: string) => {
    const short = relative(cwd, path);
    return short === '' || short.startsWith(`..${sep}..`) || isAbsolute(short) ? path : short;
  };

  const inProject = (path: string, asked: string): SourceRead => {
    const outside: SourceRead = { ok: false, problem: 'outside', message: `${asked} lies outside the project` };
    if (rules.refusedSpelling(asked) !== undefined || !rules.isInside(root, path)) return outside;
    try {
      const canonical = realpathSync.native(path);
      return rules.isInside(realpathSync.native(root), canonical) ? readSource(canonical, shownAs(path)) : outside;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, problem: 'missing', message: `${asked} does not exist` };
      return { ok: false, problem: 'unreadable', message: `${asked} cannot be read` };
    }
  };

  return {
    relative: (from, path) => inProject(resolve(cwd, dirname(from), path), path),
    byId(kind, id) {
      if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/u.test(id)) return { ok: false, problem: 'missing', message: `${id.slice(0, 100)} is no id` };
      const path = join(root, FOLDERS[kind], id + ENDINGS[kind]);
      return inProject(path, shownAs(path));
    },
    ids(kind) {
      try {
        const names = readdirSync(join(root, FOLDERS[kind])).filter((name) => name.endsWith(ENDINGS[kind]));
        return names.map((name) => name.slice(0, -ENDINGS[kind].length)).sort();
      } catch {
        return [];
      }
    },
  };
}

/** A file is found by its name: the id and the ending of its kind. */
const FOLDERS = { workflow: '.relavium/workflows', agent: '.relavium/agents' } as const;
const ENDINGS = { workflow: '.relavium.yaml', agent: '.agent.yaml' } as const;
