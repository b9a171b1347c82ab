import type { Json } from '@relavium/engine';
import { done, type Outcome, problem } from '../problem.js';

/** JSON text as a value. A number beyond what JavaScript can hold is refused: an integer would be rounded, and `1e999` would be nothing. */
export function parseJson(text: string, shown: string): Outcome<Json> {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return problem(`${shown} is not valid JSON: ${reason(error)}`, 'Write one JSON value; text needs double quotes.');
  }
  const unsafe = unsafeNumber(text);
  if (unsafe !== undefined) {
    return problem(`${shown} holds ${unsafe}, which a number cannot hold exactly`, 'Write it as text, in double quotes.');
  }
  return done(value);
}

/** The parser's own words, without the piece of the text that it quotes: that may hold anything. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? 'the text ends too early' : `something unexpected at character ${Number(position) + 1}`;
}

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON.parse does not tell how a number was written, so the text is read once more; it is known to be valid here. */
function unsafeNumber(text: string): string | undefined {
  for (const [token] of text.matchAll(stringOrNumber)) {
    const isInteger = token.length > 15 && /^-?\d+$/.test(token);
    if (isInteger ? !Number.isSafeInteger(Number(token)) : !token.startsWith('"') && !Number.isFinite(Number(token))) return token;
  }
  return undefined;
}
