import { Modal, ProgressBarComponent } from 'obsidian';
import { Refusal } from '../../../model/refusal.js';
import {
  dayOf,
  dismissFormer,
  dismissMissing,
  findingsOf,
  type DeviceAgreement,
  type VerifyReport,
  type WriterReport,
} from '../../../storage/index.js';
import type { Files } from '../../../platform/files.js';
import { createWriterId } from '../../../platform/random.js';
import { mergeFolder } from '../../../transfer/merge-folder.js';
import { act, copyText, noticeWithButtons, notify } from '../../actions.js';
import { faultText } from '../../host/logger.js';
import { runWork, type WorkControl } from '../../long-work.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { addButton, addTable } from '../../ui/elements.js';
import { openModal, openWork } from '../../ui/modals.js';
import { showDigest, showFinding, showVerdict, verifyMemory } from './verify-parts.js';
import { agreementLine, reportText, verdictOf, writerNotes } from './verify-report.js';

/** Opens the window that verifies the memory, also while it is being verified. */
export function openVerify(savepoint: Savepoint): void {
  openWork(savepoint.work, text.commands.names.verifyMemory, () => new VerifyModal(savepoint));
}

/** Verifies the whole log without caches and shows the result. */
class VerifyModal extends Modal {
  #isOpen = false;
  #bar: ProgressBarComponent | undefined;
  /** Shows what is known in the open window. */
  #show: (() => void) | undefined;
  readonly #savepoint: Savepoint;

  constructor(savepoint: Savepoint) {
    super(savepoint.app);
    this.#savepoint = savepoint;
  }

  override onOpen(): void {
    this.setTitle(text.commands.names.verifyMemory);
    this.modalEl.addClass('savepoint-verify-modal');
    this.#isOpen = true;
    if (this.#show) this.#show();
    else void this.#run();
  }

  override onClose(): void {
    this.#isOpen = false;
    this.contentEl.empty();
  }

  async #run(): Promise<void> {
    const title = text.commands.names.verifyMemory;
    await runWork(this.#savepoint.work, { title, window: this }, async (control) => {
      this.#set(() => this.#showProgress(control.stop));
      const [result, show] = await this.#verify(control);
      if (control.signal.reason === 'closed') return;
      if (!this.#isOpen) this.#announce(result);
      this.#set(show);
    });
  }

  /** Resolves with the result in words, and with what shows it. */
  async #verify(control: WorkControl): Promise<[result: string, show: () => void]> {
    try {
      const files = this.#countingFiles(this.#savepoint.services.files, control);
      const report = await verifyMemory(this.#savepoint, files);
      return [verdictOf(report, findingsOf(report)).title, () => this.#showReport(report)];
    } catch (error) {
      return [faultText(error), () => this.#showFailure(faultText(error))];
    }
  }

  #set(show: () => void): void {
    this.#show = show;
    if (this.#isOpen) show();
  }

  /** Says the result of a verification whose window was closed. */
  #announce(result: string): void {
    const title = text.commands.names.verifyMemory;
    const run = () => openModal(this);
    noticeWithButtons(`${title}: ${result}`, [{ label: text.general.showReport, run }], 0);
  }

  /** Wraps files to tell the share of listed segments that are read, and to stop. */
  #countingFiles(files: Files, { signal, tell }: WorkControl): Files {
    let [read, total] = [0, 0];
    return {
      ...files,
      list: async (folder) => {
        const entries = await files.list(folder);
        total += entries.filter(({ kind }) => kind === 'file').length;
        return entries;
      },
      read: async (path, from, length) => {
        if (signal.aborted) throw new Refusal(text.commands.verify.stopped);
        tell(++read / Math.max(read, total));
        this.#bar?.setValue((100 * read) / Math.max(read, total));
        return files.read(path, from, length);
      },
    };
  }

