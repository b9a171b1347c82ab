const LINES = 20;
const CHARACTERS = 4_000;

/** The end of what a program wrote, which is where programs say what went wrong. */
export function lastLines(text: string): string {
  return text.slice(-CHARACTERS).trimEnd().split('\n').slice(-LINES).join('\n');
}
