import { text } from '../i18n/index.js';

const UNITS = ['B', 'KB', 'MB', 'GB'];

/** Formats a number of bytes, for example as `0 B`, `1.5 KB` or `12 MB`. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toLocaleString(text.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${UNITS[unit]}`;
}
