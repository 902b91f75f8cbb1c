import { Modal, Setting, type App } from 'obsidian';
import { faultText } from '../../host/logger.js';
import { parseSurface, DEFAULT_SURFACE } from '../../../toolkit/surfaces.js';
import type { AppChoice, Connections, ConnectionWishes, PlannedChange } from '../connections.js';
import { text } from '../../i18n/index.js';
import { addButton, addFacts } from '../../ui/elements.js';
import { addChoice, labelByRow } from '../../ui/forms/fields.js';
import { showVerdict } from '../../memory/verify/verify-parts.js';
import { createSteps, showStep } from './steps.js';

/** Previews the change to an app's settings, applies it, and checks the connection by steps. */
export class ConnectModal extends Modal {
  #wishes: ConnectionWishes;
  #isClosed = false;
  /** Number of plans requested; only the last one is shown. */
  #asked = 0;
  readonly #connections: Connections;
  readonly #choice: AppChoice;

  constructor(app: App, connections: Connections, choice: AppChoice) {
    super(app);
    this.#connections = connections;
    this.#choice = choice;
    const { surface = DEFAULT_SURFACE, toolsets = '', isReadOnly = false } = choice.existing ?? {};
    this.#wishes = { surface, toolsets, isReadOnly };
  }

  override onOpen(): void {
    this.setTitle(text.connections.connect.title(this.#choice.title));
    this.modalEl.addClass('savepoint-connect-modal');
    this.#showWishes();
  }

  override onClose(): void {
    this.#isClosed = true;
    this.contentEl.empty();
  }

  #showWishes(): void {
    const { vault, file } = text.connections.connect;
    this.contentEl.empty();
    addFacts(this.contentEl, [
      { label: vault, value: this.app.vault.getName() },
      { label: file, value: this.#choice.file },
    ]);
    const rows = this.contentEl.createDiv();
    const plan = this.contentEl.createDiv({ attr: { 'aria-live': 'polite' } });
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    const choose = (wish: Partial<ConnectionWishes>) => {
      this.#wishes = { ...this.#wishes, ...wish };
      void this.#showPlan(plan, buttons);
    };
    this.#showReadOnly(rows, choose);
    const advanced = rows.createEl('details', { cls: 'savepoint-advanced' });
    advanced.createEl('summary', { text: text.pages.advanced.name });
    this.#showSurface(advanced, choose);
    this.#showToolsets(advanced, choose);
    plan.createDiv({ cls: 'savepoint-verify-note', text: text.connections.connect.reading });
    choose({});
  }

  #showReadOnly(rows: HTMLElement, choose: (wish: Partial<ConnectionWishes>) => void): void {
    const { readOnly, readOnlyDesc, readOnlyHeld } = text.connections.connect;
    const isHeld = this.#choice.existing?.isReadOnly === true;
    const row = new Setting(rows).setName(readOnly).setDesc(isHeld ? readOnlyHeld : readOnlyDesc);
    row.addToggle((toggle) => {
      labelByRow(row, toggle.toggleEl.querySelector('input') ?? toggle.toggleEl);
      toggle.setValue(this.#wishes.isReadOnly).setDisabled(isHeld);
      toggle.onChange((isReadOnly) => choose({ isReadOnly }));
    });
  }

  #showSurface(rows: HTMLElement, choose: (wish: Partial<ConnectionWishes>) => void): void {
    const { surface, surfaceDesc, surfaces } = text.connections.connect;
    addChoice(
      new Setting(rows).setName(surface).setDesc(surfaceDesc),
      surfaces,
      this.#wishes.surface ?? DEFAULT_SURFACE,
      (surface) => choose({ surface: parseSurface(surface) }),
    );
  }

  /** Adds the choice of toolsets, with the list that the app's file names, if any, as an option. */
  #showToolsets(rows: HTMLElement, choose: (wish: Partial<ConnectionWishes>) => void): void {
    const { toolsetsDesc, toolsetChoices } = text.connections.connect;
    const held = this.#choice.existing?.toolsets ?? '';
    const choices = {
      ...toolsetChoices,
      ...(!Object.hasOwn(toolsetChoices, held) && { [held]: held }),
    };
    addChoice(
      new Setting(rows).setName(text.settings.toolsets.heading).setDesc(toolsetsDesc),
      choices,
      this.#wishes.toolsets,
      (toolsets) => choose({ toolsets }),
    );
  }

