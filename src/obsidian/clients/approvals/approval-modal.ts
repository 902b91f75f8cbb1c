import { Modal, type App } from 'obsidian';
import { toolTitle } from '../../calls/labels.js';
import type { Question } from './approvals.js';
import { text } from '../../i18n/index.js';
import type { ShownApprovals } from './approval-host.js';
import { addApprovalButtons } from './approval-buttons.js';
import { clientName, paramsJson, shownParams } from './approval-texts.js';

/** Shows the pending requests one by one, in full. Closing the modal answers nothing. */
export class ApprovalModal extends Modal {
  #shown: Question | undefined;
  #stopFollowing: () => void = () => undefined;
  readonly #host: ShownApprovals;
  /** Request to show first. */
  readonly #first: Question | undefined;

  constructor(app: App, host: ShownApprovals, first: Question | undefined) {
    super(app);
    this.#host = host;
    this.#first = first;
  }

  override onOpen(): void {
    this.setTitle(text.connections.approvals.title);
    this.modalEl.addClass('savepoint-approval-modal');
    this.#stopFollowing = this.#host.approvals.questions.subscribe(() => this.#show());
    this.#show();
  }

  override onClose(): void {
    this.#stopFollowing();
    this.contentEl.empty();
  }

  #show(): void {
    const questions = this.#host.approvals.questions.get();
    const next =
      questions.find(({ id }) => id === (this.#shown ?? this.#first)?.id) ?? questions[0];
    if (!next) return this.close();
    const count = this.contentEl.querySelector('.savepoint-approval-more');
    if (this.#shown?.id === next.id && count) return void count.setText(this.#moreText(questions));
    this.#shown = next;
    this.contentEl.empty();
    this.#showQuestion(next, questions);
  }

  #moreText(questions: readonly Question[]): string {
    return questions.length > 1 ? text.connections.approvals.more(questions.length - 1) : '';
  }

  #showQuestion(question: Question, questions: readonly Question[]): void {
    const { does, workspace, what, data, wants } = text.connections.approvals;
    const { contentEl } = this;
    const { client, tool, params, workspaceName } = question;
    contentEl.createEl('p', {
      text: wants(clientName(client)),
      attr: { role: 'status', dir: 'auto' },
    });
    showFacts(contentEl, [
      { label: text.memoryView.callFields.app, value: clientName(client) },
      { label: does, value: toolTitle(tool) },
      ...(workspaceName === undefined ? [] : [{ label: workspace, value: workspaceName }]),
    ]);
    contentEl.createEl('h3', { cls: 'savepoint-approval-heading', text: what });
    const frame = contentEl.createDiv({
      cls: 'savepoint-approval-params',
      attr: { tabindex: '0', role: 'region', 'aria-label': what },
    });
    showFacts(frame, shownParams(params));
    const details = contentEl.createEl('details', { cls: 'savepoint-approval-data' });
    details.createEl('summary', { text: data });
    details.createEl('pre', {
      cls: 'savepoint-code',
      text: paramsJson(params),
      attr: { tabindex: '0' },
    });
    contentEl.createDiv({
      cls: 'savepoint-verify-note savepoint-approval-more',
      text: this.#moreText(questions),
      attr: { role: 'status' },
    });
    const buttons = contentEl.createDiv({ cls: 'modal-button-container' });
    const [once] = addApprovalButtons(buttons, this.#host, question, () => undefined);
    once?.focus({ preventScroll: true }); // show the top of the request first
  }
}

function showFacts(
  container: HTMLElement,
  facts: readonly { readonly label: string; readonly value: string }[],
): void {
  const list = container.createEl('dl', { cls: 'savepoint-facts' });
  for (const { label, value } of facts) {
    const row = list.createDiv();
    row.createEl('dt', { text: label, attr: { dir: 'auto' } });
    row.createEl('dd', { text: value, attr: { dir: 'auto' } });
  }
}
