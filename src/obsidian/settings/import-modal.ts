import { ButtonComponent, Modal, Setting } from 'obsidian';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import { badLineRows } from '../../storage/bad-lines.js';
import type { Files } from '../../storage/files.js';
import { createWriterId } from '../../storage/ids.js';
import { importLines, type ImportReport, type ImportSource } from '../../storage/import.js';
import { dayOf, isSegmentName } from '../../storage/lanes.js';
import { faultText, notify } from '../actions.js';
import { breathe } from '../browser-ports.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../text/index.js';
import { nameElement } from '../ui/forms/fields.js';
import { offered, TextSuggest } from '../ui/forms/text-suggest.js';
import { readFolder } from './data-folder.js';
import { allFolders } from './folder-picker.js';

const SHOWN_ROWS = 20;

/** What an import would do, found out without writing. */
interface Preview {
  readonly report: ImportReport;
  /** Whether it is another vault's memory, which only the person may put into this one. */
  readonly isOther: boolean;
}

/** Imports an export: first it shows what that would do, then the person says so. */
export class ImportModal extends Modal {
  private folder = '';
  private folderRow: Setting | undefined;
  private preview: HTMLElement | undefined;
  private buttons: HTMLElement | undefined;
  private confirm: ButtonComponent | undefined;
  /** What is looked at later counts, whatever is found first. */
  private round = 0;

  constructor(private readonly savepoint: Savepoint) {
    super(savepoint.app);
  }

