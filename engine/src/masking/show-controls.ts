/**
 * Untrusted text made harmless for where it is printed: control characters, and characters that reorder or hide others, become visible
 * escapes such as `\x1b`. A terminal keeps line feeds and tabs, and CR LF is a line feed there; a field of a one-line log keeps neither.
 */
export function showControls(text: string, sink: 'terminal' | 'log_line' = 'terminal'): string {
  if (sink === 'log_line') return text.replace(UNSAFE, escapeOf);
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : escapeOf(character)));
}

/** C0, DEL, C1; bidirectional controls; line and paragraph separators; zero-width space; byte order mark; tag characters; lone surrogates. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\u{e0000}-\u{e007f}\ud800-\udfff]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0)!;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}
