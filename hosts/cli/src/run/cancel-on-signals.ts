import { type EndingSignal, signalExitCode } from '../exit-code.js';
import type { View } from '../render/view.js';

export interface SignalWatch {
  /** The signal that asked the run to end, if one did. */
  readonly received: EndingSignal | undefined;
  stop(): void;
}

/** The first signal asks the run to end in good order, the second ends the process: whatever runs below it goes too. */
export function cancelOnSignals(cancel: () => void, view: View): SignalWatch {
  let received: EndingSignal | undefined;
  const handlers = (Object.keys(signalExitCode) as EndingSignal[]).map((signal) => {
    const handle = (): void => {
      if (received !== undefined) {
        view.close();
        process.exit(signalExitCode[signal === 'SIGINT' ? 'SIGINT' : received]);
      }
      received = signal;
      view.say(signal === 'SIGINT' ? 'Cancelling: what runs is being stopped. Ctrl-C again ends at once.' : 'Cancelling: what runs is being stopped.');
      cancel();
    };
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
