/** Columns that a text takes in a terminal. The text must hold no control characters. */
export function textWidth(text: string): number {
  if (asciiOnly.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter().segment(text)) width += segmentWidth(segment);
  return width;
}

/** Cuts a text so that it takes at most `columns`; what was cut shows as an ellipsis. */
export function fitWidth(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter().segment(text)) {
    const next = segmentWidth(segment);
    if (width + next > columns - 1) break;
    kept += segment;
    width += next;
  }
  return `${kept}…`;
}

/** Cuts in the middle, for paths and names whose end tells more than their middle. */
export function fitMiddle(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (columns < 5) return fitWidth(text, columns);
  const segments = [...segmenter().segment(text)].map((part) => part.segment);
  const head = takeWidth(segments, Math.floor((columns - 1) / 2));
  const tail = takeWidth([...segments].reverse(), columns - 1 - textWidth(head.join(''))).reverse();
  return `${head.join('')}…${tail.join('')}`;
}

/** The text without the colours that `Paint` puts around it. */
export function stripPaint(text: string): string {
  return text.replaceAll(/\u001b\[\d+m/g, '');
}

const asciiOnly = /^[\x20-\x7e]*$/;

let shared: Intl.Segmenter | undefined;

/** Made on first use: most text is ASCII and never needs it. */
function segmenter(): Intl.Segmenter {
  shared ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return shared;
}

function takeWidth(segments: readonly string[], columns: number): string[] {
  const taken: string[] = [];
  let width = 0;
  for (const segment of segments) {
    width += segmentWidth(segment);
    if (width > columns) break;
    taken.push(segment);
  }
  return taken;
}

/** A grapheme takes two columns if its first character is East Asian wide or an emoji; marks alone take none. */
function segmentWidth(segment: string): number {
  if (/^[\p{Mark}\p{Format}]+$/u.test(segment)) return 0;
  if (/\p{Emoji_Presentation}/u.test(segment) || segment.includes('\ufe0f')) return 2;
  return isWide(segment.codePointAt(0) ?? 0) ? 2 : 1;
}

/** The wide and full-width blocks of Unicode Standard Annex 11, without the emoji that are handled above. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0x303e) ||
    (code >= 0x3041 && code <= 0x33ff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x4e00 && code <= 0xa4cf) ||
    (code >= 0xa960 && code <= 0xa97f) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x17000 && code <= 0x18cff) ||
    (code >= 0x1b000 && code <= 0x1b2ff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}
