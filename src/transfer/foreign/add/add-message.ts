import { messageData } from '../../../model/message.js';
import type { ForeignMessage } from '../foreign-memory.js';
import { addUnlessKnown, type ImportContext } from '../import-context.js';

/**
 * `ids` has the messages' ids by conversation and key, and receives this one's. Replies to a
 * message that is left out follow the one before it.
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
  const isAdded = addUnlessKnown(context, { kind: 'messages', lane: 'chat', location, at, draft });
  ids.set(`${conversation} ${key}`, isAdded ? id : parentId);
}
