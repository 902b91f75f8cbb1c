const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Compares names as people sort them: "Chapter 2" comes before "Chapter 10". */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}
