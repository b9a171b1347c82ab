import type { Sink } from '../cli.js';
import { duration } from './duration.js';
import { eventLine } from './event-line.js';
import { createOutputLines } from './output-lines.js';
import type { Progress } from './progress.js';
import type { View } from './view.js';

export interface PlainViewOptions {
  readonly sink: Sink;
  readonly progress: Progress;
  readonly verbose: boolean;
  readonly now: () => number;
}

/** A long node says that it still runs after 10 s and then whenever that time has doubled, so that a log never looks stuck. */
const firstReminderMs = 10_000;

/** Writes a line an event, for pipes, logs and terminals that cannot move their cursor. */
export function createPlainView({ sink, progress, verbose, now }: PlainViewOptions): View {
  const outputLines = createOutputLines();
  const { paint } = sink;
  const nextReminder = new Map<number, number>();
  const remind = (): void => {
    for (const index of progress.active) {
      const node = progress.nodes[index];
      if (node?.state !== 'running' || node.startedAt === undefined) continue;
      const running = now() - node.startedAt;
      const due = nextReminder.get(index) ?? firstReminderMs;
      if (running < due) continue;
      nextReminder.set(index, due * 2);
      sink.line(`${'running'.padEnd(9)} ${node.id}  ${paint.dim(`for ${duration(running)}`)}`);
    }
  };
  const timer = setInterval(remind, 1_000);
  timer.unref();
  return {
    event(event) {
      progress.apply(event);
      if (event.type === 'tool:output' || event.type === 'agent:text') {
        // One write for all of them: a program may print millions of lines.
        if (verbose)
          sink.write(
            outputLines
              .add(event, paint)
              .map((line) => `${line}\n`)
              .join(''),
          );
        return;
      }
      if (verbose) for (const line of outputLines.restBefore(event, paint)) sink.line(line);
      const line = eventLine(event, { verbose, paint });
      if (line !== undefined) sink.line(line.trimEnd());
    },
    say(text) {
      sink.line(text);
    },
    hold: () => () => {},
    close() {
      clearInterval(timer);
      if (verbose) for (const line of outputLines.rest(paint)) sink.line(line);
    },
  };
}
