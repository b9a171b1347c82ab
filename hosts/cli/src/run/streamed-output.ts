import type { StreamedEvent } from '@relavium/engine';
import type { Cli } from '../cli.js';
import type { View } from '../render/view.js';

export interface StreamedOutput {
  event(event: StreamedEvent): void;
  /** Says what was left out last. */
  end(): void;
}

/**
 * Shows output while it comes. What a reader does not take in time is left out, and said so: it must neither pile up in memory nor make
 * the program wait that writes it.
 */
export function streamedOutput(cli: Cli, view: View): StreamedOutput {
  const sink = cli.json ? cli.out : cli.err;
  let leftOut = 0;
  const tell = (): void => {
    if (leftOut === 0) return;
    const message = `${leftOut} characters of output are left out here: they came faster than they were read`;
    if (cli.json) cli.err.line(message);
    else view.say(message);
    leftOut = 0;
  };
  return {
    event(event) {
      if (event.type === 'tool:output' && sink.isBehind) {
        leftOut += event.text.length;
        return;
      }
      tell();
      view.event(event);
    },
    end: tell,
  };
}
