import { normalize } from 'node:path/posix';

/** Files as a reader in memory names them: `./a.yaml` is `a.yaml`. */
export function fromRoot(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [normalize(path), text]));
}