  override onOpen(): void {
    const { title, files, filesHint, choose, folder, folderHint, look, cancel } = text.settings.import;
    this.setTitle(title);
    const fileRow = new Setting(this.contentEl).setName(files).setDesc(filesHint);
    const picker = this.contentEl.createEl('input', {
      attr: { type: 'file', multiple: '', accept: '.jsonl', hidden: '', 'aria-label': files },
    });
    picker.addEventListener('change', () => {
      const picked = Array.from(picker.files ?? []);
      picker.value = ''; // so that the same file can be chosen again
      if (picked.length > 0) void this.look(() => Promise.all(picked.map(readPicked)));
    });
    fileRow.addButton((button) => button.setButtonText(choose).onClick(() => picker.click()));
    const row = new Setting(this.contentEl).setName(folder).setDesc(folderHint);
    this.folderRow = row;
    row.addText((component) => {
      const { inputEl } = component.onChange((value) => (this.folder = value));
      inputEl.setAttrs({ dir: 'auto', 'aria-labelledby': nameElement(row.nameEl), 'aria-describedby': nameElement(row.descEl) });
      new TextSuggest(
        this.app,
        inputEl,
        (typed) => offered(allFolders(this.app), typed),
        (chosen) => void component.setValue((this.folder = chosen)),
      );
    });
    row.addButton((button) => button.setButtonText(look).onClick(() => this.lookIntoFolder()));
    this.preview = this.contentEl.createDiv({ cls: 'savepoint-import-preview', attr: { role: 'status' } });
    this.buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    new ButtonComponent(this.buttons).setButtonText(cancel).onClick(() => this.close());
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  private async lookIntoFolder(): Promise<void> {
    const read = readFolder(this.folder, this.app.vault.configDir);
    this.folderRow?.setErrorMessage('problem' in read ? read.problem : null);
    if ('path' in read) await this.look(() => readBelow(this.savepoint.services.files, read.path));
  }

  /** Shows what an import of these would do. */
  private async look(read: () => Promise<ImportSource[]>): Promise<void> {
    const round = ++this.round;
    this.tell(text.settings.import.looking);
    await breathe();
    try {
      const sources = await read();
      const preview = await this.tryOut(sources);
      if (round === this.round) this.showPreview(sources, preview);
    } catch (error) {
      if (round === this.round) this.tell(faultText(error), 'mod-warning');
    }
  }

  private async tryOut(sources: readonly ImportSource[]): Promise<Preview> {
    const report = await this.run(sources, true, true);
    const isOther = await this.run(sources, true, false).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Refusal) return true; // the same with leave to merge was not refused
        throw error;
      },
    );
    return { report, isOther };
  }

  private run(sources: readonly ImportSource[], isDryRun: boolean, mayMerge: boolean): Promise<ImportReport> {
    const { services, clock } = this.savepoint;
    const { files, dataFolder, random } = services;
    return importLines(files, dataFolder, sources, { isDryRun, mayMerge, day: dayOf(clock.now()), tag: createWriterId(random) });
  }

  private showPreview(sources: readonly ImportSource[], { report, isOther }: Preview): void {
    const { preview } = this;
    if (!preview) return;
    const { dryRun, read, news, known, retired, lost, bad, more, nothingNew } = text.settings.import;
    preview.empty();
    preview.createEl('p', { text: report.added > 0 ? dryRun : nothingNew });
    const list = preview.createEl('ul');
    const facts = [read(report.events), news(report.added), known(report.known), ...(report.retired > 0 ? [retired(report.retired)] : [])];
    for (const fact of facts) list.createEl('li', { text: fact });
    if (report.lost > 0) preview.createEl('p', { cls: 'mod-warning', text: lost(report.lost) });
    const rows = badLineRows(report.badLines);
    if (rows.length > 0) {
      preview.createEl('p', { text: bad });
      const badList = preview.createEl('ul');
      for (const row of rows.slice(0, SHOWN_ROWS)) badList.createEl('li', { text: row, attr: { dir: 'auto' } });
      if (rows.length > SHOWN_ROWS) badList.createEl('li', { text: more(rows.length - SHOWN_ROWS) });
    }
    if (report.added > 0) this.offer(preview, sources, report.added, isOther);
  }

  private offer(preview: HTMLElement, sources: readonly ImportSource[], count: number, isOther: boolean): void {
    const { button: label, otherVault, merge } = text.settings.import;
    if (!this.buttons) return;
    const button = new ButtonComponent(this.buttons).setButtonText(label(count)).setCta().setDisabled(isOther);
    this.buttons.prepend(button.buttonEl);
    button.onClick(() => void this.import(sources, isOther, button));
    this.confirm = button;
    if (!isOther) return;
    const asked = new Setting(preview).setName(merge).setDesc(otherVault);
    asked.addToggle((toggle) => {
      const control = toggle.toggleEl.querySelector('input') ?? toggle.toggleEl;
      control.setAttrs({ 'aria-labelledby': nameElement(asked.nameEl), 'aria-describedby': nameElement(asked.descEl) });
      toggle.onChange((isMeant) => void button.setDisabled(!isMeant));
    });
  }

  private async import(sources: readonly ImportSource[], mayMerge: boolean, button: ButtonComponent): Promise<void> {
    button.setDisabled(true).setButtonText(text.settings.import.importing);
    try {
      const { added } = await this.run(sources, false, mayMerge);
      await this.savepoint.refresh();
      notify(text.settings.import.done(added));
      this.close();
    } catch (error) {
      this.tell(faultText(error), 'mod-warning');
    }
  }

  private tell(message: string, cls?: string): void {
    this.confirm?.buttonEl.remove();
    this.preview?.empty();
    this.preview?.createEl('p', { text: message, ...(cls !== undefined && { cls }) });
  }
}

async function readPicked(file: File): Promise<ImportSource> {
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Every .jsonl file in a folder and below it. */
async function readBelow(files: Files, folder: VaultPath): Promise<ImportSource[]> {
  const sources: ImportSource[] = [];
  const folders = [folder];
  for (const each of folders) {
    for (const { name, kind } of await files.list(each)) {
      const path = `${each}/${name}`;
      const bytes = kind === 'file' && isSegmentName(name) ? await files.read(path) : undefined;
      if (kind === 'folder') folders.push(path);
      else if (bytes) sources.push({ name: path, bytes });
    }
  }
  if (sources.length === 0) throw new Refusal(text.settings.import.noFiles(folder));
  return sources;
}
