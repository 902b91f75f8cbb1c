/** What a score must reach to be among the best. */
export interface Threshold {
  /** The least of the best; 0 while there are fewer. */
  readonly least: () => number;
  /** A score of at least that much. */
  readonly take: (score: number) => void;
}

/** @param most how many the best are */
export function createThreshold(most: number): Threshold {
  const heap = new Float32Array(most);
  let size = 0;
  return {
    least: () => (size < most ? 0 : heap[0]!),
    take(score) {
      if (size < most) siftUp(heap, size++, score);
      else if (score > heap[0]!) siftDown(heap, size, score);
    },
  };
}

function siftUp(heap: Float32Array, at: number, value: number): void {
  let child = at;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[child] = heap[parent]!;
    child = parent;
  }
  heap[child] = value;
}

function siftDown(heap: Float32Array, size: number, value: number): void {
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
