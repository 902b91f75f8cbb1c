import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatConversation } from '../../../chat/conversations.js';
import { workspaceById } from '../../../model/lookup.js';
import type { ConversationHit } from '../chat-service.js';
import { report } from '../../host/logger.js';
import { text } from '../../i18n/index.js';
import { Empty, IconButton } from '../../ui/components.js';
import { useNow } from '../../memory/hooks.js';
import { showMenu } from '../../memory/menus.js';
import { Ago, Announcement, Filter, Header, Row } from '../../memory/page-parts.js';
import { createListMemo, WindowedTree } from '../../memory/windowed-tree.js';
import { newestOnly } from '../../ui/newest-only.js';
import { useStore } from '../../ui/use-store.js';
import type { ChatHost } from './host.js';
import { ImportChatsModal } from './import-chats-modal.js';
import { conversationActions } from './conversation-header.js';
import { openModal } from '../../ui/modals.js';

interface ListRow {
  readonly key: string;
  readonly level: number;
  readonly at: number;
  readonly of: number;
  readonly isExpanded?: boolean;
  readonly conversation: ChatConversation;
  readonly hit: ConversationHit | undefined;
}

/** All conversations, the pinned ones first; or the places in them where something was said. */
export function ConversationsPage({ host }: { host: ChatHost }) {
  const { chat, savepoint, go } = host;
  const labels = text.chat.list;
  const conversations = useStore(chat.conversations) ?? [];
  const memory = useStore(savepoint.memory);
  const trouble = useStore(chat.trouble);
  const [query, setQuery] = useState('');
  const [hasArchived, setArchived] = useState(false);
  const found = useSearch(host, query);
  const listRef = useRef<HTMLDivElement>(null);
  const memo = useMemo(createListMemo, []);
  const titleId = useId();
  const now = useNow(savepoint);
  const rows = rowsOf(
    found ? found.map((hit) => ({ conversation: hit.conversation, hit })) : inOrder(conversations),
    hasArchived,
  );

  const open = ({ conversation, hit }: ListRow) =>
    go({ page: 'talk', conversation: conversation.id, message: hit?.message?.id });
  const back = () => go({ page: 'talk' });

  return (
    <div
      class="savepoint-pages"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
        event.preventDefault();
        back();
      }}
    >
      <Header
        title={text.chat.all}
        titleId={titleId}
        onBack={back}
        below={
          <Filter
            label={labels.search}
            value={query}
            onChange={setQuery}
            listRef={listRef}
            onEnter={() => rows[0] && open(rows[0])}
          />
        }
      >
        <IconButton
          icon="import"
          label={text.chat.commands.importChats}
          onClick={() => openModal(new ImportChatsModal(savepoint, back))}
        />
        <IconButton
          icon="archive"
          label={labels.archived}
          isActive={hasArchived}
          onClick={() => setArchived(!hasArchived)}
        />
        <IconButton
          icon="square-pen"
          label={text.chat.fresh}
          onClick={() => go({ page: 'talk', conversation: undefined })}
        />
      </Header>
      {trouble !== undefined && <p class="savepoint-banner mod-error">{trouble}</p>}
      {rows.length === 0 ? (
        <Empty
          icon={query === '' ? 'message-square' : 'search-x'}
          title={query === '' ? labels.empty : labels.noMatch}
        >
          {query === '' ? labels.emptyHelp : labels.noMatchHelp}
        </Empty>
      ) : (
        <WindowedTree
          rows={rows}
          memo={memo}
          labelledBy={titleId}
          listKey={query}
          takesFocus={query === ''}
          treeRef={listRef}
          content={({ conversation, hit }) => (
            <Row
              icon={conversation.isPinned ? 'pin' : 'message-square'}
              title={conversation.title}
              flair={conversation.isArchived ? labels.isArchived : conversation.importedFrom}
              meta={
                hit
                  ? [hit.excerpt === '' ? labels.inTitle : hit.excerpt]
                  : [
                      <Ago then={conversation.createdAt} now={now} />,
                      workspaceById(memory, conversation.workspaceId).name,
                    ]
              }
            />
          )}
          onOpen={open}
          onToggle={open}
          onMenu={({ conversation }, point, doc) =>
            showMenu(conversationActions(host, conversation), point, doc)
          }
        />
      )}
      <Announcement>{found ? labels.found(rows.length) : ''}</Announcement>
    </div>
  );
}

/** Undefined where nothing is looked for. */
function useSearch({ chat }: ChatHost, query: string): readonly ConversationHit[] | undefined {
  const [found, setFound] = useState<readonly ConversationHit[] | undefined>(undefined);
  const find = useMemo(
    () => newestOnly((asked, signal) => chat.search(asked, signal)),
    [chat],
  );
  useEffect(() => {
    if (query.trim() === '') return setFound(undefined);
    find(query).then(setFound).catch(report);
  }, [query, find]);
  return query.trim() === '' ? undefined : found;
}

function inOrder(
  conversations: readonly ChatConversation[],
): Pick<ListRow, 'conversation' | 'hit'>[] {
  const pinned = conversations.filter(({ isPinned }) => isPinned);
  return [...pinned, ...conversations.filter(({ isPinned }) => !isPinned)].map((conversation) => ({
    conversation,
    hit: undefined,
  }));
}

function rowsOf(
  items: readonly Pick<ListRow, 'conversation' | 'hit'>[],
  hasArchived: boolean,
): ListRow[] {
  const shown = items.filter(({ conversation }) => hasArchived || !conversation.isArchived);
  return shown.map(({ conversation, hit }, at) => ({
    conversation,
    hit,
    level: 1,
    at: at + 1,
    of: shown.length,
    key: hit?.message?.id ?? conversation.id,
  }));
}
