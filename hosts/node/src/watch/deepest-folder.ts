import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The path itself if it is a folder, else the deepest one above it that is there. */
export function deepestFolder(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (statSync(at, { throwIfNoEntry: false })?.isDirectory() === true || dirname(at) === at) return at;
  }
}
