const UNITS = ['B', 'KB', 'MB', 'GB'];

/** Bytes for people: `0 B`, `1.5 KB`, `12 MB`. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${UNITS[unit]}`;
}
