import type { ViewState } from 'obsidian';
import {
  LeafStack,
  WorkspaceParent,
  WorkspaceSidedock,
  WorkspaceMobileDrawer,
  WorkspaceTabs,
} from './layout';
import type { WorkspaceSplit } from './layout';
import type { WorkspaceLeaf } from './leaf';
import { DeferredView } from './views';
import type { Workspace } from './workspace';

interface SavedLeaf {
  readonly id: string;
  readonly state: ViewState;
}

interface SavedStack {
  readonly leaves: SavedLeaf[];
  readonly current: number;
}

interface SavedSide {
  readonly stacks: SavedStack[];
  readonly collapsed: boolean;
}

/**
 * Contents of `workspace.json` here: simpler than the app's own, since only the simulated Obsidian
 * reads it. Nested splits are flattened.
 */
export interface SavedLayout {
  readonly main: SavedStack[];
  readonly left: SavedSide;
  readonly right: SavedSide;
  readonly active: string | null;
}

function stacksOf(parent: WorkspaceParent): LeafStack[] {
  if (parent instanceof LeafStack) return [parent];
  return parent.children.flatMap((child) =>
    child instanceof WorkspaceParent ? stacksOf(child) : [],
  );
}

const saveStacks = (parent: WorkspaceParent): SavedStack[] =>
  stacksOf(parent).map((stack) => {
    const leaves = [...stack.leaves()];
    return {
      leaves: leaves.map((leaf) => ({ id: leaf.id, state: leaf.getViewState() })),
      current: leaves.findIndex((leaf) => leaf === stack.current),
    };
  });

export function writeLayout({
  rootSplit,
  leftSplit,
  rightSplit,
  activeLeaf,
}: Workspace): SavedLayout {
  const side = (split: typeof leftSplit): SavedSide => ({
    stacks: saveStacks(split),
    collapsed: split.collapsed,
  });
  return {
    main: saveStacks(rootSplit),
    left: side(leftSplit),
    right: side(rightSplit),
    active: activeLeaf?.id ?? null,
  };
}

async function readStack(workspace: Workspace, stack: LeafStack, saved: SavedStack): Promise<void> {
  const leaves: WorkspaceLeaf[] = [];
  for (const { id, state } of saved.leaves) {
    const leaf = workspace.addLeaf(stack, undefined, id);
    if (state.type !== 'empty') await leaf.open(new DeferredView(leaf, state));
    leaves.push(leaf);
  }
  const current = leaves[saved.current];
  if (!current) return;
  stack.select(current);
  await current.loadIfDeferred();
}

async function readStacks(
  workspace: Workspace,
  parent: WorkspaceSplit | WorkspaceMobileDrawer,
  stacks: SavedStack[],
): Promise<void> {
  for (const saved of stacks) {
    if (saved.leaves.length === 0) continue;
    const stack = parent instanceof WorkspaceMobileDrawer ? parent : new WorkspaceTabs(workspace);
    if (!(parent instanceof WorkspaceMobileDrawer)) parent.insertChild(stack);
    await readStack(workspace, stack, saved);
  }
}

export async function readLayout(workspace: Workspace, layout: SavedLayout): Promise<void> {
  const { rootSplit, leftSplit, rightSplit } = workspace;
  const untouched = [...rootSplit.children];
  await readStacks(workspace, rootSplit, layout.main);
  if (rootSplit.children.length > untouched.length)
    for (const child of untouched) rootSplit.removeChild(child);
  for (const [split, saved] of [
    [leftSplit, layout.left] as const,
    [rightSplit, layout.right] as const,
  ]) {
    await readStacks(workspace, split, saved.stacks);
    if (split instanceof WorkspaceSidedock && !saved.collapsed) split.expand();
  }
  const active = layout.active === null ? null : workspace.getLeafById(layout.active);
  if (active) workspace.setActiveLeaf(active);
}
