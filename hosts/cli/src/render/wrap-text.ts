import { textWidth } from './text-width.js';

/** Prose in lines of at most 100 columns, or of the terminal's width if that is less. */
export function wrapText(text: string, columns: number | undefined, indent = ''): readonly string[] {
  const room = Math.max(30, Math.min(columns ?? 100, 100) - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer) > room) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}
