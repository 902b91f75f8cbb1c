import { Modal, type App } from 'obsidian';
import { faultText } from '../../host/logger.js';
import type { CheckReport, Connections } from '../connections.js';
import { text } from '../../i18n/index.js';
import { showVerdict } from '../../memory/verify/verify-parts.js';
import { createSteps, showCheck, showStep } from './steps.js';

/** Checks every connection to this vault and shows what is wrong. */
export class CheckModal extends Modal {
  #isClosed = false;
  readonly #connections: Connections;
  /** Starts connecting an app. */
  readonly #connect: () => void;

  constructor(app: App, connections: Connections, connect: () => void) {
    super(app);
    this.#connections = connections;
    this.#connect = connect;
  }

  override onOpen(): void {
    this.setTitle(text.connections.commands.check);
    this.modalEl.addClass('savepoint-connect-modal');
    void this.#run();
  }

  override onClose(): void {
    this.#isClosed = true;
    this.contentEl.empty();
  }

  async #run(): Promise<void> {
    const { running, failed } = text.connections.check;
    this.contentEl.empty();
    this.contentEl.createEl('p', { text: running, attr: { role: 'status' } });
    const report = await this.#connections.check().catch((error: unknown) => faultText(error));
    if (this.#isClosed) return;
    this.contentEl.empty();
    if (typeof report === 'string')
      showVerdict(this.contentEl, { isGood: false, title: failed, sentence: report });
    else showReport(this.contentEl, report);
    this.#showButtons(typeof report !== 'string' && report.entries.length === 0);
  }

  #showButtons(isNoneConnected: boolean): void {
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    const add = (label: string, press: () => void) => {
      const button = buttons.createEl('button', { text: label });
      button.addEventListener('click', press);
      return button;
    };
    add(text.connections.check.again, () => void this.#run());
    if (isNoneConnected)
      add(text.connections.pick.placeholder, () => {
        this.close();
        this.#connect();
      });
    const end = add(text.general.close, () => this.close());
    end.addClass('mod-cta');
    end.focus({ preventScroll: true }); // the user should see the verdict at the top first
  }
}

function showReport(container: HTMLElement, { isOk, entries, checks }: CheckReport): void {
  const {
    well,
    wellText,
    unwell,
    unwellText,
    none,
    noneText,
    entry: heading,
    here,
    names,
  } = text.connections.check;
  const [title, sentence] =
    entries.length === 0
      ? [none, noneText]
      : isOk
        ? [well, wellText(entries.length)]
        : [unwell, unwellText];
  showVerdict(container, { isGood: isOk && entries.length > 0, title, sentence });
  for (const { title: app, file, name, problem, steps } of entries) {
    const box = container.createDiv({ cls: 'savepoint-finding' });
    box.createDiv({ cls: 'savepoint-finding-title', text: name === '' ? app : heading(app, name) });
    box.createDiv({ cls: 'savepoint-verify-note', text: file, attr: { dir: 'auto' } });
    if (problem !== '') box.createDiv({ cls: 'savepoint-step-fix', text: problem });
    const list = createSteps(box);
    for (const step of steps) showStep(list, step);
  }
  const box = container.createDiv({ cls: 'savepoint-finding' });
  box.createDiv({ cls: 'savepoint-finding-title', text: here });
  const list = createSteps(box);
  for (const check of checks) showCheck(list, { ...check, name: names[check.name] ?? check.name });
}
