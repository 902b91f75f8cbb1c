/** Rows beyond the edges that are kept ready for the next turn of the wheel. */
const SPARE_ROWS = 6;

export interface Scrolling {
  /** How far the list's own top lies above the top of what is seen; negative where it lies below. In pixels, as the others. */
  readonly above: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** The rows, from `first` up to, not including, `end`, that must be there for what is seen to be whole. */
export function visibleRows({ above, height, rowHeight, count }: Scrolling): {
  first: number;
  end: number;
} {
  const first = Math.floor(above / rowHeight) - SPARE_ROWS;
  const end = Math.ceil((above + height) / rowHeight) + SPARE_ROWS;
  return { first: clamp(first, 0, count), end: clamp(end, 0, count) };
}

/** How far to scroll so that a row is seen whole: the nearest such place, and the present one where it is seen already. */
export function revealRow(
  row: number,
  { above, height, rowHeight }: Omit<Scrolling, 'count'>,
): number {
  const top = row * rowHeight;
  if (top < above) return top - above;
  return Math.max(0, top + rowHeight - (above + height));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
