import type { HoverParent } from 'obsidian';
import { useEffect, useMemo } from 'preact/hooks';
import type { Savepoint } from '../../savepoint.js';
import type { Store, WritableStore } from '../../store.js';
import { WhenReady } from '../../ui/components.js';
import { useStore } from '../../ui/use-store.js';
import type { ChatService } from '../chat-service.js';
import { ConversationPage } from './conversation-page.js';
import { ConversationsPage } from './conversations-page.js';
import type { ChatLocation } from './host.js';

interface PaneProps {
  readonly savepoint: Store<Savepoint | undefined>;
  readonly chat: Store<ChatService | undefined>;
  readonly location: WritableStore<ChatLocation>;
  readonly hoverParent: HoverParent;
}

/** The chat panel's content. Shows a loading or error state until the memory has been read. */
export function ChatPane({ savepoint, chat, location, hoverParent }: PaneProps) {
  const opened = useStore(chat);
  return (
    <WhenReady savepoint={savepoint}>
      {() =>
        opened && (
          <Pages key={opened.key} chat={opened} location={location} hoverParent={hoverParent} />
        )
      }
    </WhenReady>
  );
}

interface PagesProps extends Pick<PaneProps, 'location' | 'hoverParent'> {
  readonly chat: ChatService;
}

function Pages({ chat, location, hoverParent }: PagesProps) {
  const { page, conversation, message, newCount } = useStore(location);
  const newController = useMemo(() => chat.openNew(), [chat, newCount]);
  const newId = useStore(newController.id);
  const isNew = conversation === undefined || conversation === newId;
  const controller = isNew ? newController : chat.open(conversation);
  const go = (to: Partial<ChatLocation>) => {
    const now = location.get();
    const isStart = 'conversation' in to && to.conversation === undefined;
    location.set({
      ...now,
      message: undefined,
      ...to,
      newCount: isStart ? now.newCount + 1 : now.newCount,
    });
  };

  // A conversation created here becomes the panel's conversation.
  useEffect(() => {
    if (newId !== undefined && location.get().conversation === undefined)
      location.set({ ...location.get(), conversation: newId });
  }, [newId]);

  if (page === 'list')
    return <ConversationsPage host={{ chat, savepoint: chat.savepoint, hoverParent, go }} />;
  return (
    <ConversationPage
      key={controller.key}
      chat={chat}
      controller={controller}
      hoverParent={hoverParent}
      go={go}
      wanted={message}
    />
  );
}
