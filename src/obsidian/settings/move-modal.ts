import { ButtonComponent, Modal, Setting } from 'obsidian';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import { addFolderField } from './folder-field.js';
import { act, notify } from '../actions.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
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
export class MoveModal extends Modal {
  readonly #judge = newestOnly((typed) => this.#judgeTyped(typed));
  readonly #present: VaultPath;
  #row: Setting | undefined;
  #explained: HTMLElement | undefined;
  #buttons: { move: ButtonComponent; use: ButtonComponent } | undefined;
  #judged: Judgement | undefined;
  readonly #host: SettingsHost;

  constructor(host: SettingsHost) {
    super(host.app);
    this.#host = host;
    this.#present = host.settings.get().dataFolder;
  }

  override onOpen(): void {
    const { title, intro, field, hint, otherDevices, move, use } = text.settings.move;
    this.setTitle(title);
    this.contentEl.createEl('p', { text: intro(this.#present) });
    this.#row = new Setting(this.contentEl).setName(field).setDesc(hint);
    addFolderField(this.app, this.#row, '', (typed) =>
      act(async () => this.#show(await this.#judge(typed))),
    );
    this.#explained = this.contentEl.createEl('p', {
      cls: 'savepoint-setting-note',
      attr: { role: 'status' },
    });
    this.contentEl.createEl('p', { cls: 'savepoint-setting-note', text: otherDevices });
    const row = this.contentEl.createDiv({ cls: 'modal-button-container' });
    this.#buttons = {
      move: new ButtonComponent(row).setButtonText(move).setCta().setDisabled(true),
      use: new ButtonComponent(row).setButtonText(use).setDisabled(true),
    };
    this.#buttons.move.onClick(() => this.#finish('move'));
    this.#buttons.use.onClick(() => this.#finish('use'));
    new ButtonComponent(row).setButtonText(text.general.cancel).onClick(() => this.close());
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  async #judgeTyped(typed: string): Promise<Judgement | undefined> {
    if (typed.trim() === '') return undefined;
    const read = readDataFolder(typed, this.#present, this.app.vault.configDir);
    if ('problem' in read) return { path: '', place: 'free', problem: read.problem };
    const opened = this.#host.savepoint.get();
    if (!opened) return { path: read.path, place: 'free', problem: text.settings.storage.notOpen };
    const place = await inspectTarget(opened.services.files, read.path);
    const { file, outside } = text.settings.move;
    const problem =
      place === 'file' ? file(read.path) : place === 'outside' ? outside(read.path) : undefined;
    return { path: read.path, place, problem };
  }

  #show(judged: Judgement | undefined): void {
    const { free, holdsMemory, holdsFiles } = text.settings.move;
    this.#judged = judged;
    this.#row?.setErrorMessage(judged?.problem ?? null);
    const isGood = judged !== undefined && judged.problem === undefined;
    const say = {
      free,
      memory: holdsMemory,
      files: holdsFiles,
      file: undefined,
      outside: undefined,
    }[judged?.place ?? 'file'];
    this.#explained?.setText(isGood ? (say?.(judged.path, this.#present) ?? '') : '');
    this.#buttons?.move.setDisabled(!isGood || judged.place !== 'free');
    this.#buttons?.use.setDisabled(!isGood);
  }

  #finish(how: 'move' | 'use'): void {
    const judged = this.#judged;
    const opened = this.#host.savepoint.get();
    if (!judged || !opened) return;
    this.#buttons?.move.setDisabled(true);
    this.#buttons?.use.setDisabled(true);
    if (how === 'move') this.#buttons?.move.setButtonText(text.settings.move.moving);
    act(async () => {
      try {
        await this.#changeTo(judged.path, how, opened);
      } finally {
        this.close();
      }
    });
  }

  async #changeTo(path: VaultPath, how: 'move' | 'use', opened: Savepoint): Promise<void> {
    const host = this.#host;
    const settings = { ...host.settings.get(), dataFolder: path };
    if (how === 'use') await host.change(settings);
    else await host.change(settings, () => this.#move(path, opened));
    notify(how === 'move' ? text.settings.move.moved(path) : text.settings.move.used(path));
  }

  /** Moves the folder while the memory is closed: a late write would recreate the old one. */
  async #move(path: VaultPath, { services: { files } }: Savepoint): Promise<void> {
    const { vault, fileManager } = this.app;
    try {
      await this.#host.mirror.whenIdle();
      if ((await files.stat(this.#present))?.kind !== 'folder') return; // nothing was ever saved
      const above = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (above !== '' && !vault.getFolderByPath(above)) await vault.createFolder(above);
      if ((await files.stat(path)) !== undefined) await vault.adapter.rmdir(path, false);
      const folder = vault.getFolderByPath(this.#present);
      if (folder) await fileManager.renameFile(folder, path);
      else await vault.adapter.rename(this.#present, path);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Refusal(text.settings.move.failed(path, why), { cause: error });
    }
  }
}
