import { ButtonComponent, Modal, Setting } from 'obsidian';
import { importChats, type ChatImportReport } from '../../../chat/imports/import-chats.js';
import { createPause } from '../../../storage/pause.js';
import { faultText } from '../../actions.js';
import { breathe } from '../../browser-ports.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../text/index.js';

/** A file is read in pieces of so many bytes, with a turn of the window between any two. */
const PIECE = 256 * 1024;

/** So many entries that could not be read are named. */
const SHOWN_PROBLEMS = 20;

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
    const row = new Setting(this.contentEl).setName(files).setDesc(filesHint(this.savepoint.workspace().name));
    const picker = this.contentEl.createEl('input', {
      attr: { type: 'file', multiple: '', accept: '.json,application/json', hidden: '', 'aria-label': files },
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
    this.report = this.contentEl.createDiv({ cls: 'savepoint-import-preview', attr: { role: 'status' } });
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
    const { services, clock } = this.savepoint;
    this.isRunning = true;
    this.button?.setButtonText(stop);
    this.tell(reading(0));
    let before = 0;
    const sections: { file: string; report?: ChatImportReport; fault?: string }[] = [];
    for (const file of files) {
      if (this.stop.signal.aborted) break;
      try {
        const report = await importChats(piecesOf(file), {
          ...{
            log: services.log,
            workspaceId: this.savepoint.workspace().id,
            pause: createPause(clock, breathe),
            signal: this.stop.signal,
          },
          progress: ({ added, grown, known }) => this.tell(reading(before + added + grown + known)),
        });
        before += report.added + report.grown + report.known;
        sections.push({ file: file.name, report });
      } catch (error) {
        sections.push({ file: file.name, fault: faultText(error) });
      }
    }
    this.isRunning = false;
    this.button?.setButtonText(choose);
    this.showReport(sections);
  }

  private tell(words: string): void {
    this.report?.empty();
    this.report?.createEl('p', { text: words });
  }

  private showReport(sections: readonly { file: string; report?: ChatImportReport; fault?: string }[]): void {
    const { report: into } = this;
    if (!into) return;
    into.empty();
    for (const { file, report, fault } of sections) {
      into.createEl('h4', { text: file, attr: { dir: 'auto' } });
      if (fault !== undefined) into.createEl('p', { cls: 'mod-warning', text: fault });
      if (report) showFacts(into, report);
    }
    const hasSome = sections.some(({ report }) => report && report.added + report.grown + report.known > 0);
    if (!hasSome) return;
    const done = new ButtonComponent(into).setButtonText(text.chat.import.show);
    done.onClick(() => {
      this.close();
      this.openList();
    });
  }
}

function showFacts(into: HTMLElement, { added, grown, known, sources, problems, isStopped }: ChatImportReport): void {
  const { from, news, more, nothing, same, stopped, noChats, bad, others, problem } = text.chat.import;
  const read = added + grown + known;
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
  for (const each of problems.slice(0, SHOWN_PROBLEMS)) list.createEl('li', { text: problem(each), attr: { dir: 'auto' } });
  if (problems.length > SHOWN_PROBLEMS) list.createEl('li', { text: others(problems.length - SHOWN_PROBLEMS) });
}

async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE) yield new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
}
