/** A length of time for people: `840 ms`, `4.2 s`, `3 min 05 s`, `2 h 07 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  const minutes = Math.floor(whole / 60);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
