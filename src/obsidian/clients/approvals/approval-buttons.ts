import { Menu, setIcon } from 'obsidian';
import type { Question } from './approvals.js';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { addButton } from '../../ui/elements.js';
import type { ShownApprovals } from './approval-host.js';

/** Adds buttons that work only while the host is calm. `answered` runs before the decision. */
export function addApprovalButtons(
  box: HTMLElement,
  host: ShownApprovals,
  question: Question,
  answered: () => void,
): HTMLButtonElement[] {
  const { once, deny, options } = text.connections.approvals;
  const whenCalm = (press: () => void) => () => {
    if (!host.isCalm()) return;
    answered();
    press();
  };
  const answer = (decision: 'once' | 'session' | 'deny') => () =>
    host.approvals.answer(question.id, decision);
  const first = addButton(box, once, whenCalm(answer('once')));
  first.addClass('mod-cta');
  const menu = box.createEl('button', {
    cls: 'clickable-icon',
    attr: { type: 'button', 'aria-label': options, 'aria-haspopup': 'menu' },
  });
  setIcon(menu, 'ellipsis-vertical');
  menu.addEventListener('click', () =>
    showChoices(menu, question, {
      session: whenCalm(answer('session')),
      always: whenCalm(() => act(() => host.allowAlways(question.client))),
    }),
  );
  const refusal = addButton(box, deny, whenCalm(answer('deny')));
  box.insertBefore(refusal, menu);
  return [first, refusal, menu];
}

/** Shows the menu that allows more than one call. Destructive tools cannot be allowed always. */
function showChoices(
  button: HTMLElement,
  { tool }: Question,
  choices: { readonly session: () => void; readonly always: () => void },
): void {
  const { session, always } = text.connections.approvals;
  const menu = new Menu();
  menu.addItem((item) => item.setIcon('clock').setTitle(session).onClick(choices.session));
  if (tool.access !== 'destroy')
    menu.addItem((item) => item.setIcon('check-check').setTitle(always).onClick(choices.always));
  const { left, bottom } = button.getBoundingClientRect();
  menu.showAtPosition({ x: left, y: bottom }, button.doc);
}
