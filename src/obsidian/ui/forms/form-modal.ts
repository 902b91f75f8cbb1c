import { ConfirmationModal, Keymap, Modal, Platform } from 'obsidian';
import { notify } from '../../actions.js';
import { faultText } from '../../host/logger.js';
import { text } from '../../i18n/index.js';
import type { Savepoint } from '../../savepoint.js';
import { nameElement, type FormField } from './fields.js';
import type { FormProblem } from './values.js';

export interface FormTexts {
  readonly title: string;
  /** The button's text; the title by default. */
  readonly submit?: string;
  /** The button's text while the form is being submitted. */
  readonly sending?: string;
}

/** A form that keeps its input until it is submitted successfully or the user discards it. */
export abstract class FormModal<Field extends string> extends Modal {
  readonly #fields = new Map<Field, FormField>();
  #button: HTMLButtonElement | undefined;
  #problemEl: HTMLElement | undefined;
  #isSending = false;
  #question: ConfirmationModal | undefined;
  #mayClose = false;
  readonly #texts: Required<FormTexts>;

  constructor(
    protected readonly savepoint: Savepoint,
    texts: FormTexts,
  ) {
    super(savepoint.app);
    this.#texts = { submit: texts.title, sending: text.commands.form.sending, ...texts };
  }

  protected abstract build(form: HTMLElement): Map<Field, FormField>;
  /** Submits the form; returns the problems, none on success. */
  protected abstract submit(): Promise<FormProblem<Field>[]>;
  /** Returns the fields that must not be empty. */
  protected required(): ReadonlySet<string> {
    return new Set();
  }
  /** Returns true if closing would lose input, so that the user is asked. */
  protected holdsUnsaved(): boolean {
    return false;
  }

  override onOpen(): void {
    this.setTitle(this.#texts.title);
    this.modalEl.addClass('savepoint-form-modal');
    this.fill();
    this.contentEl.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing || !Keymap.isModifier(event, 'Mod')) return;
      event.preventDefault();
      void this.#send();
    });
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  override close(): void {
    if (this.#mayClose || !this.holdsUnsaved()) super.close();
    else this.#askToDiscard();
  }

  /** Closes without confirmation. */
  discard(): void {
    this.#mayClose = true;
    this.#question?.close();
    this.close();
  }

  /** Builds or rebuilds the form. */
  protected fill(): void {
    this.contentEl.empty();
    this.#fields.clear();
    const form = this.contentEl.createDiv({ cls: 'savepoint-form' });
    const required = this.required();
    for (const [field, built] of this.build(form)) {
      this.#fields.set(field, built);
      if (required.has(field)) built.input.setAttr('aria-required', 'true');
      built.input.addEventListener('input', () => tellProblem(built, undefined));
    }
    const footer = this.contentEl.createDiv({ cls: 'savepoint-form-footer' });
    this.#problemEl = footer.createDiv({ cls: 'savepoint-form-problem', attr: { role: 'alert' } });
    const { submitHint } = text.commands.form;
    const buttons = footer.createDiv({ cls: 'modal-button-container' });
    const title = submitHint(Platform.isMacOS ? '⌘' : 'Ctrl');
    this.#button = buttons.createEl('button', { cls: 'mod-cta', text: this.#texts.submit, title });
    this.#button.addEventListener('click', () => void this.#send());
    buttons
      .createEl('button', { cls: 'mod-cancel', text: text.general.cancel })
      .addEventListener('click', () => this.close());
    const [first] = this.#fields.values();
    first?.input.focus();
    if (first?.input.instanceOf(HTMLInputElement)) first.input.select();
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    this.#button?.setText(this.#texts.sending);
    const problems = await this.submit().catch((error: unknown): FormProblem<Field>[] => [
      { text: faultText(error) },
    ]);
    this.#isSending = false;
    this.#button?.setText(this.#texts.submit);
    if (problems.length === 0) this.discard();
    else if (this.contentEl.isShown()) this.#show(problems);
    else for (const problem of problems) notify(problem.text);
  }

  /** Shows the problems at their fields and focuses the first one, even if it was hidden. */
  #show(problems: readonly FormProblem<Field>[]): void {
    for (const [field, built] of this.#fields)
      tellProblem(built, problems.find((problem) => problem.field === field)?.text);
    const general = problems.filter(({ field }) => field === undefined || !this.#fields.has(field));
    this.#problemEl?.setText(general.map((problem) => problem.text).join(' '));
    const wrong = [...this.#fields].find(([field]) =>
      problems.some((problem) => problem.field === field),
    );
    wrong?.[1].input.closest('[hidden]')?.removeAttribute('hidden');
    wrong?.[1].input.focus();
  }

  #askToDiscard(): void {
    if (this.#question) return;
    const { discardTitle, discard, keepEditing } = text.commands.form;
    const question = new ConfirmationModal(this.app);
    this.#question = question;
    question.setTitle(discardTitle).setCloseCallback(() => (this.#question = undefined));
    const closeForm = () => {
      this.#mayClose = true;
      this.close();
    };
    question.addButton((button) => button.onClick(closeForm).setButtonText(discard));
    question.addButton((button) => button.setInitialFocus().setButtonText(keepEditing).setCta());
    question.open();
  }
}

/** Shows the message below the field and links it for screen readers. */
function tellProblem({ setting, input }: FormField, problem: string | undefined): void {
  setting.setErrorMessage(problem ?? null);
  input.setAttr('aria-invalid', String(problem !== undefined));
  const error = problem === undefined || !setting.errorEl ? [] : [nameElement(setting.errorEl)];
  input.setAttr('aria-describedby', [...error, setting.descEl.id].join(' '));
}
