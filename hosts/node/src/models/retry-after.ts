/**
 * Milliseconds that a server asks to be left alone, by its headers; undefined if it does not say so in a form that is known. A date in
 * the past asks for nothing more. `Retry-After` has seconds or a date (RFC 9110, section 10.2.3); `retry-after-ms` is what OpenAI sends.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = headers['retry-after-ms']?.trim() ?? '';
  if (NUMBER.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const value = headers['retry-after']?.trim() ?? '';
  if (NUMBER.test(value)) return Math.ceil(Number(value) * 1000);
  // The parser of dates takes almost any text with a number in it for one.
  const date = DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const NUMBER = /^\d{1,12}(\.\d{1,6})?$/;
const DATE = /^[A-Z][a-z]{2,8},? /;
