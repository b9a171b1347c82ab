import type { JsonObject } from '@relavium/engine';

/** What a run gives, as text for people and pipes: a single text as it is, everything else as indented JSON. Ends with a line end. */
export function outputText(outputs: JsonObject): string {
  const values = Object.values(outputs);
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') return only === '' || only.endsWith('\n') ? only : `${only}\n`;
  return jsonText(outputs);
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
