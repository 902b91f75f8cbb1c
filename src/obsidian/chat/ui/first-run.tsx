import { FileSystemAdapter, Modal, Platform, type App } from 'obsidian';
import type { ComponentChildren } from 'preact';
import { act, copyText, notify } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { Icon } from '../../ui/components.js';
import type { ConversationHost } from './host.js';
import { openModal } from '../../ui/modals.js';

/** First steps, shown before a model is set up. */
export function FirstRun({ host, typeSlash }: { host: ConversationHost; typeSlash: () => void }) {
  const { title, claude, provider, tools } = text.chat.first;
  const { app } = host.savepoint;
  return (
    <div class="savepoint-first">
      <h3>{title}</h3>
      {Platform.isMobile ? (
        <Card icon="plug" title={claude.title}>
          {claude.phone}
        </Card>
      ) : (
        <Card
          icon="plug"
          title={claude.title}
          label={claude.button}
          onClick={() => openModal(new ConnectClaudeModal(app))}
        >
          {claude.text}
        </Card>
      )}
      <Card
        icon="key-round"
        title={provider.title}
        label={provider.button}
        onClick={host.openProviderSetup}
      >
        {provider.text}
      </Card>
      <Card icon="terminal" title={tools.title} label={tools.button} onClick={typeSlash}>
        {tools.text}
      </Card>
    </div>
  );
}

interface CardProps {
  readonly icon: string;
  readonly title: string;
  readonly label?: string;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

function Card({ icon, title, label, onClick, children }: CardProps) {
  return (
    <section class="savepoint-card">
      <Icon name={icon} />
      <div>
        <h4>{title}</h4>
        <p>{children}</p>
        {label !== undefined && (
          <button type="button" onClick={onClick}>
            {label}
          </button>
        )}
      </div>
    </section>
  );
}

/** Explains how to connect an AI app on this computer. */
class ConnectClaudeModal extends Modal {
  override onOpen(): void {
    const { modal, steps, copy } = text.chat.first.claude;
    const config = configText(this.app);
    this.setTitle(modal);
    const list = this.contentEl.createEl('ol');
    for (const step of steps) list.createEl('li', { text: step });
    this.contentEl.createEl('pre', {
      cls: 'savepoint-code savepoint-config',
      text: config,
      attr: { tabindex: '0' },
    });
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    buttons.createEl('button', { cls: 'mod-cta', text: copy }).addEventListener('click', () =>
      act(async () => {
        await copyText(config);
        notify(text.chat.copied);
      }),
    );
  }
}

function configText({ vault }: App): string {
  const base =
    vault.adapter instanceof FileSystemAdapter ? vault.adapter.getBasePath() : vault.getName();
  const program = `${base}/${vault.configDir}/plugins/savepoint/main.js`;
  return JSON.stringify(
    { mcpServers: { savepoint: { command: 'node', args: [program, 'mcp', '--vault', base] } } },
    undefined,
    2,
  );
}
