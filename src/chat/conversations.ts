import type { Conversation } from '../model/conversation.js';
import type { Message, MessageContent } from '../model/message.js';

/** A conversation; an imported one is read-only. */
export interface ChatConversation extends Conversation {
  /** Name of the product it was imported from; absent for conversations begun in this vault. */
  readonly importedFrom?: string | undefined;
}

/**
 * The conversations of a vault. Methods throw a `Refusal` if something cannot be read or written.
 */
export interface Conversations {
  /** Returns all conversations, archived ones included, newest first. */
  list(): Promise<readonly ChatConversation[]>;
  /** Returns a conversation's messages in no particular order; `createThread` orders them. */
  messages(conversationId: string): Promise<readonly Message[]>;
  create(content: Pick<Conversation, 'workspaceId' | 'title'>): Promise<Conversation>;
  /**
   * Resolves once the message is durable. Only the returned message has the text of the open note,
   * if one was sent; the log keeps its path and hash.
   */
  add(message: MessageContent): Promise<Message>;
  change(
    id: string,
    fields: Partial<
      Pick<Conversation, 'workspaceId' | 'title' | 'isPinned' | 'isArchived' | 'isPrivate'>
    >,
  ): Promise<void>;
  /**
   * Calls the listener after conversations or messages were added or changed, on this device or
   * another. Returns a function that unsubscribes.
   */
  onChange(listener: () => void): () => void;
}
