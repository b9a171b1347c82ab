/** Puts the id of a requirement into a test's title, where `requirements.test.ts` finds it: `it(requirement('RC-01', 'starts no shell'), …)`. */
export function requirement(id: string, title: string): string {
  return `${title} [${id}]`;
}
