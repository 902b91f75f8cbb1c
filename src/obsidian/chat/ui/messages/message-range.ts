/** Number of messages rendered at first. */
const INITIAL_COUNT = 12;
/** Number of messages added each time the user reaches an end of the range. */
const BATCH_SIZE = 40;

/** The messages of a branch that are rendered, as indexes; `to` is exclusive. */
export interface MessageRange {
  readonly from: number;
  /** Undefined for the end of the branch, even as the branch grows. */
  readonly to: number | undefined;
}

/** Returns the range around the wanted message, or at the branch's end if there is none. */
export function initialRange(
  path: readonly { readonly id: string }[],
  wanted: string | undefined,
): MessageRange {
  const at = wanted === undefined ? -1 : path.findIndex(({ id }) => id === wanted);
  if (at < 0) return { from: Math.max(0, path.length - INITIAL_COUNT), to: undefined };
  const to = at + INITIAL_COUNT / 2;
  return {
    from: Math.max(0, at - INITIAL_COUNT / 2),
    to: to >= path.length ? undefined : to,
  };
}

/** Clamps the range to another `length`. A range to the branch's end keeps the last message. */
export function clampRange(
  { from, to: end }: MessageRange,
  length: number,
): { readonly from: number; readonly to: number } {
  const to = Math.min(end ?? length, length);
  const last = end === undefined ? to - 1 : to;
  return { from: Math.max(0, Math.min(from, last)), to };
}

/** Extends the range by a batch of earlier messages. `from` is the first index rendered so far. */
export function extendUp({ to }: MessageRange, from: number): MessageRange {
  return { from: Math.max(0, from - BATCH_SIZE), to };
}

/** Extends the range by a batch of later messages. `from` and `to` are rendered so far. */
export function extendDown(from: number, to: number, length: number): MessageRange {
  const end = to + BATCH_SIZE;
  return { from, to: end >= length ? undefined : end };
}
