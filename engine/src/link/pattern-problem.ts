import { MAX_PATTERN_LENGTH } from '../plan/ceilings.js';
import { linearPattern } from '../validate/linear-pattern.js';

/** Why a pattern cannot be used; undefined: it compiles. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return `it has more than ${MAX_PATTERN_LENGTH} characters`;
  try {
    linearPattern(pattern);
    return undefined;
  } catch (error) {
    // The engine speaks of its own syntax; what follows the colon is about the pattern.
    const message = error instanceof Error ? error.message : '';
    const detail = message.replace(/^error parsing regexp: /, '');
    if (/\(\?<?[=!]/.test(pattern)) return 'look-around has no linear-time engine';
    if (/\\[1-9]/.test(pattern)) return 'back-references have no linear-time engine';
    return detail === '' ? 'it is no regular expression' : detail;
  }
}

/**
 * Whether a repetition without bound stands directly around another one, as in (a+)+: the shape that makes backtracking engines try
 * exponentially many ways. One pass; alternatives that overlap are not looked for.
 */
export function isRiskyPattern(pattern: string): boolean {
  const groups: { repeats: boolean }[] = [{ repeats: false }];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '[') at = classEnd(pattern, at);
    else if (character === '(') {
      groups.push({ repeats: false });
      if (pattern[at + 1] === '?') at += 1;
      continue;
    } else if (character === ')') {
      const group = groups.pop() ?? { repeats: false };
      const repeated = isUnbounded(pattern, at + 1);
      if (group.repeats && repeated) return true;
      const outer = groups.at(-1);
      if (outer !== undefined && (group.repeats || repeated)) outer.repeats = true;
      if (groups.length === 0) groups.push({ repeats: false });
      continue;
    }
    if (isUnbounded(pattern, at + 1)) {
      const group = groups.at(-1);
      if (group !== undefined) group.repeats = true;
    }
  }
  return false;
}

function isUnbounded(pattern: string, at: number): boolean {
  if (pattern[at] === '*' || pattern[at] === '+') return true;
  return pattern[at] === '{' && /^\{\d+,\}/.test(pattern.slice(at, at + 12));
}

function classEnd(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === '^') at += 1;
  if (pattern[at] === ']') at += 1;
  while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1;
  return at;
}
