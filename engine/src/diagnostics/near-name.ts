import { distance as editDistance } from 'fastest-levenshtein';

/** Names longer than this are not compared: the cost is the product of two lengths. */
const LONGEST = 100;
/** With more candidates than this only those with the same first letter are compared. */
const MANY = 1_000;

/**
 * The candidate that a person most probably meant, or nothing. Near is an edit distance of at most 3 and at most a third of the
 * name's length, or a difference in case only. Ties go to the candidate that comes first.
 */
export function nearName(name: string, candidates: Iterable<string>): string | undefined {
  return nearest(name, candidates)?.name;
}

/** The near name if no other one is as near: a fix may write it without asking. */
export function onlyNearName(name: string, candidates: Iterable<string>): string | undefined {
  const found = nearest(name, candidates);
  return found?.alone ? found.name : undefined;
}

function nearest(name: string, candidates: Iterable<string>): { name: string; alone: boolean } | undefined {
  if (name.length === 0 || name.length > LONGEST) return undefined;
  const folded = name.toLowerCase();
  let list = [...candidates].filter((candidate) => candidate !== name && Math.abs(candidate.length - name.length) <= 3);
  if (list.length > MANY) list = list.filter((candidate) => candidate[0]?.toLowerCase() === folded[0]).slice(0, MANY);
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.max(1, Math.floor(name.length / 3))) + 1;
  let alone = false;
  for (const candidate of list) {
    const distance = candidate.toLowerCase() === folded ? 0 : isSwap(name, candidate) ? 1 : editDistance(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
      alone = true;
    } else if (distance === bestDistance && best !== undefined) alone = false;
  }
  return best === undefined ? undefined : { name: best, alone };
}

/** Two neighbours in the wrong order: one slip, though two edits. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** `did you mean "x"?` or nothing, as a suggestion. */
export function didYouMean(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `did you mean "${near}"?`;
}
