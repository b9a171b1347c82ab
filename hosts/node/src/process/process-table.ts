import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Ticks since the machine started: a number that was given out again has another one. */
  readonly startedAt: string;
  readonly isDead: boolean;
}

/** All processes, where the system shows them as files; otherwise none, and what left its group is not found. */
export function processTable(): readonly ProcessEntry[] {
  if (process.platform !== 'linux') return [];
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/u.test(name)) continue;
    const entry = processEntry(Number(name));
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

/** Processes below a process, those included that have made a group of their own. */
export function descendantsOf(pid: number, table: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry]);
  const found: ProcessEntry[] = [];
  const pending = [pid];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const child of children.get(at) ?? []) {
      found.push(child);
      pending.push(child.pid);
    }
  }
  return found;
}

/** One process; undefined where there is none, or where the system does not show it. proc(5): the name stands in parentheses and may hold any character, so fields are counted from the last one. */
export function processEntry(pid: number): ProcessEntry | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid,
      parent: Number(fields[1]),
      group: Number(fields[2]),
      startedAt: fields[19]!,
      isDead: fields[0] === 'Z' || fields[0] === 'X',
    };
  } catch {
    return undefined;
  }
}
