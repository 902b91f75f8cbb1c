import { Modal } from 'obsidian';
import type { ChatAgentChange } from '../../../acp/changes/change-tracker.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { act, notify } from '../../actions.js';
import type { ChatAgentService } from '../../chat-agents/chat-agent-service.js';
import { report } from '../../host/logger.js';
import { text } from '../../i18n/index.js';
import type { Savepoint } from '../../savepoint.js';

/** Shows the changes of an agent by message, and undoes one of them, those of a message, or all. */
export class ChatAgentChangesModal extends Modal {
  readonly #chatAgents: ChatAgentService;
  readonly #conversationId: string;

  constructor(savepoint: Savepoint, chatAgents: ChatAgentService, conversationId: string) {
    super(savepoint.app);
    this.#chatAgents = chatAgents;
    this.#conversationId = conversationId;
  }

  override onOpen(): void {
    this.setTitle(text.chatAgents.changes.title);
    this.modalEl.addClass('savepoint-agent-changes');
    this.#show().catch(report);
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  async #show(): Promise<void> {
    const { empty, turn, undoAll, undoTurn } = text.chatAgents.changes;
    const changes = this.#chatAgents.changes(this.#conversationId);
    const diffs = await Promise.all(changes.map((change) => this.#chatAgents.diff(change)));
    this.contentEl.empty();
    if (changes.length === 0) this.contentEl.createEl('p', { text: empty });
    else this.#addUndo(this.contentEl, undoAll, changes);
    const turns = [...new Set(changes.map(({ turnId }) => turnId))];
    for (const [at, turnId] of turns.entries()) {
      const own = changes.filter((change) => change.turnId === turnId);
      const section = this.contentEl.createEl('section');
      section.createEl('h3', { text: turn(at + 1) });
      if (own.length > 1) this.#addUndo(section, undoTurn, own);
      for (const change of own) this.#addChange(section, change, diffs[changes.indexOf(change)]);
    }
  }

  #addChange(
    section: HTMLElement,
    change: ChatAgentChange,
    diff: Awaited<ReturnType<ChatAgentService['diff']>>,
  ): void {
    const { undone, gone } = text.chatAgents.changes;
    const { undo } = text.general;
    const box = section.createDiv({ cls: 'savepoint-diff' });
    const heading = box.createEl('h4');
    heading.createEl('bdi', { text: visibleText(change.path) });
    heading.appendText(` · ${kindOf(change)}${change.isUndone ? ` · ${undone}` : ''}`);
    if (!diff) box.createEl('p', { text: gone });
    else if (diff.lines.length > 0)
      box.createEl('pre', {
        cls: 'savepoint-code',
        text: diff.lines.map((line) => visibleText(line)).join('\n'),
        attr: { tabindex: '0' },
      });
    if (diff?.isCut === true)
      box.createEl('p', {
        text: diff.lines.length > 0 ? text.chatAgents.diffCut : text.chatAgents.diffTooLarge,
      });
    if (diff) this.#addUndo(box, undo, [change], `${undo}: ${visibleText(change.path)}`);
  }

  #addUndo(
    parent: HTMLElement,
    label: string,
    changes: readonly ChatAgentChange[],
    spoken = label,
  ): void {
    if (changes.every(({ isUndone }) => isUndone)) return;
    const button = parent.createEl('button', { text: label, attr: { 'aria-label': spoken } });
    button.addEventListener('click', () => act(() => this.#undo(changes)));
  }

  async #undo(changes: readonly ChatAgentChange[]): Promise<void> {
    const { result, conflicts, kept, lost } = text.chatAgents.changes;
    const done = await this.#chatAgents.undo(this.#conversationId, changes);
    const sentences = [
      result(done.undone.length),
      ...(done.conflicts.length > 0 ? [conflicts(pathsOf(done.conflicts))] : []),
      ...(done.kept.length > 0 ? [kept(pathsOf(done.kept))] : []),
      ...(done.lost.length > 0 ? [lost(pathsOf(done.lost))] : []),
    ];
    notify(sentences.join(' '));
    await this.#show();
    this.contentEl.querySelector('button')?.focus();
  }
}

function kindOf({ before, after }: ChatAgentChange): string {
  const { created, deleted, edited } = text.chatAgents.changes;
  if (before === undefined) return created;
  return after === undefined ? deleted : edited;
}

function pathsOf(changes: readonly ChatAgentChange[]): string {
  return [...new Set(changes.map(({ path }) => visibleText(path)))].join(', ');
}
