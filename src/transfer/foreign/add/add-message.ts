import { messageData } from '../../../model/message.js';
import type { ForeignMessage } from '../foreign-memory.js';
import { addUnlessKnown, timestampAt, type ImportContext } from '../import-context.js';

/**
 * Adds a message. If it cannot be imported, its replies follow the message before it. `ids` has the
 * ids of the messages added so far, by conversation and key, and receives this message's.
 */
export function addMessage(
  context: ImportContext,
  id: string,
  conversationId: string,
  ids: Map<string, string | undefined>,
  { key, conversation, at, location, parent, content }: ForeignMessage,
): void {
  const parentId = parent === undefined ? undefined : ids.get(`${conversation} ${parent}`);
  const draft = {
    t: 'msg.new',
    e: id,
    d: messageData({ ...content, conversationId, parentId }),
  };
  const h = timestampAt(context, at);
  const isAdded = addUnlessKnown(context, { kind: 'messages', lane: 'chat', location, draft, h });
  ids.set(`${conversation} ${key}`, isAdded ? id : parentId);
}
