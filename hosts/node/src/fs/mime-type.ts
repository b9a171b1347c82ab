/** The type of a text file by its extension; the bytes have been found to be text. */
export function mimeType(path: string): string {
  const extension = /\.([A-Za-z0-9]+)$/u.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES.get(extension) ?? 'text/plain';
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['markdown', 'text/markdown'],
  ['md', 'text/markdown'],
  ['mjs', 'text/javascript'],
  ['ndjson', 'application/x-ndjson'],
  ['svg', 'image/svg+xml'],
  ['toml', 'application/toml'],
  ['tsv', 'text/tab-separated-values'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
]);
