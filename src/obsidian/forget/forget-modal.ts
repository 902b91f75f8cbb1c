import { ConfirmationModal, type ButtonComponent } from 'obsidian';
import { clip, Refusal } from '../../model/refusal.js';
import type { DestroyReport, ForgetPlan, RelatedItem } from '../../storage/index.js';
import { act, notify } from '../actions.js';
import { faultText } from '../host/logger.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { dayText } from '../ui/dates.js';
import { openModal } from '../ui/modals.js';
import {
  forgetTarget,
  itemTexts,
  readPlan,
  typeTexts,
  withRest,
  type ForgetChoice,
  type ForgetTarget,
} from './forget-lines.js';

const MAX_NAME_CHARS = 80;
const MAX_LISTED = 200;

/** Asks the user whether to forget something, and shows everything that is removed with it. */
export function askToForget(savepoint: Savepoint, target: ForgetTarget): void {
  const { looking, forget, delete: remove } = text.forget;
  const isConversation = target.kind === 'conversation';
  const isWorkspace = target.kind === 'workspace';
  const name = clip(target.name, MAX_NAME_CHARS);
  const modal = new ConfirmationModal(savepoint.app);
  const box = modal.contentEl.createDiv({ cls: 'savepoint-forget', attr: { role: 'status' } });
  box.createEl('p', { text: looking });
  const choice: ForgetChoice = { kept: new Set(), added: new Set() };
  let button: ButtonComponent | undefined;
  let isClosed = false;
  modal.setTitle(titleOf(target.kind, name));
  modal.setCloseCallback(() => (isClosed = true));
  modal.addButton((added) => {
    button = added;
    added
      .setButtonText(isConversation ? remove : forget)
      .setDestructive()
      .setDisabled(true)
      .onClick(() => {
        added.setDisabled(true).setButtonText(text.forget.running);
        act(() => forgetTarget(savepoint, target, choice).finally(close).then(done));
        return true; // keeps the modal open until it is done
      });
  });
  modal.addButton((added) =>
    added.setButtonText(text.general.cancel).setCancel().setInitialFocus(),
  );
  const close = () => modal.close();
  const done = (report: DestroyReport) => {
    target.done?.();
    const { forgotten, earlierForgotten } = text.forget;
    notify(withRest(isWorkspace ? earlierForgotten(name) : forgotten(name), report));
  };
  openModal(modal);
  act(async () => {
    const plan = await readPlan(savepoint, target).catch((error: unknown) =>
      error instanceof Refusal
        ? text.forget[isWorkspace ? 'nothingEarlier' : 'gone']
        : faultText(error),
    );
    if (isClosed) return;
    box.empty();
    if (typeof plan === 'string') return void box.createEl('p', { text: plan });
    showPlan(box, plan, choice, target.turn !== undefined);
    button?.setDisabled(false);
  });
}

function titleOf(kind: ForgetTarget['kind'], name: string): string {
  const { title, deleteTitle, earlierTitle } = text.forget;
  if (kind === 'workspace') return earlierTitle(name);
  return kind === 'conversation' ? deleteTitle(name) : title(name);
}

function showPlan(
  box: HTMLElement,
  { items, related }: ForgetPlan,
  choice: ForgetChoice,
  isMessage: boolean,
): void {
  const { intro, related: stay, where, notPromised, final } = text.forget;
  box.createEl('p', { text: intro });
  const list = box.createEl('ul');
  const parts = items.filter(({ isPart }) => isPart);
  const texts = isMessage ? [text.forget.message(parts.length)] : itemTexts(parts);
  for (const part of texts) list.createEl('li', { text: part, attr: { dir: 'auto' } });
  for (const [type, label] of typeTexts(items.filter(({ isPart }) => !isPart)))
    addCheck(list, label, true, (isOn) => {
      if (isOn) choice.kept.delete(type);
      else choice.kept.add(type);
    });
  if (related.length > 0) {
    box.createEl('p', { text: stay });
    const others = box.createEl('ul');
    for (const other of related.slice(0, MAX_LISTED))
      addCheck(others, relatedText(other), false, (isOn) => {
        if (isOn) choice.added.add(other.id);
        else choice.added.delete(other.id);
      });
    if (related.length > MAX_LISTED)
      others.createEl('li', { text: text.forget.other(related.length - MAX_LISTED) });
  }
  box.createEl('p', { text: where });
  box.createEl('p', { text: notPromised });
  box.createEl('p').createEl('strong', { text: final });
}

function relatedText(item: RelatedItem): string {
  const label = `${itemTexts([item]).join('')}, ${dayText(item.at, text.locale)}`;
  return item.excerpt === '' ? label : `${label}: ${item.excerpt}`;
}

function addCheck(
  list: HTMLElement,
  label: string,
  isOn: boolean,
  change: (isOn: boolean) => void,
): void {
  const row = list.createEl('li', { cls: 'savepoint-forget-check' });
  const field = row.createEl('label', { attr: { dir: 'auto' } });
  const input = field.createEl('input', { type: 'checkbox' });
  input.checked = isOn;
  input.addEventListener('change', () => change(input.checked));
  field.appendText(label);
}
