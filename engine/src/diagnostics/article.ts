/** `a transform node`, `an output node`, `an MCP server`; a plural stands without. */
export function withArticle(noun: string): string {
  if (/[^s]s$/.test(noun.split(' ').at(-1) as string)) return noun;
  const acronym = /^[A-Z]{2}/.test(noun);
  // Of an acronym the name of its first letter counts.
  const vowel = acronym ? /^[AEFHILMNORSX]/.test(noun) : /^[aeiou]/i.test(noun);
  return `${vowel ? 'an' : 'a'} ${noun}`;
}
