import type { ChatConversation } from '../../../chat/conversations.js';
import type { ConversationHit } from '../search-conversations.js';

export interface ConversationRow {
  readonly key: string;
  readonly level: number;
  /** Position among the rows, from 1. */
  readonly at: number;
  /** Number of rows. */
  readonly of: number;
  readonly isExpanded?: boolean;
  readonly conversation: ChatConversation;
  /** Set for a search result. */
  readonly hit: ConversationHit | undefined;
}

/** Returns the search results as rows, or without a search all conversations, pinned ones first. */
export function conversationRows(
  conversations: readonly ChatConversation[],
  hits: readonly ConversationHit[] | undefined,
  includeArchived: boolean,
): ConversationRow[] {
  const items = hits
    ? hits.map((hit) => ({ conversation: hit.conversation, hit }))
    : pinnedFirst(conversations).map((conversation) => ({ conversation, hit: undefined }));
  const shown = items.filter(({ conversation }) => includeArchived || !conversation.isArchived);
  return shown.map(({ conversation, hit }, index) => ({
    key: hit?.message?.id ?? conversation.id,
    level: 1,
    at: index + 1,
    of: shown.length,
    conversation,
    hit,
  }));
}

function pinnedFirst(conversations: readonly ChatConversation[]): ChatConversation[] {
  const pinned = conversations.filter(({ isPinned }) => isPinned);
  return [...pinned, ...conversations.filter(({ isPinned }) => !isPinned)];
}
