import type { Conversations } from '../../src/chat/conversations.js';
import type { Conversation } from '../../src/model/conversation.js';
import type { Message } from '../../src/model/message.js';
import { START_TIME } from './deterministic.js';

export interface MemoryConversations extends Conversations {
  /** Error with which writes reject while it is set. */
  fault: Error | undefined;
}

/** An in-memory implementation of `Conversations`. */
export function createMemoryConversations(): MemoryConversations {
  const conversations = new Map<string, Conversation>();
  const messages = new Map<string, Message>();
  const listeners = new Set<() => void>();
  let made = 0;
  const facts = () => ({
    id: `id${++made}`,
    createdAt: new Date(START_TIME + made * 1000).toISOString(),
  });
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const port: MemoryConversations = {
    fault: undefined,
    list: () => Promise.resolve([...conversations.values()].reverse()),
    messages: (id) =>
      Promise.resolve([...messages.values()].filter(({ conversationId }) => conversationId === id)),
    create: (content) =>
      write(() =>
        storeIn(conversations, {
          ...facts(),
          ...content,
          isPinned: false,
          isArchived: false,
          isPrivate: false,
        }),
      ),
    add: (content) => write(() => storeIn(messages, { ...structuredClone(content), ...facts() })),
    change: (id, fields) =>
      write(() => void storeIn(conversations, { ...conversations.get(id)!, ...fields })),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  async function write<T>(task: () => T): Promise<T> {
    await Promise.resolve();
    if (port.fault) throw port.fault;
    const result = task();
    changed();
    return result;
  }
  return port;
}

function storeIn<T extends { id: string }>(map: Map<string, T>, item: T): T {
  map.set(item.id, item);
  return item;
}
