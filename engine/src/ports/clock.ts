/** Time as the engine sees it. Instants are milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Fires once at or after the instant, however far away it is; returns the function that takes the timer back. */
  at(instant: number, fire: () => void): () => void;
  /** Fires once when the host has served what else is due, so that long pure work does not lock out signals and I/O. */
  soon(fire: () => void): void;
}
