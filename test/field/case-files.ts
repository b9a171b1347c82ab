import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../cases/field/files/', import.meta.url));

/** The files that the field cases come with, as `files/…`. */
export function caseFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [`files/${name}`, readFileSync(join(folder, name), 'utf8')]));
}
