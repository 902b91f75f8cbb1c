import type { ComponentChildren, RefObject } from 'preact';
import { useId } from 'preact/hooks';
import type { TreeRow } from './rows.js';
import { treeAction } from './tree-navigation.js';
import { useRowWindow, type ListMemo, type RowWindow } from './use-row-window.js';

/** Position of a menu, in pixels from the viewport's top left corner. */
export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

interface TreeProps<R extends TreeRow> {
  /** Id of the element that labels the tree. The app would show an `aria-label` as a tooltip. */
  labelledBy: string;
  rows: readonly R[];
  /** A new key shows another list from its top; with the same key, the position is kept. */
  listKey: string;
  memo: ListMemo;
  takesFocus: boolean;
  treeRef?: RefObject<HTMLDivElement | null>;
  /** Content above the rows, which scrolls with them. */
  before?: ComponentChildren;
  /** Content below the rows, which scrolls with them. */
  after?: ComponentChildren;
  content: (row: R) => ComponentChildren;
  onOpen: (row: R) => void;
  onToggle: (row: R) => void;
  /** Called when the user checks or unchecks a row that has a check box. */
  onCheck?: (row: R) => void;
  onMenu?: (row: R, point: MenuPoint, doc: Document) => void;
}

/**
 * A tree that renders only its visible rows, all of one height. The tree itself has the focus and
 * the current row is its `aria-activedescendant`, so that changed rows do not lose the focus.
 */
export function WindowedTree<R extends TreeRow>(props: TreeProps<R>) {
  const { labelledBy, rows, before, after } = props;
  const id = useId();
  const rowWindow = useRowWindow({ ...props, treeRef: props.treeRef });
  const { scroller, head, tree, metrics, current, rendered, measure, select } = rowWindow;
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
          style={{ blockSize: `${rows.length * metrics.rowHeight}px` }}
          onKeyDown={(event) => onKeyDown(event, props, rowWindow)}
          onFocus={() => select(rows[current]!, current)}
        >
          {rendered.map((index) => (
            <TreeItem
              key={rows[index]!.key}
              id={`${id}-${index}`}
              index={index}
              row={rows[index]!}
              tree={props}
              rowWindow={rowWindow}
            />
          ))}
        </div>
      )}
      {after}
    </div>
  );
}

interface ItemProps<R extends TreeRow> {
  id: string;
  index: number;
  row: R;
  tree: TreeProps<R>;
  rowWindow: RowWindow;
}

function TreeItem<R extends TreeRow>({ id, index, row, tree, rowWindow }: ItemProps<R>) {
  const { current, metrics, select } = rowWindow;
  const { content, onOpen, onMenu } = tree;
  return (
    <div
      id={id}
      role="treeitem"
      class={`tree-item-self is-clickable savepoint-line${index === current ? ' is-current' : ''}`}
      aria-level={row.level}
      aria-posinset={row.at}
      aria-setsize={row.of}
      aria-expanded={row.isExpanded}
      aria-checked={row.isChecked}
      style={{
        insetBlockStart: `${index * metrics.rowHeight}px`,
        '--savepoint-level': `${row.level - 1}`,
      }}
      onClick={() => {
        select(row, index);
        onOpen(row);
      }}
      onContextMenu={(event) => {
        if (!onMenu) return;
        event.preventDefault();
        select(row, index);
        onMenu(row, { x: event.clientX, y: event.clientY }, event.currentTarget.doc);
      }}
    >
      {content(row)}
    </div>
  );
}

function onKeyDown<R extends TreeRow>(
  event: KeyboardEvent,
  { rows, onOpen, onToggle, onCheck, onMenu }: TreeProps<R>,
  { tree, metrics, current, moveTo }: RowWindow,
): void {
  const row = rows[current];
  const list = tree.current;
  if (!row || !list) return;
  const action = treeAction(event, {
    rows,
    current,
    pageSize: Math.max(1, Math.floor(metrics.height / metrics.rowHeight) - 1),
    isRtl: list.win.getComputedStyle(list).direction === 'rtl',
    hasMenu: onMenu !== undefined,
  });
  if (!action) return;
  if (action.kind === 'move') moveTo(action.to);
  else if (action.kind === 'toggle') onToggle(row);
  else if (action.kind === 'open') onOpen(row);
  else if (action.kind === 'check') onCheck?.(row);
  else {
    const box = list.querySelector<HTMLElement>('.is-current');
    if (box) {
      const { left, bottom } = box.getBoundingClientRect();
      onMenu?.(row, { x: left, y: bottom }, box.doc);
    }
  }
  event.preventDefault();
  event.stopPropagation();
}
