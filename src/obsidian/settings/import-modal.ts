import { ButtonComponent, Modal, Setting } from 'obsidian';
import { Refusal } from '../../model/refusal.js';
import { addFolderField } from './folder-field.js';
import { badLineRows } from '../../transfer/bad-lines.js';
import { createWriterId } from '../../platform/random.js';
import { importLines, type ImportReport } from '../../transfer/import.js';
import { isBasicMemoryNote } from '../../transfer/foreign/basic-memory.js';
import { filesOfProgram, detectPrograms } from '../../transfer/foreign/detect.js';
import type { ForeignFile, Origin, Program } from '../../transfer/foreign/foreign-memory.js';
import { importForeign, type ForeignImportReport } from '../../transfer/foreign/import-foreign.js';
import { dayOf } from '../../storage/index.js';
import { Scheduler } from '../../platform/scheduler.js';
import { notify } from '../actions.js';
import { faultText } from '../host/logger.js';
import { yieldToHost } from '../host/browser-ports.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { addChoice, labelByRow } from '../ui/forms/fields.js';
import { openModal } from '../ui/modals.js';
import { readFolder } from './data-folder.js';
import { readBelow, readPicked } from './import-sources.js';
import { offer } from './rows.js';
import { countOf, showOthersReport, showRows } from './others-report.js';

/** The preview of an import. */
interface Plan {
  /** The button's label; undefined if there is nothing to import. */
  readonly label: string | undefined;
  /** True for another vault's memory, which is merged only if the user agrees. */
  readonly isOther: boolean;
  show(into: HTMLElement): void;
  /** Imports; returns the message to show. */
  carryOut(): Promise<string>;
}

/** Imports an export or another program's memory, with a preview first. */
export function openImport(savepoint: Savepoint): void {
  openModal(new ImportModal(savepoint));
}

class ImportModal extends Modal {
  #folder = '';
  readonly #folderRow: Setting;
  readonly #preview: HTMLElement;
  readonly #buttons: HTMLElement;
  #confirm: ButtonComponent | undefined;
  /** Number of the current preview; results of older ones are dropped. */
  #round = 0;
  readonly #savepoint: Savepoint;

