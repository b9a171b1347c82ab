/** The part of an `AbortSignal` that the engine uses; a real one fits. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Something that can be cancelled once. `cancel` is idempotent. */
export interface Cancel {
  readonly signal: CancelSignal;
  cancel(): void;
}
