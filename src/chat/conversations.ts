import type { Conversation } from '../model/conversation.js';
import type { Message, MessageContent } from '../model/message.js';

/** A conversation, and where it was led if not here: such a one is read only. */
export interface ChatConversation extends Conversation {
  /** The product it was imported from. */
  readonly importedFrom?: string | undefined;
}

/** The conversations of a vault, as the log's chat lane holds them. A `Refusal` says in words what could not be read or written. */
export interface Conversations {
  /** All of them, archived ones too; newest first. */
  list(): Promise<readonly ChatConversation[]>;
  /** The messages of one, in whatever order: see `thread.ts`. */
  messages(conversationId: string): Promise<readonly Message[]>;
  create(content: Pick<Conversation, 'workspaceId' | 'title'>): Promise<Conversation>;
  /** Resolves once the message would survive the end of the app. */
  add(message: MessageContent): Promise<Message>;
  change(
    id: string,
    fields: Partial<Pick<Conversation, 'workspaceId' | 'title' | 'isPinned' | 'isArchived'>>,
  ): Promise<void>;
  /** Calls the listener when conversations or messages have come, from here or from another device. */
  onChange(listener: () => void): () => void;
}