  constructor(savepoint: Savepoint) {
    super(savepoint.app);
    this.#savepoint = savepoint;
    const { title, files, filesHint, choose, folder, folderHint, look } = text.settings.import;
    this.setTitle(title);
    const fileRow = new Setting(this.contentEl).setName(files).setDesc(filesHint);
    const picker = this.contentEl.createEl('input', {
      attr: {
        type: 'file',
        multiple: '',
        accept: '.jsonl,.json,.md',
        hidden: '',
        'aria-label': files,
      },
    });
    picker.addEventListener('change', () => {
      const picked = Array.from(picker.files ?? []);
      picker.value = ''; // allows choosing the same file again
      if (picked.length > 0) void this.#look(() => Promise.all(picked.map(readPicked)));
    });
    offer(fileRow, choose, () => picker.click());
    this.#folderRow = new Setting(this.contentEl).setName(folder).setDesc(folderHint);
    addFolderField(this.app, this.#folderRow, this.#folder, (folder) => (this.#folder = folder));
    offer(this.#folderRow, look, () => this.#lookIntoFolder());
    this.#preview = this.contentEl.createDiv({
      cls: 'savepoint-import-preview',
      attr: { role: 'status' },
    });
    this.#buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    new ButtonComponent(this.#buttons)
      .setButtonText(text.general.cancel)
      .onClick(() => this.close());
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  async #lookIntoFolder(): Promise<void> {
    const read = readFolder(this.#folder, this.app.vault.configDir);
    this.#folderRow.setErrorMessage('problem' in read ? read.problem : null);
    if (!('path' in read)) return;
    await this.#look(() => readBelow(this.#savepoint.services.files, read.path, isBasicMemoryNote));
  }

  /** Previews an import, unless a newer one is asked for. If several programs fit, asks first. */
  async #look(read: () => Promise<ForeignFile[]>, chosen?: Program): Promise<void> {
    const round = ++this.#round;
    this.#tell(text.settings.import.looking);
    await yieldToHost();
    try {
      const sources = await read();
      const programs = chosen ? [chosen] : detectPrograms(sources);
      const isClear = programs.length < 2;
      const plan = isClear ? await this.#planFor(sources, programs[0] ?? 'savepoint') : undefined;
      if (round !== this.#round) return;
      if (plan) this.#showPlan(plan);
      else this.#ask(sources, programs);
    } catch (error) {
      if (round === this.#round) this.#tell(faultText(error), 'mod-warning');
    }
  }

  #ask(sources: readonly ForeignFile[], programs: readonly Program[]): void {
    const { several, whose, choose, programs: names } = text.settings.importForeign;
    this.#tell(several);
    const options = programs.map((program) => [program, names[program]] as const);
    const row = new Setting(this.#preview).setName(whose);
    addChoice(row, Object.fromEntries([['', choose], ...options]), '', (value) => {
      const program = programs.find((each) => each === value);
      const own = () => Promise.resolve(program ? filesOfProgram(program, sources) : []);
      if (program) void this.#look(own, program);
    });
  }

  #planFor(sources: readonly ForeignFile[], program: Program): Promise<Plan> {
    return program === 'savepoint' ? this.#planLines(sources) : this.#planOthers(program, sources);
  }

  async #planLines(sources: readonly ForeignFile[]): Promise<Plan> {
    const report = await this.#importLines(sources, true, true);
    const isOther = await this.#importLines(sources, true, false).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Refusal) return true; // refused only because merging was not allowed
        throw error;
      },
    );
    return {
      isOther,
      label: report.added > 0 ? text.settings.import.button(report.added) : undefined,
      show: (into) => showReport(into, report),
      carryOut: async () =>
        text.settings.import.done((await this.#importLines(sources, false, isOther)).added),
    };
  }

  #importLines(
    sources: readonly ForeignFile[],
    isDryRun: boolean,
    mayMerge: boolean,
  ): Promise<ImportReport> {
    const { files, dataFolder } = this.#savepoint.services;
    return importLines(files, dataFolder, sources, { ...this.#writing(isDryRun), mayMerge });
  }

  async #planOthers(origin: Origin, sources: readonly ForeignFile[]): Promise<Plan> {
    const { button, done } = text.settings.importForeign;
    const report = await this.#importForeign(origin, sources, true);
    const count = countOf(report);
    return {
      isOther: false,
      label: count > 0 ? button(count) : undefined,
      show: (into) => showOthersReport(into, report),
      carryOut: async () => done(countOf(await this.#importForeign(origin, sources, false))),
    };
  }

  async #importForeign(
    origin: Origin,
    sources: readonly ForeignFile[],
    isDryRun: boolean,
  ): Promise<ForeignImportReport> {
    const { services, clock, settings } = this.#savepoint;
    const { excludedFolders } = settings;
    const removedIds = await services.log.forgetting.removedIds();
    const writing = this.#writing(isDryRun);
    const options = { ...writing, now: clock.now(), excludedFolders, removedIds };
    return importForeign(services.files, services.dataFolder, origin, sources, options);
  }

  #writing(isDryRun: boolean) {
    const { services, clock } = this.#savepoint;
    return {
      isDryRun,
      day: dayOf(clock.now()),
      tag: createWriterId(services.random),
      scheduler: new Scheduler(clock, yieldToHost),
    };
  }

  #showPlan(plan: Plan): void {
    this.#preview.empty();
    plan.show(this.#preview);
    if (plan.label !== undefined) this.#offer(plan, plan.label);
  }

  #offer(plan: Plan, label: string): void {
    const { otherVault, merge } = text.settings.import;
    const button = new ButtonComponent(this.#buttons)
      .setButtonText(label)
      .setCta()
      .setDisabled(plan.isOther);
    this.#buttons.prepend(button.buttonEl);
    button.onClick(() => void this.#carryOut(plan, button));
    this.#confirm = button;
    if (!plan.isOther) return;
    const asked = new Setting(this.#preview).setName(merge).setDesc(otherVault);
    asked.addToggle((toggle) => {
      labelByRow(asked, toggle.toggleEl.querySelector('input') ?? toggle.toggleEl);
      toggle.onChange((isMeant) => void button.setDisabled(!isMeant));
    });
  }

  async #carryOut(plan: Plan, button: ButtonComponent): Promise<void> {
    button.setDisabled(true).setButtonText(text.settings.import.importing);
    try {
      const done = await plan.carryOut();
      await this.#savepoint.refresh();
      notify(done);
      this.close();
    } catch (error) {
      this.#tell(faultText(error), 'mod-warning');
    }
  }

  #tell(message: string, cls?: string): void {
    this.#confirm?.buttonEl.remove();
    this.#preview.empty();
    this.#preview.createEl('p', { text: message, ...(cls !== undefined && { cls }) });
  }
}

/** Shows the preview of importing an export. */
function showReport(into: HTMLElement, report: ImportReport): void {
  const { dryRun, read, news, known, retired, forgotten, lost, bad, nothingNew } =
    text.settings.import;
  into.createEl('p', { text: report.added > 0 ? dryRun : nothingNew });
  showRows(into, undefined, [
    read(report.events),
    news(report.added),
    known(report.known),
    ...(report.retired > 0 ? [retired(report.retired)] : []),
    ...(report.forgotten > 0 ? [forgotten(report.forgotten)] : []),
  ]);
  if (report.lost > 0) into.createEl('p', { cls: 'mod-warning', text: lost(report.lost) });
  showRows(into, bad, badLineRows(report.badLines));
}
