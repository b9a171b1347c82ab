/** Puts the id of a requirement into a test's title, where `requirements.test.ts` finds it: `it(requirement('RC-01', 'starts no shell'), …)`. */
export function requirement(id: string, title: string): string {
  return requirements([id], title);
}

/** The same for a test that holds several. */
export function requirements(ids: readonly string[], title: string): string {
  return ids.length === 0 ? title : `${title} [${ids.join(', ')}]`;
}
