import { isPattern } from '@relavium/engine';
import type { PathRules } from './path-rules.js';

/** A pattern cut where its first wildcard begins: the folder that must be admitted, and what is matched below it. */
export interface GlobPath {
  /** As it was written, `.` where there is none. */
  readonly folder: string;
  /** With `/` between names. */
  readonly pattern: string;
}

/** `undefined`: there is no wildcard, the text is an ordinary path. */
export function splitGlob(text: string, rules: PathRules): GlobPath | undefined {
  if (!isPattern(text)) return undefined;
  const separator = rules.platform === 'win32' ? /[\\/]/u : /\//u;
  const names = text.split(separator);
  const first = names.findIndex(isPattern);
  const folder = names.slice(0, first).join('/');
  const isRooted = first === 1 && names[0] === '';
  return {
    folder: isRooted ? '/' : folder === '' ? '.' : folder,
    pattern: names
      .slice(first)
      .filter((name) => name !== '' && name !== '.')
      .join('/'),
  };
}

/** A step upwards behind a part that looks like a pattern has no meaning that a reader and a matcher would agree on. */
export function stepsUpBehindPattern(text: string): boolean {
  const names = text.split(/[\\/]/u);
  const first = names.findIndex((name) => /[*?[\]{}]/u.test(name));
  return first >= 0 && names.indexOf('..', first + 1) >= 0;
}
