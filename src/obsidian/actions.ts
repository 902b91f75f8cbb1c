import { Notice } from 'obsidian';
import { changedAmong } from '../agents/file-changes.js';
import { restoreState as restoreInLog } from '../agents/restore-state.js';
import { statePrompt } from '../agents/state-prompt.js';
import { findState, findWorkspace, workspaceById, type Found, type Shown } from '../model/find.js';
import { nameWithMark } from '../model/names.js';
import { Refusal } from '../model/refusal.js';
import type { State } from '../model/state.js';
import type { Workspace } from '../model/workspace.js';
import type { Answer } from '../toolkit/answer.js';
import { report } from './logger.js';
import type { Savepoint } from './savepoint.js';
import { text } from './text/index.js';

/** An undo stays in reach for so long, and an error so long on the screen, in milliseconds. */
const UNDO_TIME = 10_000;
const ERROR_TIME = 15_000;

/** What a person does to the memory, from a command or a view: done, told in a notice, and taken back from there. */

export async function archiveState(savepoint: Savepoint, state: Shown<State>): Promise<void> {
  const { workspaceId } = state.item;
  const name = callName(findState(savepoint.memory.get(), workspaceId, state.shownName), state);
  if (!succeeded(await savepoint.call('archiveState', { name }, workspaceId))) return;
  noticeWithUndo(text.general.stateArchived(state.shownName), () => restoreState(savepoint, state));
}

export async function restoreState(savepoint: Savepoint, state: Shown<State>): Promise<void> {
  const { workspaceId } = state.item;
  const memory = savepoint.memory.get();
  const name = callName(findState(memory, workspaceId, state.shownName), state);
  await restoreInLog(savepoint.services, workspaceById(memory, workspaceId), name);
  await savepoint.refresh();
  noticeWithUndo(text.general.stateRestored(state.shownName), () => archiveState(savepoint, state));
}

export async function archiveWorkspace(savepoint: Savepoint, workspace: Shown<Workspace>): Promise<void> {
  const name = callName(findWorkspace(savepoint.memory.get(), workspace.shownName), workspace);
  if (!succeeded(await savepoint.call('archiveWorkspace', { name }))) return;
  noticeWithUndo(text.general.workspaceArchived(workspace.shownName), () => restoreWorkspace(savepoint, workspace));
}

export async function restoreWorkspace(savepoint: Savepoint, workspace: Shown<Workspace>): Promise<void> {
  const name = callName(findWorkspace(savepoint.memory.get(), workspace.shownName), workspace);
  if (!succeeded(await savepoint.call('updateWorkspace', { name, isArchived: false }))) return;
  noticeWithUndo(text.general.workspaceRestored(workspace.shownName), () => archiveWorkspace(savepoint, workspace));
}

/** Copies the state as a prompt, to be pasted into any chat. */
export async function copyAsPrompt(savepoint: Savepoint, { item, shownName }: Shown<State>): Promise<void> {
  const { name } = workspaceById(savepoint.memory.get(), item.workspaceId);
  const changes = await changedAmong(savepoint.services.files, item.activeFiles, Date.parse(item.createdAt));
  await navigator.clipboard.writeText(statePrompt(item, shownName, name, changes));
  new Notice(text.general.promptCopied(shownName));
}

/** Runs what a person asked for; a failure is told in a notice. */
export function act(task: () => Promise<void>): void {
  task().catch((error: unknown) => {
    if (!(error instanceof Refusal)) report(error);
    new Notice(error instanceof Refusal ? error.message : text.general.fault, ERROR_TIME);
  });
}

/** Whether the call did what was asked; if not, a notice says why. */
export function succeeded(answer: Answer): boolean {
  if (!answer.success) new Notice(answer.error ?? text.general.fault, ERROR_TIME);
  return answer.success;
}

/** The name under which a tool finds this one: the marked one where the plain name is shared. */
function callName<T extends { id: string; name: string }>(found: Found<Shown<T>>, { item, shownName }: Shown<T>): string {
  return 'item' in found && found.item.item.id === item.id ? shownName : nameWithMark(item.name, item.id);
}

function noticeWithUndo(message: string, undo: () => Promise<void>): void {
  const notice = new Notice(message, UNDO_TIME);
  const button = notice.containerEl.createEl('button', { text: text.general.undo, cls: 'savepoint-undo' });
  button.addEventListener('click', () => {
    notice.hide();
    act(undo);
  });
}
