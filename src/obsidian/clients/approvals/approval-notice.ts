import { Notice } from 'obsidian';
import { actionText, subjectOf } from '../../calls/call-sentence.js';
import { toolTitle } from '../../calls/labels.js';
import type { Question } from './approvals.js';
import { text } from '../../i18n/index.js';
import type { ShownApprovals } from './approval-host.js';
import { addButton } from '../../ui/elements.js';
import { addApprovalButtons } from './approval-buttons.js';
import { clientName } from './approval-texts.js';

/** Shows a request in a notice until answered, without taking the focus. Returns its `hide`. */
export function showQuestion(
  host: ShownApprovals,
  question: Question,
  details: () => void,
): () => void {
  const { wants, inWorkspace, details: detailsLabel } = text.connections.approvals;
  const notice = new Notice('', 0);
  const { messageEl } = notice;
  messageEl.addClass('savepoint-approval');
  messageEl.setAttrs({ role: 'group', 'aria-label': wants(clientName(question.client)) });
  // A click would hide the notice; this one waits for an answer.
  messageEl.addEventListener('click', (event) => event.stopPropagation());
  const words = messageEl.createDiv({ attr: { role: 'alert' } });
  words.createDiv({
    cls: 'savepoint-approval-title',
    text: wants(clientName(question.client)),
    attr: { dir: 'auto' },
  });
  words.createDiv({
    text: actionText(toolTitle(question.tool, question.params), subjectOf(question.params)),
    attr: { dir: 'auto' },
  });
  if (question.workspaceName !== undefined)
    messageEl.createDiv({
      cls: 'savepoint-approval-note',
      text: inWorkspace(question.workspaceName),
      attr: { dir: 'auto' },
    });

  const buttons = messageEl.createDiv({ cls: 'savepoint-approval-buttons' });
  let before: Element | null = null;
  buttons.addEventListener('focusin', ({ relatedTarget }) => {
    if (!(relatedTarget as Element | null)?.closest('.savepoint-approval'))
      before = relatedTarget as Element | null;
  });
  const giveFocusBack = () => {
    // The focused button disappears.
    if (buttons.contains(buttons.doc.activeElement) && before?.instanceOf(HTMLElement))
      before.focus();
  };
  addApprovalButtons(buttons, host, question, giveFocusBack);
  addButton(buttons, detailsLabel, details);
  return () => {
    giveFocusBack();
    notice.hide();
  };
}
