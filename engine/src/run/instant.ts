let lastInstant = 0;
let lastText = new Date(0).toISOString();

/**
 * An instant in ISO form. `new Date(ms)` is a pure function of its argument; what the engine must not do is ask for the time. Many events
 * share an instant, so the last pair is kept.
 */
export function isoInstant(at: number): string {
  if (at !== lastInstant) remember(at, new Date(at).toISOString());
  return lastText;
}

export function instantOf(text: string): number {
  if (text !== lastText) remember(Date.parse(text), text);
  return lastInstant;
}

function remember(at: number, text: string): void {
  lastInstant = at;
  lastText = text;
}
