import { Modal, type App } from 'obsidian';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { showChatAgents, type ChatAgentRowsHost } from './chat-agent-rows.js';

/** Adds an agent from the chat. */
export class ChatAgentModal extends Modal {
  readonly #host: Omit<ChatAgentRowsHost, 'onAdded'>;
  readonly #onClosed: () => void;

  constructor(app: App, host: Omit<ChatAgentRowsHost, 'onAdded'>, onClosed: () => void) {
    super(app);
    this.#host = host;
    this.#onClosed = onClosed;
  }

  override onOpen(): void {
    const { found, searching, inSettings } = text.chatAgents.settings;
    this.setTitle(found);
    const status = this.contentEl.createEl('p', { text: searching });
    status.setAttr('role', 'status');
    const list = this.contentEl.createDiv({ cls: 'savepoint-chat-agent-rows' });
    act(async () => {
      await showChatAgents(list, { ...this.#host, onAdded: () => this.close() });
      status.setText(inSettings);
    });
  }

  override onClose(): void {
    this.contentEl.empty();
    this.#onClosed();
  }
}
