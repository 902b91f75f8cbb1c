import type { Question } from './approvals.js';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import type { ShownApprovals } from './approval-host.js';

/** Adds the buttons that answer a question. They work only while the host is calm. `answered` runs before the answer is sent. */
export function addApprovalButtons(
  box: HTMLElement,
  host: ShownApprovals,
  question: Question,
  answered: () => void,
): HTMLButtonElement[] {
  const { once, session, sessionHint, always, alwaysHint, refuse } = text.connections.approvals;
  const add = (label: string, hint: string, press: () => void) => {
    const button = box.createEl('button', {
      text: label,
      attr: { type: 'button', ...(hint !== '' && { title: hint }) },
    });
    button.addEventListener('click', () => {
      if (!host.isCalm()) return;
      answered();
      press();
    });
    return button;
  };
  const answer = (decision: 'once' | 'session' | 'deny') => () =>
    host.approvals.answer(question.id, decision);
  const first = add(once, '', answer('once'));
  first.addClass('mod-cta');
  return [
    first,
    add(session, sessionHint, answer('session')),
    ...(question.tool.access === 'destroy'
      ? []
      : [add(always, alwaysHint, () => act(() => host.allowAlways(question.client)))]),
    add(refuse, '', answer('deny')),
  ];
}
