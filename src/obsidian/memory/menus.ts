import { Menu } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
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
import { callTitle } from '../calls/call-sentence.js';
import type { ForgetTarget } from '../forget/forget-lines.js';
import { askToForget } from '../forget/forget-modal.js';
import { pickOtherWorkspace } from '../pickers/pick-workspace.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { openModal } from '../ui/modals.js';
import { EditWorkspaceForm } from './forms/edit-workspace.js';
import type { PageHost } from './host.js';
import type { MenuPoint } from './windowed-tree.js';

/** An action, shown as a button or a menu item. */
export interface Action {
  readonly icon: string;
  readonly label: string;
  readonly run: () => void;
  /** True for an action that cannot be undone. */
  readonly isFinal?: boolean;
}

export function actionOf(icon: string, label: string, task: () => unknown): Action {
  return { icon, label, run: () => act(task) };
}

export function showMenu(actions: readonly Action[], point: MenuPoint, doc: Document): void {
  const menu = new Menu();
  for (const { icon, label, run, isFinal = false } of actions)
    menu.addItem((item) => item.setIcon(icon).setTitle(label).setWarning(isFinal).onClick(run));
  menu.showAtPosition(point, doc);
}

/** Returns the action that asks whether to remove something for good. */
export function forgetAction(
  savepoint: Savepoint,
  target: ForgetTarget,
  label = text.forget.action,
): Action {
  return { icon: 'trash', label, run: () => askToForget(savepoint, target), isFinal: true };
}

/** Returns the action that asks whether to remove a state for good. `done` is called afterwards. */
export function forgetStateAction(
  savepoint: Savepoint,
  { item: { id, workspaceId }, displayName: name }: Named<State>,
  done?: () => void,
): Action {
  return forgetAction(savepoint, { kind: 'state', id, name, workspaceId, done });
}

/** Returns the action that archives an active state or restores an archived one. */
export function archiveStateAction(savepoint: Savepoint, state: Named<State>): Action {
  const { archiveState: archive, restoreState: restore } = text.commands.names;
  return state.item.isArchived
    ? actionOf('archive-restore', restore, () => restoreState(savepoint, state))
    : actionOf('archive', archive, () => archiveState(savepoint, state));
}

/** Returns the action that moves a state to another workspace; undefined for an archived state. */
export function moveStateAction(
  { savepoint, go }: PageHost,
  state: Named<State>,
): Action | undefined {
  if (state.item.isArchived) return undefined;
  const move = async (workspace: Named<Workspace>) => {
    const movedId = await moveState(savepoint, state, workspace);
    go({ workspace: workspace.item.id, state: movedId });
  };
  return actionOf('folder-input', text.commands.pick.moveState.placeholder, () =>
    pickOtherWorkspace(savepoint, state, (workspace) => act(() => move(workspace))),
  );
}

export function copyState(savepoint: Savepoint, state: Named<State>): Action {
  return actionOf('copy', text.memoryView.copyAsPrompt, () => copyAsPrompt(savepoint, state));
}

export function stateActions(host: PageHost, state: Named<State>): Action[] {
  const { savepoint } = host;
  const move = moveStateAction(host, state);
  return [
    copyState(savepoint, state),
    ...(move ? [move] : []),
    archiveStateAction(savepoint, state),
    forgetStateAction(savepoint, state),
  ];
}

/** Returns the action that removes a call or checkpoint for good; none until the log has it. */
export function forgetCallAction({ savepoint }: PageHost, call: Trace): Action[] {
  const { ref: id, kind, workspaceId, sessionId, client = '' } = call;
  if (id === undefined) return [];
  const isCheckpoint = kind === 'checkpoint';
  const name = isCheckpoint ? text.capture.checkpoint : callTitle(call);
  const target = isCheckpoint
    ? ({ kind: 'session', id: sessionId, client, name, workspaceId } as const)
    : ({ kind: 'trace', id, name, workspaceId } as const);
  return [forgetAction(savepoint, target)];
}

/** Returns the action that archives or restores a workspace; undefined for the built-in one. */
export function archiveWorkspaceAction(
  savepoint: Savepoint,
  workspace: Named<Workspace>,
): Action | undefined {
  if (workspace.item.id === DEFAULT_WORKSPACE) return undefined;
  const { archiveWorkspace: archive, restoreWorkspace: restore } = text.commands.names;
  return workspace.item.isArchived
    ? actionOf('archive-restore', restore, () => restoreWorkspace(savepoint, workspace))
    : actionOf('archive', archive, () => archiveWorkspace(savepoint, workspace));
}

/** Returns the action that asks whether to remove what a workspace contained before for good. */
export function forgetEarlierAction(
  savepoint: Savepoint,
  { item: { id }, displayName: name }: Named<Workspace>,
): Action {
  const target = { kind: 'workspace', id, name, workspaceId: id } as const;
  return forgetAction(savepoint, target, text.forget.earlierAction);
}

/** Returns the action that opens a form with the fields of an active workspace. */
export function editWorkspaceAction(
  savepoint: Savepoint,
  workspace: Named<Workspace>,
): Action | undefined {
  if (workspace.item.isArchived) return undefined;
  return actionOf('pencil', text.memoryView.editWorkspace.action, () =>
    openModal(new EditWorkspaceForm(savepoint, workspace)),
  );
}

/** Returns the action that makes a workspace the current one; undefined if it already is. */
export function enterWorkspace(
  savepoint: Savepoint,
  { item, displayName }: Named<Workspace>,
): Action | undefined {
  if (savepoint.deviceWorkspaceId.get() === item.id) return undefined;
  return actionOf('log-in', text.memoryView.enter(displayName), () => {
    savepoint.enterWorkspace(item.id);
    notify(text.commands.workspaceEntered(displayName));
  });
}
