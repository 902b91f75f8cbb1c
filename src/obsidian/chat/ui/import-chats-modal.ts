import { ButtonComponent, Modal, Setting } from 'obsidian';
import { chatFilesIn, type ChatFile } from '../../../chat/imports/chat-files.js';
import { importChats, type ChatImportReport } from '../../../chat/imports/import-chats.js';
import { ZipError, type RandomAccess } from '../../../chat/imports/zip.js';
import { Scheduler } from '../../../platform/scheduler.js';
import { faultText } from '../../actions.js';
import { yieldToHost } from '../../host/browser-ports.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';

/** So many entries that could not be read are named. */
const SHOWN_PROBLEMS = 20;

/** What has come of one file; of one that could not be read to its end, both. */
interface Outcome {
  readonly file: string;
  readonly report?: ChatImportReport | undefined;
  readonly fault?: string;
}

/** As the systems of phones and computers call what can be chosen. */
const CHOSEN = '.json,.zip,application/json,application/zip,application/x-zip-compressed';

/** Brings in the conversations of an export of Claude or ChatGPT, and tells what has come of it. */
export class ImportChatsModal extends Modal {
  private readonly stop = new AbortController();
  private report: HTMLElement | undefined;
  private picker: HTMLInputElement | undefined;
  private button: ButtonComponent | undefined;
  private isRunning = false;

  constructor(
    private readonly savepoint: Savepoint,
    private readonly openList: () => void,
  ) {
    super(savepoint.app);
  }

  override onOpen(): void {
    const { title, how, files, filesHint, choose, close } = text.chat.import;
    this.setTitle(title);
    const steps = this.contentEl.createEl('ul');
    for (const step of how) steps.createEl('li', { text: step });
    const row = new Setting(this.contentEl)
      .setName(files)
      .setDesc(filesHint(this.savepoint.workspace().name));
    const picker = this.contentEl.createEl('input', {
      attr: { type: 'file', multiple: '', accept: CHOSEN, hidden: '', 'aria-label': files },
    });
    picker.addEventListener('change', () => {
      const picked = Array.from(picker.files ?? []);
      picker.value = ''; // so that the same file can be chosen again
      if (picked.length > 0) void this.run(picked);
    });
    this.picker = picker;
    row.addButton(
      (button) =>
        (this.button = button
          .setCta()
          .setButtonText(choose)
          .onClick(() => this.chooseOrStop())),
    );
    this.report = this.contentEl.createDiv({
      cls: 'savepoint-import-preview',
      attr: { role: 'status' },
    });
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    new ButtonComponent(buttons).setButtonText(close).onClick(() => this.close());
  }

  override onClose(): void {
    this.stop.abort();
    this.contentEl.empty();
  }

  private chooseOrStop(): void {
    if (this.isRunning) this.stop.abort();
    else this.picker?.click();
  }

  private async run(files: readonly File[]): Promise<void> {
    const { choose, stop, reading } = text.chat.import;
    this.isRunning = true;
    this.button?.setButtonText(stop);
    this.tell(reading(0));
    const outcomes: Outcome[] = [];
    for (const file of files) {
      try {
        const found = await chatFilesIn(file.name, accessTo(file));
        if (found.length === 0) outcomes.push({ file: file.name, fault: text.chat.import.noChats });
        for (const each of found)
          if (!this.stop.signal.aborted) outcomes.push(await this.bring(each, outcomes));
      } catch (error) {
        outcomes.push({ file: file.name, fault: faultOf(error) });
      }
      if (this.stop.signal.aborted) break;
    }
    this.isRunning = false;
    this.button?.setButtonText(choose);
    this.showReport(outcomes);
  }

  private async bring(
    { name, chunks: pieces }: ChatFile,
    before: readonly Outcome[],
  ): Promise<Outcome> {
    const { services, clock } = this.savepoint;
    const done = before.reduce((sum, { report }) => sum + readIn(report), 0);
    let latest: ChatImportReport | undefined;
    try {
      const report = await importChats(pieces, {
        log: services.log,
        workspaceId: this.savepoint.workspace().id,
        scheduler: new Scheduler(clock, yieldToHost),
        signal: this.stop.signal,
        progress: (now) => {
          latest = now;
          this.tell(text.chat.import.reading(done + readIn(now)));
        },
      });
      return { file: name, report };
    } catch (error) {
      return { file: name, report: latest, fault: faultOf(error) };
    }
  }

  private tell(words: string): void {
    this.report?.empty();
    this.report?.createEl('p', { text: words });
  }

  private showReport(outcomes: readonly Outcome[]): void {
    const { report: into } = this;
    if (!into) return;
    into.empty();
    for (const { file, report, fault } of outcomes) {
      into.createEl('h4', { text: file, attr: { dir: 'auto' } });
      if (fault !== undefined) into.createEl('p', { cls: 'mod-warning', text: fault });
      if (fault !== undefined && readIn(report) > 0)
        into.createEl('p', { text: text.chat.import.soFar });
      if (report && (fault === undefined || readIn(report) > 0)) showFacts(into, report);
    }
    if (!outcomes.some(({ report }) => readIn(report) > 0)) return;
    const done = new ButtonComponent(into).setButtonText(text.chat.import.show);
    done.onClick(() => {
      this.close();
      this.openList();
    });
  }
}

function readIn(report: ChatImportReport | undefined): number {
  return report ? report.added + report.grown + report.known : 0;
}

function showFacts(into: HTMLElement, report: ChatImportReport): void {
  const { added, grown, known, sources, problems, isStopped } = report;
  const { from, news, more, nothing, same, stopped, noChats, bad, others, problem } =
    text.chat.import;
  const read = readIn(report);
  if (read === 0) into.createEl('p', { cls: 'mod-warning', text: isStopped ? stopped : noChats });
  else {
    const list = into.createEl('ul');
    for (const [source, count] of sources) list.createEl('li', { text: from(source, count) });
    if (added > 0) list.createEl('li', { text: news(added) });
    if (grown > 0) list.createEl('li', { text: more(grown) });
    if (known > 0) list.createEl('li', { text: known === read ? nothing : same(known) });
    if (isStopped) into.createEl('p', { text: stopped });
  }
  if (problems.length === 0) return;
  into.createEl('p', { text: bad(problems.length) });
  const list = into.createEl('ul');
  for (const each of problems.slice(0, SHOWN_PROBLEMS))
    list.createEl('li', { text: problem(each), attr: { dir: 'auto' } });
  if (problems.length > SHOWN_PROBLEMS)
    list.createEl('li', { text: others(problems.length - SHOWN_PROBLEMS) });
}

function accessTo(file: File): RandomAccess {
  return {
    size: file.size,
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  };
}

function faultOf(error: unknown): string {
  if (error instanceof ZipError) return text.chat.import.zipFaults[error.kind];
  return error instanceof DOMException ? text.chat.import.unreadable : faultText(error);
}
