import type { GitStatusEntry } from '@relavium/engine';

/**
 * Reads `git status --porcelain=v2 -z`. With -z names stand as they are, and end with NUL; the former name of a rename is a record of
 * its own. Format: git-status(1), "Porcelain Format Version 2".
 */
export function parseStatus(output: string): readonly GitStatusEntry[] {
  const records = output.split('\0');
  const entries: GitStatusEntry[] = [];
  for (let index = 0; index < records.length; index++) {
    const record = records[index]!;
    switch (record[0]) {
      case '1':
        entries.push({ kind: 'changed', path: fieldsFrom(record, 8), ...letters(record) });
        break;
      case '2': {
        const from = records[++index] ?? '';
        const kind = record.split(' ', 9)[8]?.startsWith('C') === true ? 'copied' : 'renamed';
        entries.push({ kind, path: fieldsFrom(record, 9), from, ...letters(record) });
        break;
      }
      case 'u':
        entries.push({ kind: 'unmerged', path: fieldsFrom(record, 10), ...letters(record) });
        break;
      case '?':
        entries.push({ kind: 'untracked', path: record.slice(2) });
        break;
      case '!':
        entries.push({ kind: 'ignored', path: record.slice(2) });
        break;
      default:
        // A header, or the end.
        break;
    }
  }
  return entries;
}

/** What stands behind so many fields: a name may hold blanks. */
function fieldsFrom(record: string, count: number): string {
  let start = 0;
  for (let field = 0; field < count; field++) start = record.indexOf(' ', start) + 1;
  return record.slice(start);
}

function letters(record: string): { readonly index: string; readonly worktree: string } {
  return { index: record[2] ?? '.', worktree: record[3] ?? '.' };
}
