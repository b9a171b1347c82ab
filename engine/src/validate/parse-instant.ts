/** ISO 8601 with a zone: without one an instant would depend on the machine. */
const ISO_INSTANT = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970, or `undefined` where the text is no instant. A day that its month does not have is none. */
export function parseInstant(text: string): number | undefined {
  const [, year, month, day] = (ISO_INSTANT.exec(text) ?? []).map(Number);
  if (day === undefined) return undefined;
  const isThere = new Date(Date.UTC(year!, month! - 1, day)).getUTCDate() === day;
  const instant = Date.parse(text);
  return isThere && !Number.isNaN(instant) ? instant : undefined;
}
