import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { TreeRow } from './rows.js';
import { revealRow, visibleRows } from './visible-rows.js';

/** What a list is to be shown with when somebody comes back to it. */
export interface ListMemo {
  scrollTop: number;
  /** The row that the keyboard is at. */
  current: { readonly key: string; readonly index: number } | undefined;
  /** The row to show first once another list is there. */
  wanted?: string | undefined;
}

export function createListMemo(): ListMemo {
  return { scrollTop: 0, current: undefined };
}

/** Where a menu is to open. */
export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

interface TreeProps<R extends TreeRow> {
  /** The id of what names it: a label of its own would hang over it as a tooltip. */
  labelledBy: string;
  rows: readonly R[];
  /** Another one means another list, which is shown from its top; one that only changed stays where it is. */
  listKey: string;
  memo: ListMemo;
  takesFocus: boolean;
  treeRef?: RefObject<HTMLDivElement | null>;
  /** What scrolls with the rows, above and below them. */
  before?: ComponentChildren;
  after?: ComponentChildren;
  content: (row: R) => ComponentChildren;
  onOpen: (row: R) => void;
  onToggle: (row: R) => void;
  onMenu?: (row: R, point: MenuPoint, doc: Document) => void;
}

/** No window is taller, in pixels; a box that is has lost its styles, and must not bring all rows into the page. */
const TALLEST = 5000;

/** Before anything has been measured. */
const GUESSED = { above: 0, height: 600, rowHeight: 44 };

/**
 * A tree of any length, of which only the rows in sight are in the page: all are of one height. The tree as a whole has the
 * focus and points to its current row, so no live change can take the focus away.
 */
