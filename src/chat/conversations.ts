import type { Conversation } from '../model/conversation.js';
import type { Message, MessageContent } from '../model/message.js';

/** A conversation; an imported one is read-only. */
export interface ChatConversation extends Conversation {
  /** Name of the product; absent for conversations begun in this vault. */
  readonly importedFrom?: string | undefined;
}

/** The conversations of a vault. Throws a `Refusal` if something cannot be read or written. */
export interface Conversations {
  /** Includes archived ones, newest first. */
  list(): Promise<readonly ChatConversation[]>;
  /** Returns messages in no particular order; `createThread` orders them. */
  messages(conversationId: string): Promise<readonly Message[]>;
  create(content: Pick<Conversation, 'workspaceId' | 'title'>): Promise<Conversation>;
  /** Resolves once durable. Only the returned message has the open note's text, not the log. */
  add(message: MessageContent): Promise<Message>;
  change(
    id: string,
    fields: Partial<
      Pick<Conversation, 'workspaceId' | 'title' | 'isPinned' | 'isArchived' | 'isPrivate'>
    >,
  ): Promise<void>;
  /** Called after additions and changes, on any device. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}
