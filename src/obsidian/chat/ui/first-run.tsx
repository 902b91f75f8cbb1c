import { Platform } from 'obsidian';
import type { ComponentChildren } from 'preact';
import { text } from '../../i18n/index.js';
import { Icon } from '../../ui/components.js';
import type { ConversationHost } from './host.js';

/** First steps, shown before a model is set up. */
export function FirstRun({ host }: { host: ConversationHost }) {
  const { title, apps, provider, agent, state } = text.chat.first;
  return (
    <div class="savepoint-first">
      <h3>{title}</h3>
      {!Platform.isMobile && (
        <Card icon="plug" title={apps.title} label={apps.button} onClick={host.actions.connectApp}>
          {apps.text}
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
      {host.openChatAgentSetup && (
        <Card icon="bot" title={agent.title} label={agent.button} onClick={host.openChatAgentSetup}>
          {agent.text}
        </Card>
      )}
      <Card
        icon="bookmark-plus"
        title={state.title}
        label={state.button}
        onClick={() => host.openSaveState({ isShown: true })}
      >
        {state.text}
      </Card>
      {Platform.isMobile && (
        <Card icon="plug" title={apps.title}>
          {apps.phone}
        </Card>
      )}
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