export function WindowedTree<R extends TreeRow>(props: TreeProps<R>) {
  const {
    labelledBy,
    rows,
    listKey,
    memo,
    takesFocus,
    before,
    after,
    content,
    onOpen,
    onToggle,
    onMenu,
  } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const ownTree = useRef<HTMLDivElement>(null);
  const tree = props.treeRef ?? ownTree;
  const [measured, setMeasured] = useState(GUESSED);
  const [, again] = useReducer((count: number) => count + 1, 0);
  const indexes = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows]);
  const shown = useRef({
    listKey,
    anchor: undefined as { key: string; index: number } | undefined,
  });

  const current =
    rows.length === 0
      ? -1
      : (indexes.get(memo.current?.key ?? '') ??
        Math.min(memo.current?.index ?? 0, rows.length - 1));
  const { first, end } = visibleRows({ ...measured, count: rows.length });
  const rendered = Array.from({ length: end - first }, (_, index) => first + index);
  if (current >= 0 && (current < first || current >= end)) rendered.push(current); // what has the focus must be there

  const measure = () => {
    const [box, list] = [scroller.current, tree.current];
    if (!box || !list) return;
    const row = list.querySelector<HTMLElement>('[role="treeitem"]');
    const next = {
      above: box.scrollTop - list.offsetTop,
      height: Math.min(box.clientHeight || GUESSED.height, TALLEST),
      rowHeight: row?.offsetHeight || GUESSED.rowHeight,
    };
    memo.scrollTop = box.scrollTop;
    const top = Math.max(0, Math.min(rows.length - 1, Math.floor(next.above / next.rowHeight)));
    const topKey = rows[top]?.key;
    shown.current.anchor =
      next.above > 0 && topKey !== undefined ? { key: topKey, index: top } : undefined;
    const isSame =
      next.above === measured.above &&
      next.height === measured.height &&
      next.rowHeight === measured.rowHeight;
    if (!isSame) setMeasured(next);
  };

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    box.scrollTop = memo.scrollTop;
    measure();
    if (takesFocus) (tree.current ?? box).focus({ preventScroll: true });
    const observer = new ResizeObserver(() => measureLater.current());
    observer.observe(box);
    if (head.current) observer.observe(head.current);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const box = scroller.current;
    const { anchor } = shown.current;
    if (box && shown.current.listKey !== listKey) {
      shown.current.listKey = listKey;
      const index = indexes.get(memo.wanted ?? '');
      memo.current =
        index === undefined || memo.wanted === undefined ? undefined : { key: memo.wanted, index };
      memo.wanted = undefined;
      box.scrollTop = 0;
      if (index !== undefined)
        box.scrollTop = revealRow(index, { ...measured, above: -(tree.current?.offsetTop ?? 0) });
    } else if (box && anchor) {
      const index = indexes.get(anchor.key);
      if (index !== undefined && index !== anchor.index)
        box.scrollTop += (index - anchor.index) * measured.rowHeight;
    }
    measure();
  }, [rows, listKey]);

  const measureLater = useRef(measure);
  measureLater.current = measure;

  function moveTo(index: number): void {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    const box = scroller.current;
    if (!row || !box) return;
    const to = indexes.get(row.key) ?? 0;
    memo.current = { key: row.key, index: to };
    if (to === 0) box.scrollTop = 0;
    else box.scrollTop += revealRow(to, measured);
    measure();
    again(undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[current];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const isRtl = tree.current
      ? tree.current.win.getComputedStyle(tree.current).direction === 'rtl'
      : false;
    const [inwards, outwards] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const page = Math.max(1, Math.floor(measured.height / measured.rowHeight) - 1);
    const { key } = event;
    if (key === 'ArrowDown') moveTo(current + 1);
    else if (key === 'ArrowUp') moveTo(current - 1);
    else if (key === 'PageDown') moveTo(current + page);
    else if (key === 'PageUp') moveTo(current - page);
    else if (key === 'Home') moveTo(0);
    else if (key === 'End') moveTo(rows.length - 1);
    else if (key === inwards && row.isExpanded === false) onToggle(row);
    else if (key === outwards && row.isExpanded) onToggle(row);
    else if (key === outwards && row.level > 1) moveTo(parentOf(rows, current));
    else if (key === 'Enter' || key === ' ') onOpen(row);
    else if (onMenu && (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)))
      openMenuAt(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function openMenuAt(row: R): void {
    const box = tree.current?.querySelector<HTMLElement>('.is-current');
    if (!box || !onMenu) return;
    const { left, bottom } = box.getBoundingClientRect();
    onMenu(row, { x: left, y: bottom }, box.doc);
  }

  const hold = (row: R, index: number) => {
    memo.current = { key: row.key, index };
    again(undefined);
  };

  return (
    <div class="savepoint-scroller" ref={scroller} tabIndex={-1} onScroll={measure}>
      <div class="savepoint-before" ref={head}>
        {before}
      </div>
      {rows.length > 0 && (
        <div
          ref={tree}
          class="savepoint-tree"
          role="tree"
          aria-labelledby={labelledBy}
          tabIndex={0}
          aria-activedescendant={`${id}-${current}`}
          style={{ blockSize: `${rows.length * measured.rowHeight}px` }}
          onKeyDown={onKeyDown}
          onFocus={() => hold(rows[current]!, current)}
        >
          {rendered.map((index) => {
            const row = rows[index]!;
            return (
              <div
                key={row.key}
                id={`${id}-${index}`}
                role="treeitem"
                class={`tree-item-self is-clickable savepoint-line${index === current ? ' is-current' : ''}`}
                aria-level={row.level}
                aria-posinset={row.at}
                aria-setsize={row.of}
                aria-expanded={row.isExpanded}
                style={{
                  insetBlockStart: `${index * measured.rowHeight}px`,
                  '--savepoint-level': `${row.level - 1}`,
                }}
                onClick={() => {
                  hold(row, index);
                  onOpen(row);
                }}
                onContextMenu={(event) => {
                  if (!onMenu) return;
                  event.preventDefault();
                  hold(row, index);
                  onMenu(row, { x: event.clientX, y: event.clientY }, event.currentTarget.doc);
                }}
              >
                {content(row)}
              </div>
            );
          })}
        </div>
      )}
      {after}
    </div>
  );
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let at = index - 1; at >= 0; at--) if ((rows[at]?.level ?? 1) < level) return at;
  return index;
}