  #showProgress(stop: () => void): void {
    this.contentEl.empty();
    const box = this.contentEl.createDiv({ cls: 'savepoint-verify-progress' });
    box.createDiv({ text: text.commands.verify.running, attr: { role: 'status' } });
    this.#bar = new ProgressBarComponent(box);
    addButton(box, text.general.stop, stop);
  }

  #showReport(report: VerifyReport): void {
    const { verify: say } = text.commands;
    const findings = findingsOf(report);
    this.contentEl.empty();
    showVerdict(this.contentEl, verdictOf(report, findings));
    for (const finding of findings) {
      const box = showFinding(this.contentEl, finding);
      if (finding.kind === 'missing') this.#offerDismissal(box, report);
      if (finding.kind === 'removed') this.#offerRecovery(box, report);
      if (finding.kind === 'apart') this.#offerMerge(box, report);
    }
    if (report.writers.length > 0) {
      const details = this.contentEl.createEl('details', { cls: 'savepoint-advanced' });
      details.createEl('summary', { text: say.details });
      showDigest(details.createEl('p', { cls: 'savepoint-verify-note' }), report);
      showWriters(details, report.writers);
      if (report.devices.length > 0) showDevices(details, report.devices);
    }
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    addButton(buttons, say.again, () => void this.#run());
    addButton(buttons, say.copy, () => act(() => copyText(reportText(report), say.copied)));
    const close = addButton(buttons, text.general.close, () => this.close());
    close.addClass('mod-cta');
    close.focus({ preventScroll: true }); // show the verdict first
  }

  /** Lets the user accept that the missing events are lost. */
  #offerDismissal(box: HTMLElement, { writers }: VerifyReport): void {
    const { copies } = this.#savepoint.services;
    if (!copies) return;
    const lacking = writers.filter(({ missing }) => missing.length > 0);
    this.#offer(box, text.commands.verify.dismiss, () => dismissMissing(copies, lacking));
  }

  /** Lets the user bring a removed memory back, or accept that it is gone. */
  #offerRecovery(box: HTMLElement, { former }: VerifyReport): void {
    const { copies, log } = this.#savepoint.services;
    if (!copies) return;
    const { recover, recovered, dismiss } = text.commands.verify;
    this.#offer(box, recover, async () => {
      let count = 0;
      for (const { id } of former) count += await log.heal(id);
      notify(recovered(count));
    });
    this.#offer(box, dismiss, async () => {
      for (const { id } of former) await dismissFormer(copies, id);
    });
  }

  /** Lets the user add what other folders next to the data folder have. */
  #offerMerge(box: HTMLElement, { siblings }: VerifyReport): void {
    const { services, clock } = this.#savepoint;
    const { files, dataFolder, random } = services;
    const { merge, merged } = text.commands.verify;
    this.#offer(box, merge, async () => {
      let count = 0;
      for (const { path } of siblings) {
        const options = { day: dayOf(clock.now()), tag: createWriterId(random) };
        count += (await mergeFolder(files, dataFolder, path, options)).added;
      }
      notify(merged(count));
    });
  }

  /** Adds a button that changes something, and then verifies again. */
  #offer(box: HTMLElement, label: string, change: () => Promise<unknown>): void {
    addButton(box, label, () => act(() => change().then(() => this.#run())));
  }

  #showFailure(problem: string): void {
    this.contentEl.empty();
    showVerdict(this.contentEl, {
      isGood: false,
      title: text.commands.verify.failed,
      sentence: problem,
    });
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    addButton(buttons, text.general.tryAgain, () => void this.#run()).focus();
  }
}

function showDevices(into: HTMLElement, devices: readonly DeviceAgreement[]): void {
  const box = into.createDiv({ cls: 'savepoint-finding' });
  box.createDiv({ cls: 'savepoint-finding-title', text: text.commands.verify.devices });
  const list = box.createEl('ul');
  for (const told of devices) list.createEl('li', { text: agreementLine(told) });
}

function showWriters(into: HTMLElement, writers: readonly WriterReport[]): void {
  const { columns, heldOf, writers: title } = text.commands.verify;
  const titles = [columns.writer, columns.lane, columns.held, columns.notes];
  const body = addTable(into, title, titles);
  for (const writer of writers) {
    const row = body.createEl('tr');
    const name = row.createEl('td');
    name.createDiv({ text: writer.device });
    name.createEl('code', { text: writer.writer });
    for (const cell of [writer.lane, heldOf(writer.held, writer.claimed), writerNotes(writer)])
      row.createEl('td', { text: cell });
  }
}
