import { Modal, type App } from 'obsidian';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { showAgents, type AgentRowsHost } from './agent-rows.js';

/** Adds an agent from the chat. */
export class AgentModal extends Modal {
  constructor(
    app: App,
    private readonly host: Omit<AgentRowsHost, 'onAdded'>,
    private readonly onClosed: () => void,
  ) {
    super(app);
  }

  override onOpen(): void {
    const { found, searching, inSettings } = text.agents.settings;
    this.setTitle(found);
    const status = this.contentEl.createEl('p', { text: searching });
    status.setAttr('role', 'status');
    const list = this.contentEl.createDiv({ cls: 'savepoint-agent-rows' });
    act(async () => {
      await showAgents(list, { ...this.host, onAdded: () => this.close() });
      status.setText(inSettings);
    });
  }

  override onClose(): void {
    this.contentEl.empty();
    this.onClosed();
  }
}
