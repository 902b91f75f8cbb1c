import { compareStamps, compareText, type Draft, type JsonObject } from '../model/event.js';
import { conversationData, conversationOf, type Conversation } from '../model/conversation.js';
import { apply, emptyMemory, entityOf, type Entity } from '../model/memory.js';
import { messageData, messageOf, type Message, type MessageContent } from '../model/message.js';
import { mapEntries } from '../model/persistent-map.js';
import { Refusal } from '../model/refusal.js';
import { createEntityId, type Random } from '../platform/random.js';
import type { Log } from '../storage/log.js';
import type { ChatConversation, Conversations } from './conversations.js';

/** A line of the log holds a megabyte; a message that would not fit is told so before anything is written. */
const MESSAGE_LIMIT = 900 * 1024;

/** The port Conversations over the log's chat lane. */
export function createConversations(log: Log, random: Random): Conversations {
  return {
    async list() {
      const memory = await log.conversations();
      const begun = [...mapEntries(memory.entities)].flatMap(([, { created }]) =>
        created?.t === 'conv.new' ? [created] : [],
      );
      const latestFirst = begun.sort((a, b) => compareStamps(b, a));
      const conversations = latestFirst.map(({ e }) => conversationIn(entityOf(memory, e)));
      return conversations.sort((a, b) => compareText(b.createdAt, a.createdAt)); // those that were imported began earlier than they came
    },
    async messages(conversationId) {
      const messages = new Map<string, Message>(); // two devices may have imported the same
      for (const message of await log.messages(conversationId)) messages.set(message.id, message);
      return [...messages.values()];
    },
    async create(content) {
      const event = await log.writeChat({
        t: 'conv.new',
        e: createEntityId(random),
        d: conversationData(content),
      });
      return shown(conversationOf(entityOf(apply(emptyMemory, event), event.e)));
    },
    async add(content) {
      const d = checkedData(content);
      return shown(messageOf(await log.writeChat({ t: 'msg.new', e: createEntityId(random), d })));
    },
    async change(id, { workspaceId, title, isPinned, isArchived }) {
      const d: JsonObject = {
        ...(workspaceId !== undefined && { '/ws': workspaceId }),
        ...(title !== undefined && { '/title': title }),
        ...(isPinned !== undefined && { '/isPinned': isPinned }),
        ...(isArchived !== undefined && { '/isArchived': isArchived }),
      };
      if (Object.keys(d).length > 0) await log.writeChat({ t: 'set', e: id, d });
    },
    onChange: (listener) =>
      log.onChange(({ chat }) => {
        if (chat) listener();
      }),
  };
}

/** The event that begins a conversation which was led elsewhere. */
export function conversationDraft(
  id: string,
  {
    workspaceId,
    title,
    importedFrom,
    createdAt,
  }: Pick<ChatConversation, 'workspaceId' | 'title' | 'importedFrom'> & { createdAt?: string },
): Draft {
  const origin = {
    ...(importedFrom !== undefined && { from: importedFrom }),
    ...(createdAt !== undefined && { at: createdAt }),
  };
  return { t: 'conv.new', e: id, d: { ...conversationData({ workspaceId, title }), ...origin } };
}

function conversationIn(entity: Entity): ChatConversation {
  const conversation: Conversation = shown(conversationOf(entity));
  const { from, at } = entity.created?.d ?? {};
  if (typeof from !== 'string') return conversation;
  return { ...conversation, importedFrom: from, ...(typeof at === 'string' && { createdAt: at }) };
}

/** The data of the event for a message. Throws a `Refusal` where the log could not take it. */
export function checkedData(content: MessageContent): JsonObject {
  const d = messageData(content);
  const size = new TextEncoder().encode(JSON.stringify(d)).length;
  if (size <= MESSAGE_LIMIT) return d;
  throw new Refusal(
    `The message has ${Math.ceil(size / 1024)} KB; one message holds at most ${MESSAGE_LIMIT / 1024} KB. Send it in parts, or attach less.`,
  );
}

function shown<T extends object>(item: T | undefined): T {
  if (item === undefined) throw new Error('What was written is not what was meant');
  return item;
}
