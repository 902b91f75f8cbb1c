import type { App } from './app';
import { Modal } from './modal';
import { ButtonComponent } from './components';

type Handler = (event: MouseEvent) => unknown;

export class ConfirmationButton extends ButtonComponent {
  #onInitialFocus: (button: ConfirmationButton) => void;
  #close: () => void;

  constructor(
    containerEl: HTMLElement,
    close: () => void,
    onInitialFocus: (button: ConfirmationButton) => void,
  ) {
    super(containerEl);
    this.#close = close;
    this.#onInitialFocus = onInitialFocus;
    this.onClick(() => undefined);
  }

  /** The modal closes after the handler unless it returns, or resolves to, a truthy value. */
  override onClick(handler: Handler): this {
    return super.onClick(async (event) => {
      if (!(await handler(event))) this.#close();
    });
  }

  setInitialFocus(): this {
    this.#onInitialFocus(this);
    return this;
  }

  setSecondary(): this {
    return this.setClass('mod-secondary');
  }

  setCancel(): this {
    return this.setClass('mod-cancel');
  }
}

export class ConfirmationModal extends Modal {
  buttonContainerEl: HTMLElement;
  #initial: ConfirmationButton | null = null;

  constructor(app: App) {
    super(app);
    this.containerEl.addClass('mod-confirmation');
    this.buttonContainerEl = this.modalEl.createDiv('modal-button-container');
  }

  addClass(cls: string): this {
    this.modalEl.addClass(cls);
    return this;
  }

  addCheckbox(label: string, callback: (value: boolean) => unknown): this {
    const el = this.buttonContainerEl.createEl('label', { cls: 'mod-checkbox' });
    const input = el.createEl('input', { type: 'checkbox' });
    el.appendText(label);
    input.addEventListener('change', () => void callback(input.checked));
    return this;
  }

  addButton(callback: (button: ConfirmationButton) => unknown): this {
    const button = new ConfirmationButton(
      this.buttonContainerEl,
      () => this.close(),
      (initial) => {
        this.#initial = initial;
      },
    );
    callback(button);
    return this;
  }

  addCancelButton(text = 'Cancel'): this {
    return this.addButton((button) => button.setButtonText(text).setCancel());
  }

  protected override focusInitially(): void {
    (this.#initial?.buttonEl ?? this.modalEl).focus();
  }
}
