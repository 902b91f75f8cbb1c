import { useEffect } from 'preact/hooks';
import { text } from '../../i18n/index.js';
import { AGENT_PROVIDER } from '../../models/model-ref.js';
import { Icon } from '../../ui/components.js';
import { openModal } from '../../ui/modals.js';
import { useStore } from '../../ui/use-store.js';
import type { AgentService } from '../../agents/agent-service.js';
import { AgentChangesModal } from './agent-changes-modal.js';
import type { ConversationHost } from './host.js';

/** Banners with the number of changed files and a missing memory server; only for agents. */
export function AgentChanges({ host }: { host: ConversationHost }) {
  const { chat, controller } = host;
  const ref = useStore(controller.model) ?? chat.models.preferred();
  const id = useStore(controller.id);
  if (!chat.agents || id === undefined || ref?.provider !== AGENT_PROVIDER) return null;
  return <Banner host={host} agents={chat.agents} id={id} title={chat.models.nameOf(ref)} />;
}

interface BannerProps {
  readonly host: ConversationHost;
  readonly agents: AgentService;
  readonly id: string;
  readonly title: string;
}

function Banner({ host, agents, id, title }: BannerProps) {
  useStore(agents.revision);
  useEffect(() => void agents.loadChanges(id), [agents, id]);
  const files = new Set(
    agents
      .changes(id)
      .filter(({ isUndone }) => !isUndone)
      .map(({ path }) => path),
  );
  const { changed, review, noMemory } = text.agents;
  const open = () => {
    const modal = new AgentChangesModal(host.savepoint, agents, id);
    modal.setCloseCallback(host.focusComposer);
    openModal(modal);
  };
  return (
    <>
      {agents.running(id)?.hasMemory === false && (
        <div class="savepoint-banner" role="status">
          <p>{noMemory(title)}</p>
        </div>
      )}
      {files.size > 0 && (
        <div class="savepoint-banner savepoint-context-offer">
          <Icon name="file-diff" />
          <div>
            <p>{changed(files.size)}</p>
            <div class="savepoint-call-buttons">
              <button type="button" onClick={open}>
                {review}
              </button>
            </div>
          </div>
        </div>
      )}
    </>
  );
}
