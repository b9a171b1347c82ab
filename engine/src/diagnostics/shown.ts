import { clip } from '../masking/clip.js';
import { mask } from '../masking/mask.js';

/** A value of the file as a message may show it: one line, short, without anything that looks like a credential. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(mask(value)) : mask(JSON.stringify(value) ?? String(value));
  return clip(text, 80);
}
