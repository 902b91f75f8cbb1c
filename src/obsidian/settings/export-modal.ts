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
import { addChoice } from '../ui/forms/fields.js';
import { openModal } from '../ui/modals.js';
import { inspectTarget, readFolder, type ReadFolder } from './data-folder.js';

type Form = keyof typeof text.settings.export.forms;

/** Exports the memory into a new or empty folder in the vault. */
export function openExport(savepoint: Savepoint): void {
  const texts = text.settings.export;
  const { app, clock } = savepoint;
  const modal = new Modal(app).setTitle(texts.title);
  const { contentEl } = modal;
  let form: Form = 'jsonl';
  let folder = texts.folderName(dayOf(clock.now()));
  const choice = new Setting(contentEl).setName(texts.form).setDesc(texts.formHint);
  addChoice(choice, texts.forms, form, (value) => (form = value as Form));
  const row = new Setting(contentEl).setName(texts.folder).setDesc(texts.folderHint);
  addFolderField(app, row, folder, (typed) => (folder = typed));
  const status = contentEl.createDiv({
    cls: 'savepoint-setting-note',
    attr: { role: 'status' },
  });
  const tell = (lines: readonly string[]) => {
    status.empty();
    for (const line of lines) status.createDiv({ text: line });
  };
  const buttons = contentEl.createDiv({ cls: 'modal-button-container' });
  const start = new ButtonComponent(buttons).setButtonText(texts.button).setCta();
  const close = new ButtonComponent(buttons)
    .setButtonText(text.general.cancel)
    .onClick(() => modal.close());
  start.onClick(async () => {
    start.setDisabled(true);
    row.setErrorMessage(null);
    try {
      const checked = await checkFolder(savepoint, folder);
      if ('problem' in checked) row.setErrorMessage(checked.problem);
      else if (await exportTo(savepoint, form, checked.path, tell))
        close.setButtonText(text.general.close).buttonEl.focus();
    } catch (error) {
      tell([faultText(error)]);
    }
    start.setDisabled(false);
  });
  openModal(modal);
}

async function checkFolder({ app, services }: Savepoint, typed: string): Promise<ReadFolder> {
  const { taken, inData } = text.settings.export;
  const { file, outside } = text.settings.move;
  const { files, dataFolder } = services;
  const read = readFolder(typed, app.vault.configDir);
  if ('problem' in read) return read;
  if (isWithin(read.path, dataFolder)) return { problem: inData(read.path) };
  const say = { free: undefined, memory: taken, files: taken, file, outside }[
    await inspectTarget(files, read.path)
  ];
  return say ? { problem: say(read.path) } : read;
}

/** Writes the files, and tells how far it is. Resolves with false if there is nothing to export. */
async function exportTo(
  { services, clock }: Savepoint,
  form: Form,
  folder: VaultPath,
  tell: (lines: readonly string[]) => void,
): Promise<boolean> {
  const { writing, nothing, doneLines, doneNotes } = text.settings.export;
  const scheduler = new Scheduler(clock, yieldToHost);
  tell([text.general.reading]);
  const held = await readLogLines(services.files, services.dataFolder, scheduler);
  const isEmpty = held.lines.length === 0 && held.unreadable.length === 0;
  if (isEmpty) {
    tell([nothing]);
    return false;
  }
  await yieldToHost();
  const made =
    form === 'notes' ? exportNotes(memoryOf(held.lines)) : (await exportLines(held.lines)).files;
  for (const [index, { path, bytes }] of made.entries()) {
    await scheduler.yieldIfDue();
    tell([writing(index, made.length)]);
    await services.files.append(`${folder}/${path}`, bytes, {
      expect: 'new',
      durable: form === 'jsonl',
    });
  }
  const done =
    form === 'notes' ? doneNotes(made.length, folder) : doneLines(held.lines.length, folder);
  tell([done, ...lackText(held)]);
  return true;
}

/** Returns one sentence per kind of content that is missing from an export. */
function lackText({ problems, unreadable: waiting }: LogContents): string[] {
  const { leftOut, waiting: say } = text.settings.export;
  const bad = problems.filter(({ kind }) => kind !== 'marker').length;
  return [...(bad > 0 ? [leftOut(bad)] : []), ...(waiting.length > 0 ? [say(waiting.length)] : [])];
}
