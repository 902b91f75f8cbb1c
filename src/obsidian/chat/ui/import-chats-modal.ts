import { ButtonComponent, Modal, Setting } from 'obsidian';
import { chatFilesIn, type ChatFile } from '../../../chat/imports/chat-files.js';
import { importChats, type ChatImportReport } from '../../../chat/imports/import-chats.js';
import { ZipError } from '../../../chat/imports/zip.js';
import { Scheduler } from '../../../platform/scheduler.js';
import { faultText } from '../../host/logger.js';
import { accessTo, yieldToHost } from '../../host/browser-ports.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { addWorkspaceField } from '../../ui/forms/workspace-field.js';

/** Further problems are only counted. */
const MAX_SHOWN_ROWS = 20;

/** Result of one file. A file that could not be read to its end has both a report and a fault. */
interface ImportOutcome {
  readonly file: string;
  readonly report?: ChatImportReport | undefined;
  readonly fault?: string;
}

/** Accepted file types, as extensions for desktop systems and as media types for mobile ones. */
const ACCEPTED_FILES = '.json,.zip,application/json,application/zip,application/x-zip-compressed';

/** Imports the conversations of a Claude or ChatGPT export, and reports the result. */
export class ImportChatsModal extends Modal {
  readonly #stop = new AbortController();
  #report: HTMLElement | undefined;
  #picker: HTMLInputElement | undefined;
  #button: ButtonComponent | undefined;
  #isRunning = false;
  #workspaceId: string;
  readonly #savepoint: Savepoint;
  readonly #openList: () => void;

  constructor(savepoint: Savepoint, openList: () => void) {
    super(savepoint.app);
    this.#savepoint = savepoint;
    this.#openList = openList;
    this.#workspaceId = savepoint.workspace().id;
  }

  override onOpen(): void {
    const { title, how, files, filesHint, choose, close } = text.chat.import;
    this.setTitle(title);
    const steps = this.contentEl.createEl('ul');
    for (const step of how) steps.createEl('li', { text: step });
    addWorkspaceField(this.contentEl, {
      savepoint: this.#savepoint,
      value: this.#workspaceId,
      change: (id) => (this.#workspaceId = id),
    });
    const row = new Setting(this.contentEl).setName(files).setDesc(filesHint);
    const picker = this.contentEl.createEl('input', {
      attr: { type: 'file', multiple: '', accept: ACCEPTED_FILES, hidden: '', 'aria-label': files },
    });
    picker.addEventListener('change', () => {
      const picked = Array.from(picker.files ?? []);
      picker.value = ''; // so that the same file can be chosen again
      if (picked.length > 0) void this.#run(picked);
    });
    this.#picker = picker;
    row.addButton((button) => {
      this.#button = button.setCta().setButtonText(choose);
      this.#button.onClick(() => this.#chooseOrStop());
    });
    this.#report = this.contentEl.createDiv({
      cls: 'savepoint-import-preview',
      attr: { role: 'status' },
    });
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    new ButtonComponent(buttons).setButtonText(close).onClick(() => this.close());
  }

  override onClose(): void {
    this.#stop.abort();
    this.contentEl.empty();
  }

  #chooseOrStop(): void {
    if (this.#isRunning) this.#stop.abort();
    else this.#picker?.click();
  }

  async #run(files: readonly File[]): Promise<void> {
    const { choose, stop, reading } = text.chat.import;
    this.#isRunning = true;
    this.#button?.setButtonText(stop);
    this.#showStatus(reading(0));
    const outcomes: ImportOutcome[] = [];
    for (const file of files) {
      try {
        const found = await chatFilesIn(file.name, accessTo(file));
        if (found.length === 0) outcomes.push({ file: file.name, fault: text.chat.import.noChats });
        for (const each of found)
          if (!this.#stop.signal.aborted) outcomes.push(await this.#importFile(each, outcomes));
      } catch (error) {
        outcomes.push({ file: file.name, fault: faultOf(error) });
      }
      if (this.#stop.signal.aborted) break;
    }
    this.#isRunning = false;
    this.#button?.setButtonText(choose);
    this.#showReport(outcomes);
  }

  async #importFile(
    { name, chunks: pieces }: ChatFile,
    before: readonly ImportOutcome[],
  ): Promise<ImportOutcome> {
    const { services, clock } = this.#savepoint;
    const done = before.reduce((sum, { report }) => sum + readCount(report), 0);
    let latest: ChatImportReport | undefined;
    try {
      const report = await importChats(pieces, {
        log: services.log,
        workspaceId: this.#workspaceId,
        scheduler: new Scheduler(clock, yieldToHost),
        signal: this.#stop.signal,
        progress: (now) => {
          latest = now;
          this.#showStatus(text.chat.import.reading(done + readCount(now)));
        },
      });
      return { file: name, report };
    } catch (error) {
      return { file: name, report: latest, fault: faultOf(error) };
    }
  }

  #showStatus(message: string): void {
    this.#report?.empty();
    this.#report?.createEl('p', { text: message });
  }

  #showReport(outcomes: readonly ImportOutcome[]): void {
    const into = this.#report;
    if (!into) return;
    into.empty();
    for (const { file, report, fault } of outcomes) {
      into.createEl('h4', { text: file, attr: { dir: 'auto' } });
      if (fault !== undefined) into.createEl('p', { cls: 'mod-warning', text: fault });
      if (fault !== undefined && readCount(report) > 0)
        into.createEl('p', { text: text.chat.import.soFar });
      if (report && (fault === undefined || readCount(report) > 0)) showFacts(into, report);
    }
    if (!outcomes.some(({ report }) => readCount(report) > 0)) return;
    const done = new ButtonComponent(into).setButtonText(text.chat.import.show);
    done.onClick(() => {
      this.close();
      this.#openList();
    });
  }
}

function readCount(report: ChatImportReport | undefined): number {
  return report ? report.added + report.grown + report.known + report.forgotten : 0;
}

function showFacts(into: HTMLElement, report: ChatImportReport): void {
  const { added, grown, known, forgotten, sources, problems, secrets, isStopped } = report;
  const { from, news, more, nothing, same, stopped, noChats, bad, problem } = text.chat.import;
  const read = readCount(report);
  if (read === 0) into.createEl('p', { cls: 'mod-warning', text: isStopped ? stopped : noChats });
  else {
    const list = into.createEl('ul');
    for (const [source, count] of sources) list.createEl('li', { text: from(source, count) });
    if (added > 0) list.createEl('li', { text: news(added) });
    if (grown > 0) list.createEl('li', { text: more(grown) });
    if (known > 0) list.createEl('li', { text: known === read ? nothing : same(known) });
    if (forgotten > 0) list.createEl('li', { text: text.chat.import.forgotten(forgotten) });
    if (isStopped) into.createEl('p', { text: stopped });
  }
  showRows(into, text.chat.import.secrets, secrets);
  showRows(into, bad(problems.length), problems.map(problem));
}

function showRows(into: HTMLElement, title: string, rows: readonly string[]): void {
  if (rows.length === 0) return;
  into.createEl('p', { text: title });
  const list = into.createEl('ul');
  for (const row of rows.slice(0, MAX_SHOWN_ROWS))
    list.createEl('li', { text: row, attr: { dir: 'auto' } });
  if (rows.length > MAX_SHOWN_ROWS)
    list.createEl('li', { text: text.chat.import.others(rows.length - MAX_SHOWN_ROWS) });
}

function faultOf(error: unknown): string {
  if (error instanceof ZipError) return text.chat.import.zipFaults[error.kind];
  return error instanceof DOMException ? text.chat.import.unreadable : faultText(error);
}
