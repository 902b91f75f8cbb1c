let collator: Intl.Collator | undefined; // creating one takes milliseconds

/** Compares names as people sort them: "Chapter 2" comes before "Chapter 10". */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}

/** Moves the items for which `isFirst` is true before the others. */
export function inFront<T>(items: readonly T[], isFirst: (item: T) => boolean): T[] {
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
}
