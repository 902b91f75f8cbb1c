/** Keeps the threshold for the k best scores. */
export function createTopKThreshold(k: number) {
  const heap = new Float64Array(k);
  let size = 0;
  return {
    /** Returns the lowest of the k best scores; 0 while there are fewer. */
    min: () => (size < k ? 0 : heap[0]!),
    /** Adds a score of at least `min()`. */
    add: (score: number): void => {
      if (size < k) siftUp(heap, size++, score);
      else if (score > heap[0]!) siftDown(heap, size, score);
    },
  };
}

function siftUp(heap: Float64Array, at: number, value: number): void {
  let child = at;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[child] = heap[parent]!;
    child = parent;
  }
  heap[child] = value;
}

function siftDown(heap: Float64Array, size: number, value: number): void {
  let parent = 0;
  for (;;) {
    let child = parent * 2 + 1;
    if (child >= size) break;
    if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[parent] = heap[child]!;
    parent = child;
  }
  heap[parent] = value;
}
