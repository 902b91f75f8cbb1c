import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { TreeRow } from './rows.js';
import { revealRow, visibleRows } from './visible-rows.js';

/** Scroll position and current row of a list, restored when the user returns. */
export interface ListMemo {
  scrollTop: number;
  /** The row that the keyboard acts on. */
  current: { readonly key: string; readonly index: number } | undefined;
}

export function createListMemo(): ListMemo {
  return { scrollTop: 0, current: undefined };
}

/** Taller viewports mean that styles are missing, and must not cause all rows to be rendered. */
const MAX_VIEWPORT_PX = 5000;

/** Metrics assumed before the first measurement, in pixels. */
const INITIAL_METRICS = { above: 0, height: 600, rowHeight: 44 };

interface WindowOptions {
  readonly rows: readonly TreeRow[];
  readonly listKey: string;
  readonly memo: ListMemo;
  readonly takesFocus: boolean;
  readonly treeRef: RefObject<HTMLDivElement | null> | undefined;
}

/** The rendered rows of a list, and functions to move among all of its rows. */
export interface RowWindow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly head: RefObject<HTMLDivElement | null>;
  readonly tree: RefObject<HTMLDivElement | null>;
  readonly metrics: typeof INITIAL_METRICS;
  /** Index of the current row; -1 if the list is empty. */
  readonly current: number;
  /** Visible rows and the current one, to which `aria-activedescendant` refers. */
  readonly rendered: readonly number[];
  readonly measure: () => void;
  readonly moveTo: (index: number) => void;
  readonly select: (row: TreeRow, index: number) => void;
}

/**
 * Tracks the scroll position and the current row of a list with rows of one height. Visible rows
 * stay in place when others are added or removed. A list with another `listKey` starts at the top.
 */
export function useRowWindow(options: WindowOptions): RowWindow {
  const { rows, memo } = options;
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const indexOf = useMemo(() => createIndexOf(rows), [rows]);
  const elements = {
    scroller: useRef<HTMLDivElement>(null),
    head: useRef<HTMLDivElement>(null),
    tree: useTreeRef(options.treeRef),
  };
  const { metrics, measure, anchor } = useMetrics(options, elements);
  useScrollPosition(options, { ...elements, indexOf, metrics, measure, anchor });

  const current = currentIndex(memo, indexOf, rows.length);
  const { first, end } = visibleRows({ ...metrics, count: rows.length });
  const rendered = Array.from({ length: end - first }, (_, index) => first + index);
  if (current >= 0 && (current < first || current >= end)) rendered.push(current);

  return {
    ...elements,
    metrics,
    current,
    rendered,
    measure,
    moveTo(index) {
      const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
      const box = elements.scroller.current;
      if (!row || !box) return;
      const to = indexOf(row.key) ?? 0;
      memo.current = { key: row.key, index: to };
      if (to === 0) box.scrollTop = 0;
      else box.scrollTop += revealRow(to, metrics);
      measure();
      rerender(undefined);
    },
    select({ key }, index) {
      memo.current = { key, index };
      rerender(undefined);
    },
  };
}

function useTreeRef(given: WindowOptions['treeRef']): RefObject<HTMLDivElement | null> {
  const own = useRef<HTMLDivElement>(null);
  return given ?? own;
}

function currentIndex({ current }: ListMemo, indexOf: IndexOf, count: number): number {
  if (count === 0) return -1;
  return (current && indexOf(current.key)) ?? Math.min(current?.index ?? 0, count - 1);
}

type IndexOf = (key: string) => number | undefined;

/** Returns a function that finds a row by its key. Its first call prepares for that. */
function createIndexOf(rows: readonly TreeRow[]): IndexOf {
  let indexes: ReadonlyMap<string, number> | undefined;
  return (key) => (indexes ??= new Map(rows.map((row, index) => [row.key, index]))).get(key);
}

type Elements = Pick<RowWindow, 'scroller' | 'head' | 'tree'>;
type Anchor = { readonly key: string; readonly index: number } | undefined;

/** Measures the viewport and a row, again when the viewport or the list's head is resized. */
function useMetrics(
  { rows, memo, takesFocus }: WindowOptions,
  { scroller, head, tree }: Elements,
): { metrics: typeof INITIAL_METRICS; measure: () => void; anchor: { current: Anchor } } {
  const [metrics, setMetrics] = useState(INITIAL_METRICS);
  const anchor = useRef<Anchor>(undefined);
  const measure = () => {
    const [box, list] = [scroller.current, tree.current];
    if (!box || !list) return;
    const row = list.querySelector<HTMLElement>('[role="treeitem"]');
    const next = {
      above: box.scrollTop - list.offsetTop,
      height: Math.min(box.clientHeight || INITIAL_METRICS.height, MAX_VIEWPORT_PX),
      rowHeight: row?.offsetHeight || INITIAL_METRICS.rowHeight,
    };
    memo.scrollTop = box.scrollTop;
    const top = Math.max(0, Math.min(rows.length - 1, Math.floor(next.above / next.rowHeight)));
    const topKey = rows[top]?.key;
    anchor.current =
      next.above > 0 && topKey !== undefined ? { key: topKey, index: top } : undefined;
    const isSame =
      next.above === metrics.above &&
      next.height === metrics.height &&
      next.rowHeight === metrics.rowHeight;
    if (!isSame) setMetrics(next);
  };
  const latestMeasure = useRef(measure);
  latestMeasure.current = measure;

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    box.scrollTop = memo.scrollTop;
    measure();
    if (takesFocus) (tree.current ?? box).focus({ preventScroll: true });
    const observer = new ResizeObserver(() => latestMeasure.current());
    observer.observe(box);
    if (head.current) observer.observe(head.current);
    return () => observer.disconnect();
  }, []);
  return { metrics, measure, anchor };
}

interface ScrollContext extends Elements {
  readonly indexOf: IndexOf;
  readonly metrics: typeof INITIAL_METRICS;
  readonly measure: () => void;
  readonly anchor: { current: Anchor };
}

/** Keeps the top row in place when the list changes, and resets the position for another list. */
function useScrollPosition(
  { rows, listKey, memo }: WindowOptions,
  { scroller, indexOf, metrics, measure, anchor }: ScrollContext,
): void {
  const shownKey = useRef(listKey);
  useLayoutEffect(() => {
    const box = scroller.current;
    const top = anchor.current;
    if (box && shownKey.current !== listKey) {
      shownKey.current = listKey;
      memo.current = undefined;
      box.scrollTop = 0;
    } else if (box && top) {
      const index = indexOf(top.key);
      if (index !== undefined && index !== top.index)
        box.scrollTop += (index - top.index) * metrics.rowHeight;
    }
    measure();
  }, [rows, listKey]);
}
