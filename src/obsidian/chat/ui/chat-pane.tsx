import type { HoverParent } from 'obsidian';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { pathTo } from '../../../chat/thread.js';
import { wordsOfMessage } from '../../../model/message.js';
import { allTools } from '../../../toolkit/toolset.js';
import { act } from '../../actions.js';
import { chatOf, type Chat } from '../chat-service.js';
import type { Talk } from '../talk.js';
import type { Savepoint } from '../../savepoint.js';
import type { Store, WritableStore } from '../../store.js';
import { text } from '../../i18n/index.js';
import { Empty, WhenReady } from '../../ui/components.js';
import { Announcement } from '../../memory/page-parts.js';
import { ProviderModal } from '../../models/ui/provider-modal.js';
import { useStore } from '../../ui/use-store.js';
import { Composer } from './composer.js';
import { ContextOffer } from './context-offer.js';
import { ConversationsPage } from './conversations-page.js';
import { FirstRun } from './first-run.js';
import { useSelected } from './hooks.js';
import type { ChatPlace, TalkHost } from './host.js';
import { MessageList } from './message-list.js';
import { ReadOnly } from './read-only.js';
import { saveStateOf } from './save-conversation.js';
import { setArchived, TalkHeader } from './conversation-header.js';
import { ToolForm } from './tool-form.js';
import { openModal } from '../../ui/modals.js';

interface PaneProps {
  readonly savepoint: Store<Savepoint | undefined>;
  readonly place: WritableStore<ChatPlace>;
  readonly hoverParent: HoverParent;
}

/** The chat panel's content, whatever the memory's condition. */
export function ChatPane({ savepoint, ...props }: PaneProps) {
  return (
    <WhenReady savepoint={savepoint}>
      {(opened) => <Pages key={keyOf(opened)} chat={chatOf(opened)} {...props} />}
    </WhenReady>
  );
}

const keys = new WeakMap<Savepoint, string>();
let opened = 0;

/** Another data folder is another chat: nothing of the one before is shown on. */
function keyOf(savepoint: Savepoint): string {
  const key = keys.get(savepoint) ?? String(++opened);
  keys.set(savepoint, key);
  return key;
}

function Pages({
  chat,
  place,
  hoverParent,
}: Omit<PaneProps, 'savepoint'> & { readonly chat: Chat }) {
  const { page, conversation, message, fresh } = useStore(place);
  const newTalk = useMemo(() => chat.newTalk(), [chat, fresh]);
  const newId = useStore(newTalk.id);
  const talk =
    conversation === undefined || conversation === newId ? newTalk : chat.talk(conversation);
  const go = (to: Partial<ChatPlace>) => {
    const now = place.get();
    const isNew = 'conversation' in to && to.conversation === undefined;
    place.set({ ...now, message: undefined, ...to, fresh: isNew ? now.fresh + 1 : now.fresh });
  };

  // What was begun here is this panel's conversation from now on.
  useEffect(() => {
    if (newId !== undefined && place.get().conversation === undefined)
      place.set({ ...place.get(), conversation: newId });
  }, [newId]);

  const host = { chat, savepoint: chat.savepoint, hoverParent, go };
  if (page === 'list') return <ConversationsPage host={host} />;
  return (
    <TalkPage
      key={talk.key}
      chat={chat}
      talk={talk}
      hoverParent={hoverParent}
      go={go}
      wanted={message}
    />
  );
}

interface TalkPageProps extends Pick<TalkHost, 'chat' | 'talk' | 'hoverParent' | 'go'> {
  readonly wanted: string | undefined;
}

