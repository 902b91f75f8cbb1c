/** Rows rendered beyond each edge. */
const OVERSCAN_ROWS = 6;

export interface Scrolling {
  /** Pixels from the list's top to the viewport's; negative if the list starts further down. */
  readonly above: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Returns the rows to render, from `first` up to but excluding `end`. */
export function visibleRows({ above, height, rowHeight, count }: Scrolling): {
  first: number;
  end: number;
} {
  const first = Math.floor(above / rowHeight) - OVERSCAN_ROWS;
  const end = Math.ceil((above + height) / rowHeight) + OVERSCAN_ROWS;
  return { first: clamp(first, 0, count), end: clamp(end, 0, count) };
}

/** Returns the smallest scroll distance in pixels that shows a whole row; 0 if it is visible. */
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
