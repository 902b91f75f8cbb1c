import { compareStamps, type JsonObject } from '../model/event.js';
import { conversationData, conversationOf } from '../model/conversation.js';
import { apply, emptyMemory, entityOf } from '../model/memory.js';
import { messageData, messageOf } from '../model/message.js';
import { mapEntries } from '../model/persistent-map.js';
import { Refusal } from '../model/refusal.js';
import { createEntityId, type Random } from '../storage/ids.js';
import type { Log } from '../storage/log.js';
import type { Conversations } from './conversations.js';

/** A line of the log holds a megabyte; a message that would not fit is told so before anything is written. */
const MESSAGE_LIMIT = 900 * 1024;

/** The port Conversations over the log's chat lane. */
export function createConversations(log: Log, random: Random): Conversations {
  return {
    async list() {
      const memory = await log.conversations();
      const begun = [...mapEntries(memory.entities)].flatMap(([, { created }]) => (created?.t === 'conv.new' ? [created] : []));
      return begun.sort((a, b) => compareStamps(b, a)).map(({ e }) => shown(conversationOf(entityOf(memory, e))));
    },
    messages: (conversationId) => log.messages(conversationId),
    async create(content) {
      const event = await log.writeChat({ t: 'conv.new', e: createEntityId(random), d: conversationData(content) });
      return shown(conversationOf(entityOf(apply(emptyMemory, event), event.e)));
    },
    async add(content) {
      const d = messageData(content);
      checkSize(d);
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

function checkSize(d: JsonObject): void {
  const size = new TextEncoder().encode(JSON.stringify(d)).length;
  if (size > MESSAGE_LIMIT)
    throw new Refusal(
      `The message has ${Math.ceil(size / 1024)} KB; one message holds at most ${MESSAGE_LIMIT / 1024} KB. Send it in parts, or attach less.`,
    );
}

function shown<T extends object>(item: T | undefined): T {
  if (item === undefined) throw new Error('What was written is not what was meant');
  return item;
}
