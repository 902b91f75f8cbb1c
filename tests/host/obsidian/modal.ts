import type { App } from './app';
import { iconButton } from './icons';
import { Scope } from './keymap';

const focusable = 'a[href], button, input, select, textarea, [tabindex], [contenteditable="true"]';

const reachable = (el: HTMLElement): HTMLElement[] =>
  el
    .findAll(focusable)
    .filter(
      (each) => each.tabIndex >= 0 && !(each as HTMLButtonElement).disabled && each.isShown(),
    );

let ids = 0;

export class Modal {
  app: App;
  scope = new Scope();
  containerEl: HTMLElement;
  modalEl: HTMLElement;
  titleEl: HTMLElement;
  contentEl: HTMLElement;
  shouldRestoreSelection = true;
  #focusBefore: HTMLElement | null = null;
  #closeCallback: (() => unknown) | null = null;
  #isOpen = false;

  constructor(app: App) {
    this.app = app;
    this.containerEl = createDiv('modal-container mod-dim');
    const background = this.containerEl.createDiv('modal-bg');
    background.addEventListener('click', () => this.close());
    this.modalEl = this.containerEl.createDiv({
      cls: 'modal',
      attr: { role: 'dialog', 'aria-modal': 'true', tabindex: -1 },
    });
    iconButton(this.modalEl, 'x', 'Close', () => this.close(), 'modal-close-button');
    this.titleEl = this.modalEl
      .createDiv('modal-header')
      .createDiv({ cls: 'modal-title', attr: { id: `modal-title-${++ids}` } });
    this.contentEl = this.modalEl.createDiv('modal-content');
    this.scope.register([], 'Escape', () => {
      this.close();
      return false;
    });
    this.scope.register(null, 'Tab', (event) => this.#keepFocus(event.shiftKey));
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#focusBefore = activeDocument.activeElement as HTMLElement | null;
    this.app.keymap.pushScope(this.scope);
    activeDocument.body.appendChild(this.containerEl);
    void this.onOpen();
    if (this.titleEl.textContent !== '' && !this.modalEl.hasAttribute('aria-label'))
      this.modalEl.setAttr('aria-labelledby', this.titleEl.id);
    if (!this.modalEl.contains(this.modalEl.doc.activeElement)) this.focusInitially();
  }

  /** Element to focus if `onOpen` focuses nothing. */
  protected focusInitially(): void {
    this.modalEl.focus();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.app.keymap.popScope(this.scope);
    this.containerEl.detach();
    if (this.shouldRestoreSelection && this.#focusBefore?.isConnected) this.#focusBefore.focus();
    this.#focusBefore = null;
    this.onClose();
    this.#closeCallback?.();
  }

  onOpen(): Promise<void> | void {}

  onClose(): void {}

  setTitle(title: string): this {
    this.titleEl.setText(title);
    return this;
  }

  setContent(content: string | DocumentFragment): this {
    this.contentEl.setText(content);
    return this;
  }

  setCloseCallback(callback: () => unknown): this {
    this.#closeCallback = callback;
    return this;
  }

  /** Tab cycles inside the modal. */
  #keepFocus(isBackwards: boolean): false | undefined {
    const all = reachable(this.modalEl);
    const active = this.modalEl.doc.activeElement;
    const isOutside = !this.modalEl.contains(active);
    const [first, last] = [all[0], all.at(-1)];
    if (!isOutside && active !== (isBackwards ? first : last) && active !== this.modalEl)
      return undefined;
    ((isBackwards ? last : first) ?? this.modalEl).focus();
    return false;
  }
}
