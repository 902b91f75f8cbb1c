import type { TreeRow } from './rows.js';

export type TreeAction =
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'toggle' | 'open' | 'check' | 'menu' };

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

export interface TreeContext {
  readonly rows: readonly TreeRow[];
  /** Index of the current row. */
  readonly current: number;
  /** Number of rows that Page Up and Page Down move by. */
  readonly pageSize: number;
  readonly isRtl: boolean;
  readonly hasMenu: boolean;
}

/** Returns a key's action, as in the ARIA tree pattern; undefined if the tree ignores it. */
export function treeAction(press: KeyPress, tree: TreeContext): TreeAction | undefined {
  const { rows, current } = tree;
  const row = rows[current];
  if (!row || press.altKey || press.ctrlKey || press.metaKey) return undefined;
  const { key } = press;
  const to = targetIndex(key, tree);
  if (to !== undefined) return { kind: 'move', to };
  if (key === ' ' && row.isChecked !== undefined) return { kind: 'check' };
  if (key === 'Enter' || key === ' ') return { kind: 'open' };
  if (tree.hasMenu && (key === 'ContextMenu' || (key === 'F10' && press.shiftKey)))
    return { kind: 'menu' };
  const [inwards, outwards] = tree.isRtl
    ? ['ArrowLeft', 'ArrowRight']
    : ['ArrowRight', 'ArrowLeft'];
  if (key === inwards && row.isExpanded === false) return { kind: 'toggle' };
  if (key === outwards && row.isExpanded) return { kind: 'toggle' };
  if (key === outwards && row.level > 1) return { kind: 'move', to: parentIndex(rows, current) };
  return undefined;
}

/** Returns the index that an arrow or paging key leads to, which may be out of range. */
function targetIndex(key: string, { rows, current, pageSize }: TreeContext): number | undefined {
  if (key === 'ArrowDown') return current + 1;
  if (key === 'ArrowUp') return current - 1;
  if (key === 'PageDown') return current + pageSize;
  if (key === 'PageUp') return current - pageSize;
  if (key === 'Home') return 0;
  return key === 'End' ? rows.length - 1 : undefined;
}

function parentIndex(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let at = index - 1; at >= 0; at--) if ((rows[at]?.level ?? 1) < level) return at;
  return index;
}
