import { compareStamps, compareText, type Draft, type JsonObject } from '../model/event.js';
import { conversationData, conversationOf, type Conversation } from '../model/conversation.js';
import { apply, emptyMemory, entityOf, type Entity, type Memory } from '../model/memory.js';
import {
  messageData,
  messageOf,
  type Message,
  type MessageContent,
  type MessagePart,
} from '../model/message.js';
import { mapEntries } from '../model/persistent-map.js';
import { Refusal } from '../model/refusal.js';
import { redact, redactJson } from '../redaction/index.js';
import { createEntityId, type Random } from '../platform/random.js';
import type { Log } from '../storage/index.js';
import type { ChatConversation, Conversations } from './conversations.js';

/** A log line holds at most one megabyte; a larger message is refused before it is written. */
const MAX_MESSAGE_BYTES = 900 * 1024;

const listed = new WeakMap<Memory, readonly ChatConversation[]>();

/** Creates the conversations port over the log's chat lane. */
export function createConversations(log: Log, random: Random): Conversations {
  return {
    async list() {
      const memory = await log.conversations();
      const known = listed.get(memory); // each view that shows names asks for it
      if (known) return known;
      const created = [...mapEntries(memory.entities)].flatMap(([, { created }]) =>
        created?.t === 'conv.new' ? [created] : [],
      );
      const newestFirst = created.sort((a, b) => compareStamps(b, a));
      const conversations = newestFirst.map(({ e }) => toChatConversation(entityOf(memory, e)));
      // An imported conversation is older than the event that added it.
      conversations.sort((a, b) => compareText(b.createdAt, a.createdAt));
      listed.set(memory, conversations);
      return conversations;
    },
    async messages(conversationId) {
      const messages = new Map<string, Message>(); // two devices may have imported the same one
      for (const message of await log.messages(conversationId)) messages.set(message.id, message);
      return [...messages.values()];
    },
    async create(content) {
      const event = await log.writeChat({
        t: 'conv.new',
        e: createEntityId(random),
        d: conversationData(content),
      });
      return requireDecoded(conversationOf(entityOf(apply(emptyMemory, event), event.e)));
    },
    async add(content) {
      const d = validatedMessageData(content);
      const stored = requireDecoded(
        messageOf(await log.writeChat({ t: 'msg.new', e: createEntityId(random), d })),
      );
      return content.role === 'user' ? { ...stored, parts: content.parts } : stored;
    },
    async change(id, { workspaceId: ws, ...fields }) {
      const d = Object.fromEntries(
        Object.entries({ ws, ...fields }).flatMap(([name, value]) =>
          value === undefined ? [] : [[`/${name}`, value]],
        ),
      );
      if (Object.keys(d).length > 0) await log.writeChat({ t: 'set', e: id, d });
    },
    onChange: (listener) =>
      log.onChange(({ chat }) => {
        if (chat) listener();
      }),
  };
}

/** Returns the event that creates an imported conversation. */
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

function toChatConversation(entity: Entity): ChatConversation {
  const conversation: Conversation = requireDecoded(conversationOf(entity));
  const { from, at } = entity.created?.d ?? {};
  if (typeof from !== 'string') return conversation;
  return { ...conversation, importedFrom: from, ...(typeof at === 'string' && { createdAt: at }) };
}

/**
 * Leaves out the text of open notes, and redacts secrets in tool calls but not in what a person or
 * a model wrote. Throws a `Refusal` if the message is too large for the log.
 */
export function validatedMessageData(content: MessageContent): JsonObject {
  const d = messageData({ ...content, parts: content.parts.map(storedPart) });
  const size = new TextEncoder().encode(JSON.stringify(d)).length;
  if (size <= MAX_MESSAGE_BYTES) return d;
  throw new Refusal(
    `The message has ${Math.ceil(size / 1024)} KB; one message holds at most ${MAX_MESSAGE_BYTES / 1024} KB. Send it in parts, or attach less.`,
  );
}

function storedPart(part: MessagePart): MessagePart {
  if (part.type === 'data' && part.hash !== undefined) return { ...part, text: '' };
  if (part.type !== 'tool') return part;
  const { title, params, answer, changes } = part;
  return {
    ...part,
    params: redactJson(params),
    ...(title !== undefined && { title: redact(title) }),
    ...(answer !== undefined && { answer: redactJson(answer) }),
    ...(changes && {
      changes: changes.map((change) => ({
        ...change,
        path: redact(change.path),
        // as one text, because a secret may have several lines
        lines: redact(change.lines.join('\n')).split('\n'),
      })),
    }),
  };
}

function requireDecoded<T extends object>(item: T | undefined): T {
  if (item === undefined) throw new Error('The event does not decode to what was written');
  return item;
}
