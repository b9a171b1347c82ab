import type { RunEvent } from '@relavium/engine';

/**
 * Tells runs that start themselves from runs that somebody starts. Files that the run's own file tools write are known; what its
 * programs write is not, so a change while one of them runs may be theirs or a person's. It counts, but not for ever.
 */
export interface OwnCommands {
  /** A run begins. */
  begin(): void;
  event(event: RunEvent): void;
  /** Whether these changes may start one more run. */
  allows(changes: readonly { readonly at: number }[]): boolean;
}

/** Runs in a row of which each was started by nothing but changes made while programs of the one before it ran. */
const MOST_IN_A_ROW = 5;
/** The time of a file and the time of an event are not read from the same clock. */
const CLOCK_SLACK_MS = 50;

export function ownCommands(now: () => number): OwnCommands {
  let spans: { from: number; to: number }[] = [];
  const open = new Map<string, { from: number; to: number }>();
  let inARow = 0;
  return {
    begin() {
      spans = [];
      open.clear();
    },
    event(event) {
      if (event.type === 'tool:call' && !FILE_TOOLS.has(event.tool)) {
        const span = { from: now(), to: Number.POSITIVE_INFINITY };
        open.set(event.callId, span);
        spans.push(span);
      } else if (event.type === 'tool:result') {
        const span = open.get(event.callId);
        if (span !== undefined) span.to = now();
        open.delete(event.callId);
      }
    },
    allows(changes) {
      const isOurs = changes.every(({ at }) => spans.some(({ from, to }) => at >= from - CLOCK_SLACK_MS && at <= to + CLOCK_SLACK_MS));
      inARow = isOurs ? inARow + 1 : 0;
      if (inARow <= MOST_IN_A_ROW) return true;
      inARow = 0;
      return false;
    },
  };
}

/** What these write is known path by path. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['read_file', 'write_file', 'list_directory']);
