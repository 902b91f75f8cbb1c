import { Notice } from 'obsidian';
import { moveStateInLog } from '../agents/shared/move-state.js';
import { restoreStateInLog } from '../agents/shared/restore-state.js';
import { currentStatePrompt } from '../agents/shared/state-prompt.js';
import {
  lookupState,
  lookupWorkspace,
  workspaceById,
  type LookupResult,
  type Named,
} from '../model/lookup.js';
import { DEFAULT_WORKSPACE } from '../model/memory.js';
import { nameWithMark } from '../model/names.js';
import { Refusal } from '../model/refusal.js';
import type { State } from '../model/state.js';
import type { Workspace } from '../model/workspace.js';
import { truncate } from '../model/text/truncate.js';
import { visibleText } from '../model/text/visible-text.js';
import type { Answer } from '../toolkit/answer.js';
import { faultText } from './host/logger.js';
import type { Savepoint } from './savepoint.js';
import { text } from './i18n/index.js';

export const NOTICE_MS = 4_000;
/** More than the height of the status bar, and of the navigation bar of phones. */
const MIN_ROOM_PX = 80;
export const MAX_NAME_CHARS = 60;
const BUTTON_NOTICE_MS = 10_000;
export const ERROR_NOTICE_MS = 15_000;

/** Archives a state for the user, with a notice that offers Undo. */
export async function archiveState(savepoint: Savepoint, state: Named<State>): Promise<void> {
  const { workspaceId } = state.item;
  const name = callName(lookupState(savepoint.memory.get(), workspaceId, state.displayName), state);
  if (!hasSucceeded(await savepoint.call('archiveState', { name }, workspaceId))) return;
  noticeWithUndo(savepoint, text.general.stateArchived(state.displayName), () =>
    restoreState(savepoint, state),
  );
}

export async function restoreState(savepoint: Savepoint, state: Named<State>): Promise<void> {
  const { workspaceId } = state.item;
  const memory = savepoint.memory.get();
  const name = callName(lookupState(memory, workspaceId, state.displayName), state);
  await restoreStateInLog(savepoint.services, workspaceById(memory, workspaceId), name);
  await savepoint.refresh();
  noticeWithUndo(savepoint, text.general.stateRestored(state.displayName), () =>
    archiveState(savepoint, state),
  );
}

/** Moves a state to another workspace, with Undo in a notice. Resolves with the new state's id. */
export async function moveState(
  savepoint: Savepoint,
  { item, displayName }: Pick<Named<State>, 'item' | 'displayName'>,
  workspace: Pick<Named<Workspace>, 'item' | 'displayName'>,
): Promise<string> {
  const movedId = await moveStateInLog(savepoint.services, {
    state: item,
    workspace: workspace.item,
  });
  await savepoint.refresh();
  noticeWithUndo(
    savepoint,
    text.general.stateMoved(displayName, workspace.displayName),
    async () => {
      const back = { state: { id: movedId }, workspace: { id: item.workspaceId } };
      await moveStateInLog(savepoint.services, back);
      await savepoint.refresh();
    },
  );
  return movedId;
}

/** Archives a workspace. If it is current, the built-in one becomes current. Undo restores both. */
export async function archiveWorkspace(
  savepoint: Savepoint,
  workspace: Named<Workspace>,
): Promise<void> {
  const { item, displayName } = workspace;
  const isCurrent = savepoint.deviceWorkspaceId.get() === item.id;
  const name = workspaceCallName(savepoint, workspace);
  if (!hasSucceeded(await savepoint.call('archiveWorkspace', { name }))) return;
  if (isCurrent) savepoint.enterWorkspace(DEFAULT_WORKSPACE);
  const { workspaceArchived } = text.general;
  const message = isCurrent
    ? text.commands.leftArchived(displayName, savepoint.workspace().name)
    : workspaceArchived(displayName);
  noticeWithUndo(savepoint, message, async () => {
    const isRestored = await restoreWorkspace(savepoint, workspace);
    if (isCurrent && isRestored) savepoint.enterWorkspace(item.id);
  });
}

/** Restores an archived workspace, with Undo in a notice. Resolves with true if it succeeds. */
export async function restoreWorkspace(
  savepoint: Savepoint,
  workspace: Named<Workspace>,
): Promise<boolean> {
  const name = workspaceCallName(savepoint, workspace);
  if (!hasSucceeded(await savepoint.call('updateWorkspace', { name, isArchived: false })))
    return false;
  noticeWithUndo(savepoint, text.general.workspaceRestored(workspace.displayName), () =>
    archiveWorkspace(savepoint, workspace),
  );
  return true;
}

export async function copyAsPrompt(savepoint: Savepoint, state: Named<State>): Promise<void> {
  const { name } = workspaceById(savepoint.memory.get(), state.item.workspaceId);
  const prompt = await currentStatePrompt(savepoint.services, state, name);
  await copyText(prompt, text.general.promptCopied(state.displayName));
}

/** Copies text, and says so in a notice. Throws a `Refusal` if the clipboard is not available. */
export async function copyText(copied: string, said?: string): Promise<void> {
  try {
    await activeWindow.navigator.clipboard.writeText(copied);
  } catch (cause) {
    throw new Refusal(text.commands.copyFailed, { cause });
  }
  if (said !== undefined) notify(said);
}

