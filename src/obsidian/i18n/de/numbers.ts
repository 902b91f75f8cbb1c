/** Formats a number in German: `1.234`, or with one decimal `1.234,5`. */
export function number(value: number, digits = 0): string {
  return value.toLocaleString('de', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Formats a count with its noun: `1 Stand`, `1.234 Stände`. */
export function counted(count: number, one: string, more: string): string {
  return `${number(count)} ${count === 1 ? one : more}`;
}
