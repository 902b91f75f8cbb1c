/** Formats a number in German, for example as `1.234`, or as `1.234,5` with one decimal. */
export function number(value: number, digits = 0): string {
  return value.toLocaleString('de', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Formats a count with its noun, for example as `1 Stand` or `1.234 Stände`. */
export function counted(count: number, one: string, more: string): string {
  return `${number(count)} ${count === 1 ? one : more}`;
}
