import { ButtonComponent, Modal } from 'obsidian';
import { stampTime } from '../../model/event.js';
import { visibleText } from '../../model/text/visible-text.js';
import { toldDays, type DecidedForget, type LogItem } from '../../storage/index.js';
import { act, notify } from '../actions.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { dayText } from '../ui/dates.js';
import { itemTexts, readForgottenItems, withRest } from './forget-lines.js';

const MAX_SHOWN_ITEMS = 10;

/** Lists what other devices have asked to remove, and lets the user agree or refuse. */
export class RequestsModal extends Modal {
  readonly #savepoint: Savepoint;

  constructor(savepoint: Savepoint) {
    super(savepoint.app);
    this.#savepoint = savepoint;
  }

  override onOpen(): void {
    const { name, reading } = text.forget.requests;
    this.setTitle(name);
    this.modalEl.addClass('savepoint-forget-requests');
    this.contentEl.createEl('p', { text: reading, attr: { role: 'status' } });
    act(() => this.#show());
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  async #show(): Promise<void> {
    const { services, forgetRequests } = this.#savepoint;
    const known = await services.log.forgetting.list();
    const open = new Set(forgetRequests.get().map(({ key }) => key));
    const shown = known.filter(({ key, isKept }) => open.has(key) || isKept);
    const items = await readForgottenItems(this.#savepoint, shown);
    this.contentEl.empty();
    if (shown.length === 0)
      this.contentEl.createEl('p', { text: text.forget.requests.none, attr: { role: 'status' } });
    for (const request of shown) this.#addRequest(request, items.get(request.key) ?? []);
  }

  #addRequest(request: DecidedForget, items: readonly LogItem[]): void {
    const { unknown, due, kept, agree, refuse } = text.forget.requests;
    const { key, event, content, decision, isKept } = request;
    const section = this.contentEl.createEl('section', { cls: 'savepoint-finding' });
    const title = `${visibleText(content.device)}, ${dayText(stampTime(event), text.locale)}`;
    section.createEl('h3', { text: title, cls: 'savepoint-finding-title', attr: { dir: 'auto' } });
    const texts = itemTexts(items);
    const list = section.createEl('ul');
    for (const each of texts.slice(0, MAX_SHOWN_ITEMS))
      list.createEl('li', { text: each, attr: { dir: 'auto' } });
    if (texts.length > MAX_SHOWN_ITEMS)
      list.createEl('li', { text: text.forget.other(texts.length - MAX_SHOWN_ITEMS) });
    if (texts.length === 0) section.createEl('p', { text: unknown });
    const state = isKept ? kept : due(toldDays(decision?.told));
    section.createEl('p', { text: state, cls: 'savepoint-verify-note' });
    const buttons = section.createDiv({ cls: 'modal-button-container' });
    const add = (label: string, choice: 'agreed' | 'refused') => {
      const button = new ButtonComponent(buttons).setButtonText(label);
      button.buttonEl.setAttr('aria-label', `${label}: ${title}`);
      return button.onClick(() => act(() => this.#decide(key, choice)));
    };
    add(agree, 'agreed').setDestructive();
    if (!isKept) add(refuse, 'refused');
  }

  async #decide(key: string, choice: 'agreed' | 'refused'): Promise<void> {
    const { agreed, refused } = text.forget.requests;
    for (const button of this.contentEl.querySelectorAll('button')) button.disabled = true;
    try {
      const report = await this.#savepoint.services.log.forgetting.decide([key], choice);
      notify(withRest(choice === 'agreed' ? agreed(report.removed) : refused, report));
    } finally {
      await this.#savepoint.refresh();
      await this.#show();
      (this.contentEl.querySelector('button') ?? this.modalEl).focus();
    }
  }
}
