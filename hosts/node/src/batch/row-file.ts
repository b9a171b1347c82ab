import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** A file that only ever holds whole rows. */
export interface RowFile {
  /** Everything is handed to the system before this returns, so that the death of this process loses nothing. The code of what went wrong, if something did. */
  write(rows: string): string | undefined;
  close(): void;
}

/** Makes the file, or empties the one that is there. Throws what the system says. */
export function openRowFile(path: string): RowFile {
  const descriptor = openSync(path, 'w');
  let whole = 0;
  return {
    write(rows) {
      const bytes = Buffer.from(rows);
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
        whole += bytes.length;
        return undefined;
      } catch (error) {
        cutBack(descriptor, whole);
        return (error as NodeJS.ErrnoException).code ?? 'unknown';
      }
    },
    close: () => closeSync(descriptor),
  };
}

/** A disk that was full in the middle of a row leaves the row out. Where the file is a pipe there is nothing to cut. */
function cutBack(descriptor: number, length: number): void {
  try {
    ftruncateSync(descriptor, length);
  } catch {
    return;
  }
}
