import { stampTime, type JsonObject } from './event.js';
import { registerOf, textOf, type Entity } from './memory.js';
import { visibleText } from './text/visible-text.js';

/** A chat in the vault. Its id is the session id of every tool call made in it. */
export interface Conversation {
  readonly id: string;
  readonly workspaceId: string;
  /** Title with invisible characters as markers; see `visibleText`. */
  readonly title: string;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** True if the user wants no checkpoint of it. */
  readonly isPrivate: boolean;
  readonly createdAt: string;
}

/** Returns an entity as a conversation with its current values; undefined for any other entity. */
export function conversationOf(entity: Entity): Conversation | undefined {
  const { created } = entity;
  if (created?.t !== 'conv.new') return undefined;
  return {
    id: entity.id,
    workspaceId: textOf(entity, 'ws'),
    title: visibleText(textOf(entity, 'title')),
    createdAt: stampTime(created),
    isPinned: registerOf(entity, '/isPinned') === true,
    isArchived: registerOf(entity, '/isArchived') === true,
    isPrivate: registerOf(entity, '/isPrivate') === true,
  };
}

/** Returns the data of a `conv.new` event. */
export function conversationData({
  workspaceId,
  title,
}: Pick<Conversation, 'workspaceId' | 'title'>): JsonObject {
  return { ws: workspaceId, title };
}
