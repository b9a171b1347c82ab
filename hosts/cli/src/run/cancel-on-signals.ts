import { type EndingSignal, signalExitCode } from '../exit-code.js';
import type { View } from '../render/view.js';

export interface SignalWatch {
  /** The signal that asked the run to end, if one did. */
  readonly received: EndingSignal | undefined;
  stop(): void;
}

/** Milliseconds that a run gets to write its last event after the second signal. */
const lastGraceMs = 1_000;

/** The first signal asks the run to end in good order, the second to end at once. The process ends then, whatever still runs. */
export function cancelOnSignals(cancel: () => void, view: View): SignalWatch {
  let received: EndingSignal | undefined;
  let times = 0;
  const receive = (signal: EndingSignal): void => {
    received ??= signal;
    times++;
    if (times === 1) {
      view.say(
        signal === 'SIGINT'
          ? 'Cancelling: what runs is being stopped. Ctrl-C again ends at once.'
          : 'Cancelling: what runs is being stopped.',
      );
    } else {
      setTimeout(() => {
        view.close();
        process.exit(signalExitCode[received ?? signal]);
      }, lastGraceMs).unref();
    }
    cancel();
  };
  const handlers = (Object.keys(signalExitCode) as EndingSignal[]).map((signal) => {
    const handle = (): void => receive(signal);
    process.on(signal, handle);
    return () => process.off(signal, handle);
  });
  return {
    get received(): EndingSignal | undefined {
      return received;
    },
    stop() {
      for (const off of handlers) off();
    },
  };
}