/** Runs a user's action and shows a failure in a notice. */
export function act(task: () => unknown): void {
  const done = new Promise((resolve) => resolve(task()));
  done.catch((error: unknown) => tellFailure(faultText(error)));
}

/** Returns true if the call succeeded; otherwise shows why in a notice. */
export function hasSucceeded(answer: Answer): boolean {
  if (!answer.success) tellFailure(answer.error ?? text.general.fault);
  return answer.success;
}

/**
 * Shows and announces a notice. One that goes by itself replaces the last such one. Marks invisible
 * characters and shortens long names.
 */
export function notify(message: string, duration = NOTICE_MS): Notice {
  const short = message.replace(/(["„])([^"„“]{60,})(["“])/gu, (_, open, name: string, close) =>
    [open, truncate(name, MAX_NAME_CHARS), close].join(''),
  );
  const notice = new Notice(visibleText(short), duration);
  const { containerEl } = notice;
  containerEl.addClass('savepoint-notice');
  containerEl.setAttr('role', 'status');
  containerEl.setCssStyles({ insetBlockEnd: `${roomBelow()}px` });
  if (duration > 0) containerEl.addClass('mod-brief');
  for (const other of shownNotices) {
    if (duration > 0 && other.containerEl.hasClass('mod-brief')) other.hide();
    if (!other.containerEl.isConnected) shownNotices.delete(other);
  }
  shownNotices.add(notice);
  return notice;
}

/** Returns the height of the tallest composer with all below it, or of what the app has there. */
function roomBelow(): number {
  const composers = [...activeDocument.querySelectorAll('.savepoint-composer')];
  const boxes = composers.map((composer) => composer.getBoundingClientRect());
  const rooms = boxes.map(({ top, height }) => (height > 0 ? activeWindow.innerHeight - top : 0));
  return Math.max(MIN_ROOM_PX, ...rooms);
}

const shownNotices = new Set<Notice>();

/** Hides all notices when the plugin unloads, because their buttons no longer work. */
export function hideNotices(): void {
  for (const notice of shownNotices) notice.hide();
  shownNotices.clear();
}

function tellFailure(message: string): void {
  const { containerEl } = notify(message, ERROR_NOTICE_MS);
  containerEl.setAttr('role', 'alert');
  containerEl.removeClass('mod-brief');
}

/** Returns the name by which tools find a workspace. */
export function workspaceCallName({ memory }: Savepoint, workspace: Named<Workspace>): string {
  return callName(lookupWorkspace(memory.get(), workspace.displayName), workspace);
}

/** Returns the name to pass to a tool. It has the item's mark if the plain name is ambiguous. */
function callName<T extends { id: string; name: string }>(
  found: LookupResult<Named<T>>,
  { item, displayName }: Named<T>,
): string {
  return 'item' in found && found.item.item.id === item.id
    ? displayName
    : nameWithMark(item.name, item.id);
}

/** Undo functions of the notices that offered Undo, the newest last, for each open vault. */
const undos = new WeakMap<Savepoint, readonly (() => Promise<unknown>)[]>();
/** True while something is undone: its notice offers to do it again. */
let isUndoing = false;

/** Returns the undo function of the last action that can be undone; undefined if there is none. */
export function lastUndo(savepoint: Savepoint): (() => Promise<unknown>) | undefined {
  return undos.get(savepoint)?.at(-1);
}

/** Offers Undo in a notice and as a command; without a `message`, only as a command. */
export function noticeWithUndo(
  savepoint: Savepoint,
  message: string | undefined,
  undo: () => Promise<unknown>,
  duration?: number,
): void {
  const isRedo = isUndoing;
  const others = () => (undos.get(savepoint) ?? []).filter((each) => each !== takeBack);
  const takeBack = async () => {
    notice?.hide();
    undos.set(savepoint, others());
    isUndoing = !isRedo;
    await undo().finally(() => (isUndoing = false));
  };
  if (!isRedo) undos.set(savepoint, [...others(), takeBack]);
  const label = text.general[isRedo ? 'redo' : 'undo'];
  const buttons = [{ label, run: takeBack }];
  const notice = message === undefined ? undefined : noticeWithButtons(message, buttons, duration);
}

export interface NoticeButton {
  readonly label: string;
  readonly run: () => unknown;
}

/** Shows a notice with buttons, which hide it. The duration 0 means until it is clicked. */
export function noticeWithButtons(
  message: string,
  buttons: readonly NoticeButton[],
  duration = BUTTON_NOTICE_MS,
): Notice {
  const notice = notify(message, duration);
  const box = notice.containerEl.createDiv({ cls: 'savepoint-notice-buttons' });
  let before: Element | null = null;
  box.addEventListener('focusin', ({ relatedTarget }) => {
    if (!box.contains(relatedTarget as Node | null)) before = relatedTarget as Element | null;
  });
  for (const { label, run } of buttons)
    box.createEl('button', { text: label }).addEventListener('click', () => {
      if (before?.instanceOf(HTMLElement)) before.focus(); // the button disappears with the focus
      notice.hide();
      act(run);
    });
  return notice;
}
