import { ButtonComponent, Modal, Setting } from 'obsidian';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import { addFolderField } from './folder-field.js';
import { act, notify } from '../actions.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { openModal } from '../ui/modals.js';
import { newestOnly } from '../ui/newest-only.js';
import { inspectTarget, readDataFolder, type TargetContent } from './data-folder.js';
import type { SettingsHost } from './host.js';

/** A typed folder, with its problem if there is one, and the kind of content at its path. */
interface Judgement {
  readonly path: VaultPath;
  readonly problem: string | undefined;
  readonly place: TargetContent;
}

/** Moves the data folder, or switches to another one and leaves the current one where it is. */
export function openMove(host: SettingsHost): void {
  const texts = text.settings.move;
  const present = host.settings.get().dataFolder;
  const modal = new Modal(host.app).setTitle(texts.title);
  const { contentEl } = modal;
  const judge = newestOnly((typed) => judgeFolder(host, typed));
  let judged: Judgement | undefined;
  contentEl.createEl('p', { text: texts.intro(present) });
  const row = new Setting(contentEl).setName(texts.field).setDesc(texts.hint);
  addFolderField(host.app, row, '', (typed) => act(async () => show(await judge(typed))));
  const explained = contentEl.createEl('p', {
    cls: 'savepoint-setting-note',
    attr: { role: 'status' },
  });
  contentEl.createEl('p', { cls: 'savepoint-setting-note', text: texts.otherDevices });
  const buttons = contentEl.createDiv({ cls: 'modal-button-container' });
  const move = new ButtonComponent(buttons).setButtonText(texts.move).setCta().setDisabled(true);
  const use = new ButtonComponent(buttons).setButtonText(texts.use).setDisabled(true);
  move.onClick(() => finish('move'));
  use.onClick(() => finish('use'));
  new ButtonComponent(buttons).setButtonText(text.general.cancel).onClick(() => modal.close());

  function show(found: Judgement | undefined): void {
    const { free, holdsMemory: memory, holdsFiles: files } = texts;
    judged = found;
    row.setErrorMessage(found?.problem ?? null);
    const isGood = found !== undefined && found.problem === undefined;
    const say = { free, memory, files, file: undefined, outside: undefined }[
      found?.place ?? 'file'
    ];
    explained.setText(isGood ? (say?.(found.path, present) ?? '') : '');
    move.setDisabled(!isGood || found.place !== 'free');
    use.setDisabled(!isGood);
  }

  function finish(how: 'move' | 'use'): void {
    const path = judged?.path;
    const opened = host.savepoint.get();
    if (path === undefined || !opened) return;
    move.setDisabled(true);
    use.setDisabled(true);
    if (how === 'move') move.setButtonText(texts.moving);
    act(() => changeFolder(host, path, how, opened).finally(() => modal.close()));
  }

  openModal(modal);
}

async function judgeFolder(
  { app, savepoint, settings }: SettingsHost,
  typed: string,
): Promise<Judgement | undefined> {
  if (typed.trim() === '') return undefined;
  const read = readDataFolder(typed, settings.get().dataFolder, app.vault.configDir);
  if ('problem' in read) return { path: '', place: 'free', problem: read.problem };
  const opened = savepoint.get();
  if (!opened) return { path: read.path, place: 'free', problem: text.settings.storage.notOpen };
  const place = await inspectTarget(opened.services.files, read.path);
  const { file, outside } = text.settings.move;
  const problem =
    place === 'file' ? file(read.path) : place === 'outside' ? outside(read.path) : undefined;
  return { path: read.path, place, problem };
}

async function changeFolder(
  host: SettingsHost,
  path: VaultPath,
  how: 'move' | 'use',
  opened: Savepoint,
): Promise<void> {
  const before = host.settings.get();
  const settings = { ...before, dataFolder: path };
  if (how === 'use') await host.change(settings);
  else await host.change(settings, () => moveFolder(host, before.dataFolder, path, opened));
  notify(how === 'move' ? text.settings.move.moved(path) : text.settings.move.used(path));
}

/** Moves the folder while the memory is closed: a late write would recreate the old one. */
async function moveFolder(
  { app, mirror }: SettingsHost,
  from: VaultPath,
  path: VaultPath,
  { services: { files } }: Savepoint,
): Promise<void> {
  const { vault, fileManager } = app;
  try {
    await mirror.whenIdle();
    if ((await files.stat(from))?.kind !== 'folder') return; // nothing was ever saved
    const above = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (above !== '' && !vault.getFolderByPath(above)) await vault.createFolder(above);
    if ((await files.stat(path)) !== undefined) await vault.adapter.rmdir(path, false);
    const folder = vault.getFolderByPath(from);
    if (folder) await fileManager.renameFile(folder, path);
    else await vault.adapter.rename(from, path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal(text.settings.move.failed(path, why), { cause: error });
  }
}
