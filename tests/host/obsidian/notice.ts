const containerOf = (doc: Document): HTMLElement =>
  doc.body.find('.notice-container') ??
  doc.body.createDiv({ cls: 'notice-container', attr: { role: 'status', 'aria-live': 'polite' } });

export class Notice {
  noticeEl: HTMLElement;
  containerEl: HTMLElement;
  messageEl: HTMLElement;
  #timer: number | undefined;

  /**
   * Shows the notice for `duration` milliseconds (five seconds by default), or until it is clicked
   * at 0.
   */
  constructor(message: string | DocumentFragment, duration = 5000) {
    this.containerEl = containerOf(activeDocument).createDiv('notice');
    this.messageEl = this.containerEl.createDiv('notice-message');
    this.noticeEl = this.messageEl;
    this.setMessage(message);
    this.containerEl.addEventListener('click', () => this.hide());
    if (duration > 0) this.#timer = window.setTimeout(() => this.hide(), duration);
  }

  setMessage(message: string | DocumentFragment): this {
    this.messageEl.setText(message);
    return this;
  }

  hide(): void {
    window.clearTimeout(this.#timer);
    const list = this.containerEl.parentElement;
    this.containerEl.detach();
    if (list?.childElementCount === 0) list.detach();
  }
}
