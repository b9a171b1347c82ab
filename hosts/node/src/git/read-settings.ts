import type { GitSettings } from './pinned-git.js';

/** What is looked up with `git config --get-regexp`. Looking starts no program, whatever the configuration says. */
export const SETTINGS_PATTERN =
  '^(user\\.(name|email)|safe\\.directory|core\\.(autocrlf|eol)|filter\\..*\\.(clean|smudge|process|required))$';

/** Reads the answer of `git config --show-scope -z --get-regexp`: scope, then key and value with a line break between, each ended by NUL. */
export function readSettings(output: string): GitSettings {
  const fields = output.split('\0');
  const filters = new Set<string>();
  const safeFolders: string[] = [];
  const lineEnds: [key: string, value: string][] = [];
  let name: string | undefined;
  let email: string | undefined;
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const scope = fields[index]!;
    const entry = fields[index + 1]!;
    const key = entry.split('\n', 1)[0]!;
    const value = entry.slice(key.length + 1);
    if (key === 'user.name') name = value;
    else if (key === 'user.email') email = value;
    else if (key === 'safe.directory') {
      // A repository cannot vouch for itself.
      if (scope === 'system' || scope === 'global') safeFolders.push(value);
    } else if (key.startsWith('core.')) lineEnds.push([key, value]);
    else filters.add(key.slice('filter.'.length, key.lastIndexOf('.')));
  }
  return { filters: [...filters], safeFolders, lineEnds, name, email };
}
