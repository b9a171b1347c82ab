import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SourceText } from '@relavium/engine';
import type { ConfigFile } from '@relavium/schemas';
import { type ConfigProblem, parseConfig } from './parse-config.js';

/** What configuration says, the project's first, then the person's. */
export interface ConfigRead {
  readonly project: ConfigFile;
  readonly home: ConfigFile;
  /** Everything that is wrong with the files; a file with a problem counts as empty. */
  readonly problems: readonly ConfigProblem[];
  /** Files that were there. */
  readonly files: readonly string[];
}

export interface ConfigPlaces {
  readonly projectRoot: string;
  /** Takes the place of the project's file, and must be there. */
  readonly file?: string;
  /** Absent: the person's home directory. */
  readonly home?: string;
}

/** Reads `.relavium/project.toml` and `~/.relavium/config.toml`. Neither has to be there. */
export function readConfig({ projectRoot, file, home = homedir() }: ConfigPlaces): ConfigRead {
  const project = readOne(file ?? join(projectRoot, '.relavium', 'project.toml'), 'project', file !== undefined);
  const person = readOne(join(home, '.relavium', 'config.toml'), 'home', false);
  return {
    project: project.config,
    home: person.config,
    problems: [...project.problems, ...person.problems],
    files: [...project.files, ...person.files],
  };
}

/** Levels of findings: the project's word goes before the person's. */
export function lintLevels({ project, home }: Pick<ConfigRead, 'project' | 'home'>): ReadonlyMap<string, 'error' | 'warning' | 'off'> {
  return new Map([...Object.entries(home.lint?.levels ?? {}), ...Object.entries(project.lint?.levels ?? {})]);
}

interface OneRead {
  readonly config: ConfigFile;
  readonly problems: readonly ConfigProblem[];
  readonly files: readonly string[];
}

function readOne(path: string, place: 'project' | 'home', isNamed: boolean): OneRead {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (!isNamed && (code === 'ENOENT' || code === 'ENOTDIR')) return { config: {}, problems: [], files: [] };
    return { config: {}, problems: [unreadable(path, code)], files: [path] };
  }
  return { ...parseConfig({ path, text }, place), files: [path] };
}

function unreadable(path: string, code: string | undefined): ConfigProblem {
  const source: SourceText = { path, text: '' };
  const message =
    code === 'ENOENT'
      ? 'there is no such file'
      : code?.startsWith('ERR_ENCODING') === true
        ? 'the file is not UTF-8 text'
        : `the file cannot be read (${code ?? 'unknown reason'})`;
  return { code: 'unreadable', severity: 'error', message, source, range: { start: 0, end: 0 } };
}
