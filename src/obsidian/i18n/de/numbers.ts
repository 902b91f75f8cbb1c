/** A number as German writes it: `1.234`, and with one digit after the comma `1.234,5`. */
export function number(value: number, digits = 0): string {
  return value.toLocaleString('de', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** So many of something: `1 Stand`, `1.234 Stände`. */
export function counted(count: number, one: string, more: string): string {
  return `${number(count)} ${count === 1 ? one : more}`;
}
