import { ButtonComponent, Modal } from 'obsidian';
import { stampTime } from '../../model/event.js';
import { visibleText } from '../../model/text/visible-text.js';
import { toldDays, type DecidedForget, type LogItem } from '../../storage/index.js';
import { act, notify } from '../actions.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { dayText } from '../ui/dates.js';
import { addItems } from '../ui/elements.js';
import { openModal } from '../ui/modals.js';
import { itemTexts, readForgottenItems, withRest } from './forget-lines.js';

const MAX_SHOWN_ITEMS = 10;

/** Lists what other devices have asked to remove, and lets the user agree or refuse. */
export function openRequests(savepoint: Savepoint): void {
  const texts = text.forget.requests;
  const { forgetting } = savepoint.services.log;
  const modal = new Modal(savepoint.app).setTitle(texts.name);
  const { contentEl, modalEl } = modal;
  modalEl.addClass('savepoint-forget-requests');
  contentEl.createEl('p', { text: texts.reading, attr: { role: 'status' } });

  async function show(): Promise<void> {
    const known = await forgetting.list();
    const open = new Set(savepoint.forgetRequests.get().map(({ key }) => key));
    const shown = known.filter(({ key, isKept }) => open.has(key) || isKept);
    const items = await readForgottenItems(savepoint, shown);
    contentEl.empty();
    if (shown.length === 0) contentEl.createEl('p', { text: texts.none, attr: { role: 'status' } });
    for (const request of shown) addRequest(request, items.get(request.key) ?? []);
  }

  function addRequest(request: DecidedForget, items: readonly LogItem[]): void {
    const { key, event, content, decision, isKept } = request;
    const section = contentEl.createEl('section', { cls: 'savepoint-finding' });
    const title = `${visibleText(content.device)}, ${dayText(stampTime(event), text.locale)}`;
    section.createEl('h3', { text: title, cls: 'savepoint-finding-title', attr: { dir: 'auto' } });
    const names = itemTexts(items);
    addItems(section.createEl('ul'), names, MAX_SHOWN_ITEMS, text.forget.other);
    if (names.length === 0) section.createEl('p', { text: texts.unknown });
    const state = isKept ? texts.kept : texts.due(toldDays(decision?.told));
    section.createEl('p', { text: state, cls: 'savepoint-verify-note' });
    const buttons = section.createDiv({ cls: 'modal-button-container' });
    const add = (label: string, choice: 'agreed' | 'refused') => {
      const button = new ButtonComponent(buttons).setButtonText(label);
      button.buttonEl.setAttr('aria-label', `${label}: ${title}`);
      return button.onClick(() => act(() => decide(key, choice)));
    };
    add(texts.agree, 'agreed').setDestructive();
    if (!isKept) add(texts.refuse, 'refused');
  }

  async function decide(key: string, choice: 'agreed' | 'refused'): Promise<void> {
    for (const button of contentEl.querySelectorAll('button')) button.disabled = true;
    try {
      const report = await forgetting.decide([key], choice);
      const said = choice === 'agreed' ? texts.agreed(report.removed) : texts.refused;
      notify(withRest(said, report));
    } finally {
      await savepoint.refresh();
      await show();
      (contentEl.querySelector('button') ?? modalEl).focus();
    }
  }

  openModal(modal);
  act(show);
}
