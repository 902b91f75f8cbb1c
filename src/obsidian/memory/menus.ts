import { Menu } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import {
  act,
  archiveState,
  archiveWorkspace,
  copyAsPrompt,
  moveState,
  notify,
  restoreState,
  restoreWorkspace,
} from '../actions.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import type { PageHost } from './host.js';
import type { MenuPoint } from './windowed-tree.js';

/** An action, shown as a button or a menu item. */
export interface Action {
  readonly icon: string;
  readonly label: string;
  readonly run: () => void;
}

export function showMenu(actions: readonly Action[], point: MenuPoint, doc: Document): void {
  const menu = new Menu();
  for (const { icon, label, run } of actions)
    menu.addItem((item) => item.setIcon(icon).setTitle(label).onClick(run));
  menu.showAtPosition(point, doc);
}

/** Returns the action that archives an active state or restores an archived one. */
export function archiveStateAction(savepoint: Savepoint, state: Named<State>): Action {
  return state.item.isArchived
    ? {
        icon: 'archive-restore',
        label: text.memoryView.restoreState,
        run: () => act(() => restoreState(savepoint, state)),
      }
    : {
        icon: 'archive',
        label: text.memoryView.archiveState,
        run: () => act(() => archiveState(savepoint, state)),
      };
}

/** Returns the action that moves a state to another workspace; undefined for an archived state. */
export function moveStateAction(
  { savepoint, pickWorkspace, go }: PageHost,
  state: Named<State>,
): Action | undefined {
  if (state.item.isArchived) return undefined;
  const move = async (workspace: Named<Workspace>) => {
    const movedId = await moveState(savepoint, state, workspace);
    go({ workspace: workspace.item.id, state: movedId });
  };
  return {
    icon: 'folder-input',
    label: text.memoryView.moveState,
    run: () => pickWorkspace(savepoint, state, (workspace) => act(() => move(workspace))),
  };
}

export function copyState(savepoint: Savepoint, state: Named<State>): Action {
  return {
    icon: 'copy',
    label: text.memoryView.copyAsPrompt,
    run: () => act(() => copyAsPrompt(savepoint, state)),
  };
}

/**
 * Returns the action that archives or restores a workspace; undefined for the built-in one, which
 * cannot be archived.
 */
export function archiveWorkspaceAction(
  savepoint: Savepoint,
  workspace: Named<Workspace>,
): Action | undefined {
  if (workspace.item.id === DEFAULT_WORKSPACE) return undefined;
  return workspace.item.isArchived
    ? {
        icon: 'archive-restore',
        label: text.memoryView.restoreWorkspace,
        run: () => act(() => restoreWorkspace(savepoint, workspace)),
      }
    : {
        icon: 'archive',
        label: text.memoryView.archiveWorkspace,
        run: () => act(() => archiveWorkspace(savepoint, workspace)),
      };
}

/** Returns the action that makes a workspace the current one; undefined if it already is. */
export function enterWorkspace(
  savepoint: Savepoint,
  { item, displayName }: Named<Workspace>,
): Action | undefined {
  if (savepoint.deviceWorkspaceId.get() === item.id) return undefined;
  const run = () => {
    savepoint.enterWorkspace(item.id);
    notify(text.memoryView.entered(displayName));
  };
  return { icon: 'log-in', label: text.memoryView.enter(displayName), run };
}
