import { Platform } from 'obsidian';
import type { RefObject } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatConversation } from '../../../chat/conversations.js';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { Announcement } from '../../memory/page-parts.js';
import { CHAT_AGENT_PROVIDER } from '../../models/model-ref.js';
import { ChatAgentModal } from '../../chat-agents/ui/chat-agent-modal.js';
import { ProviderModal } from '../../models/ui/provider-modal.js';
import { Empty } from '../../ui/components.js';
import { openModal } from '../../ui/modals.js';
import { useStore } from '../../ui/use-store.js';
import { ChatAgentChanges } from './chat-agent-changes.js';
import { Composer } from './composer/composer.js';
import { ContextWarning } from './context-warning.js';
import { ContinueList } from './continue-list.js';
import { ConversationHeader, setArchived } from './conversation-header.js';
import { FirstRun } from './first-run.js';
import type { ConversationHost } from './host.js';
import { MessageList } from './messages/message-list.js';
import { ReadOnly } from './read-only.js';
import { openSaveStateForm } from './save-conversation.js';
import { ToolForm } from './composer/tool-form.js';
import { useAnnouncements } from './use-announcements.js';

type HostProps = Pick<ConversationHost, 'chat' | 'controller' | 'hoverParent' | 'go' | 'actions'>;

interface PageProps extends HostProps {
  /** Id of the message to scroll to. */
  readonly wanted: string | undefined;
  /** True to focus the composer, after which `onFocused` is called. */
  readonly takesFocus: boolean;
  readonly onFocused: () => void;
}

/** One conversation: header, messages and composer. */
export function ConversationPage({ wanted, takesFocus, onFocused, ...props }: PageProps) {
  const { chat, controller } = props;
  const [announced, announce] = useState('');
  const textarea = useRef<HTMLTextAreaElement>(null);
  const titleId = useId();
  const thread = useStore(controller.thread);
  const trouble = useStore(controller.trouble);
  const id = useStore(controller.id);
  const conversation = useStore(chat.conversations)?.find((each) => each.id === id);
  const source = conversation?.importedFrom;
  const host = useHost(props, textarea, announce, source !== undefined);
  useAnnouncements(controller, chat.savepoint, announce);
  useEffect(() => {
    if (!takesFocus || !textarea.current) return;
    // the keyboard of a phone would cover what there is to read
    if (!Platform.isPhone) textarea.current.focus();
    onFocused();
  }, [takesFocus]);

  return (
    <section class="savepoint-pages savepoint-chat" aria-labelledby={titleId}>
      <ConversationHeader host={host} titleId={titleId} />
      {trouble !== undefined && (
        <TroubleBanner message={trouble} onRetry={() => void controller.refresh()} />
      )}
      {conversation?.isArchived === true && (
        <ArchivedBanner host={host} conversation={conversation} />
      )}
      {thread ? (
        <MessageList
          host={host}
          thread={thread}
          wanted={wanted}
          labelledBy={titleId}
          empty={<EmptyConversation host={host} />}
        />
      ) : (
        <Empty
          icon="loader"
          title={trouble === undefined ? text.chat.loading : text.chat.cannotRead}
        />
      )}
      {source === undefined ? (
        <>
          <ChatAgentChanges host={host} />
          {thread && <ContextWarning host={host} thread={thread} />}
          <Composer host={host} textarea={textarea} />
        </>
      ) : (
        <ReadOnly host={host} source={source} title={conversation?.title ?? ''} />
      )}
      <Announcement>{announced}</Announcement>
    </section>
  );
}

function useHost(
  { chat, controller, hoverParent, go, actions }: HostProps,
  textarea: RefObject<HTMLTextAreaElement | null>,
  announce: (message: string) => void,
  isReadOnly: boolean,
): ConversationHost {
  return useMemo(() => {
    const { savepoint, models, chatAgents, changeSettings } = chat;
    const focusComposer = () =>
      textarea.current?.win.requestAnimationFrame(() => textarea.current?.focus());
    return {
      chat,
      controller,
      savepoint,
      hoverParent,
      go,
      actions,
      announce,
      focusComposer,
      isReadOnly,
      openToolForm: (tool, params) =>
        openModal(new ToolForm({ savepoint, controller, tool, params, onClosed: focusComposer })),
      openSaveState: (options) =>
        openSaveStateForm(chat, controller, {
          continues: controller.failureKind.get() === 'context',
          ...options,
          actions,
          show: (conversation) => go({ page: 'conversation', conversation }),
        }),
      openProviderSetup: () =>
        openModal(new ProviderModal(savepoint.app, models, changeSettings, focusComposer)),
      openChatAgentSetup:
        chatAgents &&
        (() =>
          openModal(
            new ChatAgentModal(
              savepoint.app,
              {
                service: chatAgents,
                async use(agent) {
                  models.addChatAgent(agent);
                  await changeSettings((settings) => ({
                    ...settings,
                    chatProvider: CHAT_AGENT_PROVIDER,
                  }));
                },
              },
              focusComposer,
            ),
          )),
    };
  }, [chat, controller, isReadOnly]);
}

function TroubleBanner({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div class="savepoint-banner mod-error" role="alert">
      <p>{message}</p>
      <button type="button" onClick={onRetry}>
        {text.general.tryAgain}
      </button>
    </div>
  );
}

interface ArchivedProps {
  readonly host: ConversationHost;
  readonly conversation: ChatConversation;
}

function ArchivedBanner({ host: { chat }, conversation }: ArchivedProps) {
  return (
    <div class="savepoint-banner savepoint-archived">
      <p>{text.chat.isArchived}</p>
      <button type="button" onClick={() => act(() => setArchived(chat, conversation, false))}>
        {text.chat.restore}
      </button>
    </div>
  );
}

function EmptyConversation({ host }: { host: ConversationHost }) {
  const { models } = host.chat;
  useStore(models.settings);
  useStore(models.chatAgents);
  const isReady = models.preferred() !== undefined;
  return (
    <>
      {isReady && (
        <Empty icon="message-square" title={text.chat.start}>
          {text.chat.startHelp}
        </Empty>
      )}
      <ContinueList host={host} />
      {!isReady && <FirstRun host={host} />}
    </>
  );
}
