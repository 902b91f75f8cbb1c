/** Returns the first index with a property that all later ones have, too; `count` if none has. */
export function firstIndex(count: number, hasProperty: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hasProperty(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
