import type { RunEvent, StreamedEvent } from '@relavium/engine';

/** Shows a run while it goes on. */
export interface View {
  event(event: RunEvent | StreamedEvent): void;
  /** Says something beside the run's own events, such as that it is being cancelled. */
  say(text: string): void;
  /** Draws nothing until the function that it returns is called: somebody is being asked something. */
  hold(): () => void;
  /** Leaves the terminal as it should stay. Nothing is shown after it. */
  close(): void;
}
