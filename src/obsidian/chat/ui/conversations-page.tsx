import type { ComponentChildren } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { workspaceById } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { report } from '../../host/logger.js';
import { text } from '../../i18n/index.js';
import { useNow } from '../../memory/hooks.js';
import { showMenu } from '../../memory/menus.js';
import { Ago, Announcement, Filter, Header, Row } from '../../memory/page-parts.js';
import { createListMemo } from '../../memory/use-row-window.js';
import { WindowedTree } from '../../memory/windowed-tree.js';
import { Empty, IconButton } from '../../ui/components.js';
import { newestOnly } from '../../ui/newest-only.js';
import { useStore } from '../../ui/use-store.js';
import { MAX_HITS, titledHits, type ConversationHit } from '../search-conversations.js';
import { conversationActions } from './conversation-header.js';
import { conversationRows, type ConversationRow } from './conversation-rows.js';
import type { ChatHost } from './host.js';
import { openImportChats } from './import-chats-modal.js';

/** All conversations, pinned ones first; or the messages that match a search. */
export function ConversationsPage({ host }: { host: ChatHost }) {
  const { chat, savepoint, go } = host;
  const labels = text.chat.list;
  const conversations = useStore(chat.conversations) ?? [];
  const memory = useStore(savepoint.memory);
  const trouble = useStore(chat.trouble);
  const [query, setQuery] = useState('');
  const [includeArchived, setIncludeArchived] = useState(false);
  const found = useSearch(host, query);
  const isSearching = query.trim() !== '' && !found;
  const hits = isSearching ? titledHits(conversations, query) : found;
  const listRef = useRef<HTMLDivElement>(null);
  const memo = useMemo(createListMemo, []);
  const titleId = useId();
  const now = useNow(savepoint);
  const rows = conversationRows(conversations, hits, includeArchived);

  const open = ({ conversation, hit }: ConversationRow) =>
    go({ page: 'conversation', conversation: conversation.id, message: hit?.message?.id });
  const back = () => go({ page: 'conversation' });

  return (
    <div class="savepoint-pages" onKeyDown={onEscape(back)}>
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
        <ListActions
          host={host}
          onBack={back}
          includeArchived={includeArchived}
          onToggleArchived={() => setIncludeArchived(!includeArchived)}
        />
      </Header>
      {trouble !== undefined && <p class="savepoint-banner mod-error">{trouble}</p>}
      {rows.length === 0 ? (
        <EmptyList isSearch={query !== ''} isSearching={isSearching} />
      ) : (
        <WindowedTree
          rows={rows}
          memo={memo}
          labelledBy={titleId}
          listKey={query}
          takesFocus={query === ''}
          treeRef={listRef}
          content={(row) => <RowContent row={row} memory={memory} now={now} />}
          after={isSearching && <p class="savepoint-after">{labels.searching}</p>}
          onOpen={open}
          onToggle={open}
          onMenu={({ conversation }, point, doc) =>
            showMenu(conversationActions(host, conversation), point, doc)
          }
        />
      )}
      <Announcement>
        {found ? labels.found(rows.length, found.length >= MAX_HITS) : ''}
      </Announcement>
    </div>
  );
}

function onEscape(action: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    action();
  };
}

interface ListActionsProps {
  readonly host: ChatHost;
  readonly onBack: () => void;
  readonly includeArchived: boolean;
  readonly onToggleArchived: () => void;
}

function ListActions({ host, onBack, includeArchived, onToggleArchived }: ListActionsProps) {
  const { savepoint, go } = host;
  return (
    <>
      <IconButton
        icon="import"
        label={text.chat.commands.importChats}
        onClick={() => openImportChats(savepoint, onBack)}
      />
      <IconButton
        icon="archive"
        label={text.chat.list.archived}
        isActive={includeArchived}
        onClick={onToggleArchived}
      />
      <IconButton
        icon="square-pen"
        label={text.chat.commands.fresh}
        onClick={() => go({ page: 'conversation', conversation: undefined })}
      />
    </>
  );
}

function EmptyList({ isSearch, isSearching }: { isSearch: boolean; isSearching: boolean }) {
  const { empty, emptyHelp, noMatch, noMatchHelp, searching } = text.chat.list;
  if (isSearching) return <Empty icon="loader" title={searching} />;
  return isSearch ? (
    <Empty icon="search-x" title={noMatch}>
      {noMatchHelp}
    </Empty>
  ) : (
    <Empty icon="message-square" title={empty}>
      {emptyHelp}
    </Empty>
  );
}

interface RowProps {
  readonly row: ConversationRow;
  readonly memory: Memory;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function RowContent({ row: { conversation, hit }, memory, now }: RowProps) {
  const { isArchived, inTitle } = text.chat.list;
  const meta: ComponentChildren[] = hit
    ? [hit.excerpt || inTitle]
    : [
        <Ago then={conversation.createdAt} now={now} />,
        workspaceById(memory, conversation.workspaceId).name,
      ];
  return (
    <Row
      icon={conversation.isPinned ? 'pin' : 'message-square'}
      title={conversation.title}
      flair={conversation.isArchived ? isArchived : conversation.importedFrom}
      meta={meta}
    />
  );
}

/** Returns the results; undefined without a query and until those of this query arrive. */
function useSearch({ chat }: ChatHost, query: string): readonly ConversationHit[] | undefined {
  const [hits, setHits] = useState<readonly ConversationHit[]>();
  const search = useMemo(
    () => newestOnly((asked: string, signal) => chat.search(asked, signal)),
    [chat],
  );
  useEffect(() => {
    setHits(undefined);
    if (query.trim() !== '') search(query).then(setHits).catch(report);
  }, [query, search]);
  return hits;
}