function TalkPage({ chat, talk, hoverParent, go, wanted }: TalkPageProps) {
  const { savepoint } = chat;
  const [announced, announce] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const titleId = useId();
  const thread = useStore(talk.thread);
  const trouble = useStore(talk.trouble);
  useStore(chat.models.settings);
  const id = useStore(talk.id);
  const conversation = useStore(chat.conversations)?.find((each) => each.id === id);
  const source = conversation?.importedFrom;
  useAnnouncements(talk, savepoint, announce);

  const focusComposer = () => area.current?.win.requestAnimationFrame(() => area.current?.focus());
  const host: TalkHost = useMemo(
    () => ({
      chat,
      talk,
      savepoint,
      hoverParent,
      go,
      announce,
      focusComposer,
      isReadOnly: source !== undefined,
      openTool: (tool, params) =>
        openModal(new ToolForm({ savepoint, talk, tool, params, whenClosed: focusComposer })),
      saveState: (goesOn = talk.failureKind.get() === 'context') =>
        saveStateOf(chat, talk, { goesOn, go: (next) => go({ page: 'talk', conversation: next }) }),
      setUpModel: () =>
        openModal(
          new ProviderModal(savepoint.app, chat.models, chat.changeSettings, focusComposer),
        ),
    }),
    [chat, talk, source],
  );

  const typeSlash = () => {
    const box = area.current;
    if (!box) return;
    box.focus();
    box.value = '/';
    box.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const hasModel = chat.models.ready().length > 0;
  const empty = hasModel ? (
    <Empty icon="message-square" title={text.chat.start}>
      {text.chat.startHelp}
    </Empty>
  ) : (
    <FirstRun host={host} typeSlash={typeSlash} />
  );

  return (
    <section class="savepoint-pages savepoint-chat" aria-labelledby={titleId}>
      <TalkHeader host={host} titleId={titleId} />
      {trouble !== undefined && (
        <div class="savepoint-banner mod-error" role="alert">
          <p>{trouble}</p>
          <button type="button" onClick={() => void talk.refresh()}>
            {text.general.tryAgain}
          </button>
        </div>
      )}
      {conversation?.isArchived === true && (
        <div class="savepoint-banner savepoint-archived">
          <p>{text.chat.isArchived}</p>
          <button type="button" onClick={() => act(() => setArchived(chat, conversation, false))}>
            {text.chat.restore}
          </button>
        </div>
      )}
      {thread ? (
        <MessageList
          host={host}
          thread={thread}
          wanted={wanted}
          labelledBy={titleId}
          empty={empty}
        />
      ) : (
        <Empty
          icon="loader"
          title={trouble === undefined ? text.chat.loading : text.chat.cannotRead}
        />
      )}
      {source === undefined ? (
        <>
          {thread && <ContextOffer host={host} thread={thread} />}
          <Composer host={host} area={area} />
        </>
      ) : (
        <ReadOnly host={host} source={source} title={conversation?.title ?? ''} />
      )}
      <Announcement>{announced}</Announcement>
    </section>
  );
}

/** Tells those who do not see the panel that an answer is whole, or that a tool asks for leave: not each word as it comes. */
function useAnnouncements(
  talk: Talk,
  savepoint: Savepoint,
  announce: (words: string) => void,
): void {
  const phase = useSelected(talk.panel, (panel) => panel.phase);
  const asking = useSelected(
    talk.panel,
    (panel) => panel.live?.calls.find(({ status }) => status === 'asking')?.tool,
  );
  const before = useRef(phase);
  useEffect(() => {
    const hasEnded = before.current !== 'idle' && phase === 'idle';
    before.current = phase;
    const thread = talk.thread.get();
    const last = hasEnded && thread ? pathTo(thread, talk.panel.get().leafId).at(-1) : undefined;
    if (last?.role === 'assistant')
      announce(last.error ?? text.chat.finished(wordsOfMessage(last)));
    else if (phase === 'waiting') announce('');
  }, [phase]);
  useEffect(() => {
    const known = allTools(savepoint.toolset).find(({ tool }) => tool.name === asking);
    if (asking !== undefined) announce(text.chat.asksLeave(known?.tool.title ?? asking));
  }, [asking]);
}
