import { useEffect } from 'preact/hooks';
import { text } from '../../i18n/index.js';
import { CHAT_AGENT_PROVIDER } from '../../models/model-ref.js';
import { Icon } from '../../ui/components.js';
import { openModal } from '../../ui/modals.js';
import { useStore } from '../../ui/use-store.js';
import type { ChatAgentService } from '../../chat-agents/chat-agent-service.js';
import { ChatAgentChangesModal } from './chat-agent-changes-modal.js';
import type { ConversationHost } from './host.js';

/** Banners with the number of changed files and a missing memory server; only for agents. */
export function ChatAgentChanges({ host }: { host: ConversationHost }) {
  const { chat, controller } = host;
  const ref = useStore(controller.model) ?? chat.models.preferred();
  const id = useStore(controller.id);
  if (!chat.chatAgents || id === undefined || ref?.provider !== CHAT_AGENT_PROVIDER) return null;
  return (
    <Banner host={host} chatAgents={chat.chatAgents} id={id} title={chat.models.nameOf(ref)} />
  );
}

interface BannerProps {
  readonly host: ConversationHost;
  readonly chatAgents: ChatAgentService;
  readonly id: string;
  readonly title: string;
}

function Banner({ host, chatAgents, id, title }: BannerProps) {
  useStore(chatAgents.revision);
  useEffect(() => void chatAgents.loadChanges(id), [chatAgents, id]);
  const files = new Set(
    chatAgents
      .changes(id)
      .filter(({ isUndone }) => !isUndone)
      .map(({ path }) => path),
  );
  const { changed, review, noMemory } = text.chatAgents;
  const open = () => {
    const modal = new ChatAgentChangesModal(host.savepoint, chatAgents, id);
    modal.setCloseCallback(host.focusComposer);
    openModal(modal);
  };
  return (
    <>
      {chatAgents.running(id)?.hasMemory === false && (
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
