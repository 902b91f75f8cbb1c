import { Modal, type App } from 'obsidian';
import { toolTitle } from '../../calls/labels.js';
import type { Question } from './approvals.js';
import { text } from '../../i18n/index.js';
import { addFacts } from '../../ui/elements.js';
import { openModal } from '../../ui/modals.js';
import type { ShownApprovals } from './approval-host.js';
import { addApprovalButtons } from './approval-buttons.js';
import { clientName, paramsJson, shownParams } from './approval-texts.js';

/** Shows the pending requests one by one, in full. Closing the modal answers nothing. */
export function openApproval(app: App, host: ShownApprovals, first: Question | undefined): void {
  const { questions } = host.approvals;
  const modal = new Modal(app).setTitle(text.connections.approvals.title);
  modal.modalEl.addClass('savepoint-approval-modal');
  let shown: Question | undefined;
  const show = () => {
    const waiting = questions.get();
    const next = waiting.find(({ id }) => id === (shown ?? first)?.id) ?? waiting[0];
    if (!next) return modal.close();
    const count = modal.contentEl.querySelector('.savepoint-approval-more');
    if (shown?.id === next.id && count) return void count.setText(moreText(waiting));
    shown = next;
    modal.contentEl.empty();
    showQuestion(modal.contentEl, host, next);
  };
  let stop = () => {};
  modal.setCloseCallback(() => stop());
  openModal(modal);
  stop = questions.subscribe(show);
  show();
}

function moreText(questions: readonly Question[]): string {
  return questions.length > 1 ? text.connections.approvals.more(questions.length - 1) : '';
}

function showQuestion(contentEl: HTMLElement, host: ShownApprovals, question: Question): void {
  const { does, workspace, what, data, wants } = text.connections.approvals;
  const { client, tool, params, workspaceName } = question;
  contentEl.createEl('p', {
    text: wants(clientName(client)),
    attr: { role: 'status', dir: 'auto' },
  });
  addFacts(contentEl, [
    { label: text.memoryView.callFields.app, value: clientName(client) },
    { label: does, value: toolTitle(tool, params) },
    ...(workspaceName === undefined ? [] : [{ label: workspace, value: workspaceName }]),
  ]);
  contentEl.createEl('h3', { cls: 'savepoint-approval-heading', text: what });
  const frame = contentEl.createDiv({
    cls: 'savepoint-approval-params',
    attr: { tabindex: '0', role: 'region', 'aria-label': what },
  });
  addFacts(frame, shownParams(params));
  const details = contentEl.createEl('details', { cls: 'savepoint-approval-data' });
  details.createEl('summary', { text: data });
  details.createEl('pre', {
    cls: 'savepoint-code',
    text: paramsJson(params),
    attr: { tabindex: '0' },
  });
  contentEl.createDiv({
    cls: 'savepoint-verify-note savepoint-approval-more',
    text: moreText(host.approvals.questions.get()),
    attr: { role: 'status' },
  });
  const buttons = contentEl.createDiv({ cls: 'modal-button-container' });
  const [once] = addApprovalButtons(buttons, host, question, () => undefined);
  once?.focus({ preventScroll: true }); // show the top of the request first
}