  async #showPlan(box: HTMLElement, buttons: HTMLElement): Promise<void> {
    const { nothing, disconnect } = text.connections.connect;
    const { check, connect, update } = text.connections.settings;
    const turn = ++this.#asked;
    const plan = await this.#connections
      .plan(this.#choice, this.#wishes)
      .catch((error: unknown) => faultText(error));
    if (this.#isClosed || turn !== this.#asked) return;
    const isFirst = buttons.childElementCount === 0;
    box.empty();
    buttons.empty();
    if (typeof plan === 'string')
      box.createEl('p', { cls: 'savepoint-problem', text: plan, attr: { role: 'alert' } });
    else {
      if (plan.change === 'none')
        box.createEl('p', { cls: 'savepoint-verify-note', text: nothing(plan.name) });
      else showChange(box, plan);
      const label = {
        none: check.name,
        update: update.button,
        add: connect.name,
        remove: connect.name,
      }[plan.change];
      const go = addButton(buttons, label, () => void this.#carryOut(plan, true));
      go.addClass('mod-cta');
      if (isFirst) go.focus({ preventScroll: true });
    }
    if (this.#choice.existing) addButton(buttons, disconnect, () => void this.#disconnect());
    addButton(buttons, text.general.cancel, () => this.close());
  }

  async #disconnect(): Promise<void> {
    await this.#attempt(async () =>
      this.#carryOut(await this.#connections.planRemoval(this.#choice), false),
    );
  }

  async #carryOut(plan: PlannedChange, isProven: boolean): Promise<void> {
    const { writing, backup, disconnected, disconnectedText } = text.connections.connect;
    this.#showOnly(writing);
    await this.#attempt(async () => {
      const copy = await plan.apply();
      if (this.#isClosed) return;
      this.contentEl.empty();
      if (copy !== undefined)
        this.contentEl.createDiv({ cls: 'savepoint-verify-note', text: backup(copy) });
      if (isProven) return this.#prove(plan);
      showVerdict(this.contentEl, {
        isGood: true,
        title: disconnected(plan.title),
        sentence: disconnectedText,
      });
      this.#showEnd(plan, []);
    });
  }

  /** Checks the connection step by step. After a failure, the change stays until it is undone. */
  async #prove(plan: PlannedChange): Promise<void> {
    const { proving, done, failed, failedText } = text.connections.connect;
    const list = createSteps(this.contentEl);
    const busy = this.contentEl.createDiv({
      cls: 'savepoint-verify-note',
      text: proving,
      attr: { role: 'status' },
    });
    const end = await plan
      .verify((step) => {
        if (!this.#isClosed) showStep(list, step);
      })
      .catch((error: unknown) => faultText(error));
    if (this.#isClosed) return;
    busy.remove();
    const verdict =
      end === true
        ? { isGood: true, title: done(plan.title), sentence: plan.reload }
        : { isGood: false, title: failed(plan.title), sentence: end === false ? failedText : end };
    showVerdict(this.contentEl, verdict);
    this.#showEnd(
      plan,
      end === true ? [] : [[text.general.tryAgain, () => void this.#proveAgain(plan)]],
    );
  }

  async #proveAgain(plan: PlannedChange): Promise<void> {
    this.contentEl.empty();
    await this.#prove(plan);
  }

  #showEnd(plan: PlannedChange, more: readonly (readonly [string, () => void])[]): void {
    const { undo, close } = text.general;
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    for (const [label, press] of more) addButton(buttons, label, press);
    if (plan.change !== 'none') addButton(buttons, undo, () => void this.#undo(plan));
    const end = addButton(buttons, close, () => this.close());
    end.addClass('mod-cta');
    end.focus({ preventScroll: true });
  }

  async #undo(plan: PlannedChange): Promise<void> {
    const { writing, undone } = text.connections.connect;
    this.#showOnly(writing);
    await this.#attempt(async () => {
      await plan.undo();
      if (this.#isClosed) return;
      this.#showOnly(undone(plan.title));
      const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
      addButton(buttons, text.general.close, () => this.close()).focus();
    });
  }

  #showOnly(message: string): void {
    this.contentEl.empty();
    this.contentEl.createEl('p', { text: message, attr: { role: 'status' } });
  }

  /** Runs a task. On failure, shows the reason and a button that starts over. */
  async #attempt(task: () => Promise<void>): Promise<void> {
    const { notWritten } = text.connections.connect;
    try {
      await task();
    } catch (error) {
      const sentence = faultText(error);
      if (this.#isClosed) return;
      this.contentEl.empty();
      showVerdict(this.contentEl, { isGood: false, title: notWritten, sentence });
      const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
      addButton(buttons, text.general.tryAgain, () => this.#showWishes()).focus();
      addButton(buttons, text.general.cancel, () => this.close());
    }
  }
}

function showChange(box: HTMLElement, { lines }: PlannedChange): void {
  const { change } = text.connections.connect;
  box.createDiv({ cls: 'savepoint-finding-title', text: change });
  const frame = box.createDiv({
    cls: 'savepoint-change',
    attr: { role: 'region', tabindex: '0', 'aria-label': change, dir: 'ltr' },
  });
  for (const line of lines) {
    const cls = line.startsWith('+')
      ? 'mod-added'
      : line.startsWith('-')
        ? 'mod-removed'
        : undefined;
    frame.createDiv({ text: line, ...(cls !== undefined && { cls }) });
  }
}
