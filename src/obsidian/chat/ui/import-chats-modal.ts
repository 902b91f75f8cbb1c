import { ButtonComponent, Modal, Setting } from 'obsidian';
import { chatFilesIn, type ChatFile } from '../../../chat/imports/chat-files.js';
import { importChats, type ChatImportReport } from '../../../chat/imports/import-chats.js';
import { ZipError } from '../../../chat/imports/zip.js';
import { Scheduler } from '../../../platform/scheduler.js';
import { faultText } from '../../host/logger.js';
import { accessTo, yieldToHost } from '../../host/browser-ports.js';
import { noticeWithButtons } from '../../actions.js';
import { runWork, type WorkControl } from '../../long-work.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { addWorkspaceField } from '../../ui/forms/workspace-field.js';
import { openModal, openWork } from '../../ui/modals.js';

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

/** Names of the files of an import that has not ended, so that the next start can say it. */
const UNFINISHED_KEY = 'savepoint-import';

/** Opens the window that imports conversations, also while an import runs. */
export function openImportChats(savepoint: Savepoint, openList: () => void): void {
  openWork(savepoint.work, text.chat.import.title, () => new ImportChatsModal(savepoint, openList));
}

/** Says that an import was ended by the app, and offers to continue it. */
export function tellUnfinishedImport(savepoint: Savepoint, openList: () => void): void {
  const { app } = savepoint;
  const files: unknown = app.loadLocalStorage(UNFINISHED_KEY);
  if (typeof files !== 'string') return;
  app.saveLocalStorage(UNFINISHED_KEY, null);
  const { unfinished, title } = text.chat.import;
  const run = () => Promise.resolve(openImportChats(savepoint, openList));
  noticeWithButtons(unfinished(files), [{ label: `${title}…`, run }], 0);
}

/** Imports the conversations of a Claude or ChatGPT export, and reports the result. */
class ImportChatsModal extends Modal {
  #report: HTMLElement | undefined;
  #button: ButtonComponent | undefined;
  /** Stops the import that runs. */
  #stop: (() => void) | undefined;
  #outcomes: readonly ImportOutcome[] = [];
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
    const { title, how, files, filesHint, close } = text.chat.import;
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
      if (picked.length > 0) void this.#import(picked);
    });
    row.addButton((button) => {
      this.#button = button.setCta();
      button.onClick(() => (this.#stop ? this.#stop() : picker.click()));
    });
    this.#report = this.contentEl.createDiv({
      cls: 'savepoint-import-preview',
      attr: { role: 'status' },
    });
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    new ButtonComponent(buttons).setButtonText(close).onClick(() => this.close());
    this.#show();
  }

  override onClose(): void {
    this.contentEl.empty();
    this.#report = undefined;
  }

  async #import(picked: readonly File[]): Promise<void> {
    const { title, news, stopped } = text.chat.import;
    const { app } = this;
    app.saveLocalStorage(UNFINISHED_KEY, picked.map(({ name }) => name).join(', '));
    const { work } = this.#savepoint;
    const isClosed = await runWork(work, { title, window: this }, async (control) => {
      this.#stop = control.stop;
      this.#show();
      const found = await Promise.all(picked.map(filesOf));
      this.#outcomes = await this.#importAll(found.flat(), control);
      return control.signal.reason === 'closed';
    });
    if (isClosed) return; // the next start says it
    app.saveLocalStorage(UNFINISHED_KEY, null);
    this.#stop = undefined;
    this.#show();
    if (this.#report) return;
    const outcomes = this.#outcomes;
    const added = outcomes.reduce((sum, { report }) => sum + (report?.added ?? 0), 0);
    const isStopped = outcomes.some(({ report }) => report?.isStopped);
    const result = `${title}: ${isStopped ? stopped : news(added)}`;
    const run = () => Promise.resolve(openModal(this));
    noticeWithButtons(result, [{ label: text.general.showReport, run }], 0);
  }

  async #importAll(
    found: readonly (ChatFile | ImportOutcome)[],
    { signal, tell }: WorkControl,
  ): Promise<ImportOutcome[]> {
    const total = found.reduce((sum, each) => sum + ('size' in each ? each.size : 0), 0);
    const outcomes: ImportOutcome[] = [];
    let bytes = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        yield chunk;
        tell((bytes += chunk.length) / total);
      }
    };
    for (const each of found)
      if ('file' in each) outcomes.push(each);
      else if (!signal.aborted)
        outcomes.push(
          await this.#importFile({ ...each, chunks: counted(each.chunks) }, signal, outcomes),
        );
    return outcomes;
  }

  async #importFile(
    { name, chunks }: ChatFile,
    signal: AbortSignal,
    before: readonly ImportOutcome[],
  ): Promise<ImportOutcome> {
    const { services, clock } = this.#savepoint;
    const done = before.reduce((sum, { report }) => sum + readCount(report), 0);
    let latest: ChatImportReport | undefined;
    try {
      const report = await importChats(chunks, {
        log: services.log,
        workspaceId: this.#workspaceId,
        scheduler: new Scheduler(clock, yieldToHost),
        signal,
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

  /** Shows the import that runs, or the result of the last one. */
  #show(): void {
    const { choose, reading } = text.chat.import;
    this.#button?.setButtonText(this.#stop ? text.general.stop : choose);
    if (this.#stop) this.#showStatus(reading(0));
    else this.#showReport(this.#outcomes);
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

/** Returns the files with conversations in a picked one, or why there are none. */
async function filesOf(file: File): Promise<readonly (ChatFile | ImportOutcome)[]> {
  try {
    const found = await chatFilesIn(file.name, accessTo(file));
    return found.length > 0 ? found : [{ file: file.name, fault: text.chat.import.noChats }];
  } catch (error) {
    return [{ file: file.name, fault: faultOf(error) }];
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
