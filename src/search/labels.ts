const LONGEST_MARK = 120;

/** A name or value as labels and conditions compare it: compatibility forms unified, trimmed, lower-case, cut to fit. */
export function normalizeMark(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase().slice(0, LONGEST_MARK);
}
