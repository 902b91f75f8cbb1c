import { ButtonComponent, Modal, Setting } from 'obsidian';
import { isWithin, type VaultPath } from '../../model/paths.js';
import { addFolderField } from './folder-field.js';
import { exportLines } from '../../transfer/export.js';
import { dayOf, memoryOf, readLogLines, type LogContents } from '../../storage/index.js';
import { exportNotes } from '../../transfer/export-notes.js';
import { Scheduler } from '../../platform/scheduler.js';
import { faultText } from '../host/logger.js';
import { yieldToHost } from '../host/browser-ports.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { nameElement } from '../ui/forms/fields.js';
import { inspectTarget, readFolder } from './data-folder.js';

type Form = keyof typeof text.settings.export.forms;

/** Exports the memory into a new or empty folder in the vault. */
export class ExportModal extends Modal {
  #form: Form = 'jsonl';
  #folder: string;
  #row: Setting | undefined;
  #told: HTMLElement | undefined;
  #button: ButtonComponent | undefined;
  #closeButton: ButtonComponent | undefined;
  readonly #savepoint: Savepoint;

  constructor(savepoint: Savepoint) {
    super(savepoint.app);
    this.#savepoint = savepoint;
    this.#folder = text.settings.export.folderName(dayOf(savepoint.clock.now()));
  }

  override onOpen(): void {
    const {
      title,
      form,
      formHint,
      forms,
      folder,
      folderHint,
      button: label,
    } = text.settings.export;
    this.setTitle(title);
    const choice = new Setting(this.contentEl).setName(form).setDesc(formHint);
    choice.addDropdown((dropdown) => {
      dropdown.addOptions(forms).setValue(this.#form);
      dropdown.onChange((value) => (this.#form = value as Form));
      dropdown.selectEl.setAttrs({
        'aria-labelledby': nameElement(choice.nameEl),
        'aria-describedby': nameElement(choice.descEl),
      });
    });
    const row = new Setting(this.contentEl).setName(folder).setDesc(folderHint);
    this.#row = row;
    addFolderField(this.app, row, this.#folder, (folder) => (this.#folder = folder));
    this.#told = this.contentEl.createDiv({
      cls: 'savepoint-setting-note',
      attr: { role: 'status' },
    });
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    this.#button = new ButtonComponent(buttons)
      .setButtonText(label)
      .setCta()
      .onClick(() => void this.#run());
    this.#closeButton = new ButtonComponent(buttons)
      .setButtonText(text.general.cancel)
      .onClick(() => this.close());
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  async #run(): Promise<void> {
    this.#button?.setDisabled(true);
    this.#row?.setErrorMessage(null);
    try {
      const checked = await this.#checkFolder();
      if ('problem' in checked) this.#row?.setErrorMessage(checked.problem);
      else await this.#copyTo(checked.path);
    } catch (error) {
      this.#tell([faultText(error)]);
    }
    this.#button?.setDisabled(false);
  }

  async #checkFolder(): Promise<{ path: VaultPath } | { problem: string }> {
    const { taken, inData } = text.settings.export;
    const { file, outside } = text.settings.move;
    const { files, dataFolder } = this.#savepoint.services;
    const read = readFolder(this.#folder, this.app.vault.configDir);
    if ('problem' in read) return read;
    if (isWithin(read.path, dataFolder)) return { problem: inData(read.path) };
    const say = { free: undefined, memory: taken, files: taken, file, outside }[
      await inspectTarget(files, read.path)
    ];
    return say ? { problem: say(read.path) } : read;
  }

  async #copyTo(folder: VaultPath): Promise<void> {
    const { writing, nothing, doneLines, doneNotes } = text.settings.export;
    const { services, clock } = this.#savepoint;
    const scheduler = new Scheduler(clock, yieldToHost);
    this.#tell([text.general.reading]);
    const held = await readLogLines(services.files, services.dataFolder, scheduler);
    if (held.lines.length === 0 && held.unreadable.length === 0) return this.#tell([nothing]);
    await yieldToHost();
    const made =
      this.#form === 'notes'
        ? exportNotes(memoryOf(held.lines))
        : (await exportLines(held.lines)).files;
    for (const [index, { path, bytes }] of made.entries()) {
      await scheduler.yieldIfDue();
      this.#tell([writing(index, made.length)]);
      await services.files.append(`${folder}/${path}`, bytes, {
        expect: 'new',
        durable: this.#form === 'jsonl',
      });
    }
    const done =
      this.#form === 'notes'
        ? doneNotes(made.length, folder)
        : doneLines(held.lines.length, folder);
    this.#tell([done, ...lackText(held)]);
    this.#closeButton?.setButtonText(text.general.close).buttonEl.focus();
  }

  #tell(lines: readonly string[]): void {
    this.#told?.empty();
    for (const line of lines) this.#told?.createDiv({ text: line });
  }
}

/** Returns one sentence per kind of content that is missing from an export. */
function lackText({ problems, unreadable: waiting }: LogContents): string[] {
  const { leftOut, waiting: say } = text.settings.export;
  const bad = problems.filter(({ kind }) => kind !== 'marker').length;
  return [...(bad > 0 ? [leftOut(bad)] : []), ...(waiting.length > 0 ? [say(waiting.length)] : [])];
}
