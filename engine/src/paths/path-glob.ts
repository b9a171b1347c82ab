import { matchesGlob } from '../registry/glob.js';

/**
 * A pattern over paths with `/`: `*` and `?` inside one name, `**` as a whole segment for any number of folders. Every other character
 * is literal, brackets and braces too. It is followed name by name, so that a walk never enters a folder below which nothing can match.
 */
export interface PathGlob {
  readonly start: GlobState;
  next(state: GlobState, name: string): GlobState;
  isMatch(state: GlobState): boolean;
  /** Nothing below can match. */
  isDead(state: GlobState): boolean;
  matches(path: string): boolean;
}

/** Positions in the pattern that the names so far can have led to. */
export type GlobState = readonly number[];

export function pathGlob(pattern: string): PathGlob {
  const segments = pattern.split('/').map((segment) => (segment === '**' ? segment : [...segment]));
  const start = widened([0], segments);
  const next = (state: GlobState, name: string): GlobState => {
    const characters = [...name];
    const reached = state.flatMap((position) => {
      const segment = segments[position];
      if (segment === undefined) return [];
      if (segment === '**') return [position];
      return matchesGlob(segment as string[], characters) ? [position + 1] : [];
    });
    return widened(reached, segments);
  };
  const isMatch = (state: GlobState) => state.includes(segments.length);
  return {
    start,
    next,
    isMatch,
    isDead: (state) => !state.some((position) => position < segments.length),
    matches: (path) => isMatch(path.split('/').reduce(next, start)),
  };
}

/** Does the text hold one of the characters that make it a pattern? */
export function isPattern(text: string): boolean {
  return /[*?]/u.test(text);
}

/** `**` also stands for no folder at all. */
function widened(positions: readonly number[], segments: readonly (string | string[])[]): GlobState {
  const all = new Set<number>();
  for (let position of positions) {
    all.add(position);
    while (segments[position] === '**') all.add(++position);
  }
  return [...all];
}
