/** What the process ends with. Scripts depend on these numbers. */
export const exitCode = {
  done: 0,
  /** The run failed, a finding of severity error, or a question that was answered with no. */
  failed: 1,
  /** Wrong use, an unreadable path, an invalid file or refused inputs: nothing ran. */
  refused: 2,
  /** The run waits for a person. */
  waiting: 3,
} as const;

/** Signals that end a run, with the code that shells give for them. */
export const signalExitCode = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type EndingSignal = keyof typeof signalExitCode;
