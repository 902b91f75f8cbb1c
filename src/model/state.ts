import { stampTime, type JsonObject } from './event.js';
import { isStateData, registerOf, type Entity } from './memory.js';

/** Contents of a state, which suffice to resume the work in another conversation. */
export interface StateContent {
  readonly name: string;
  readonly conversationContext: string;
  readonly activeTask: string;
  readonly activeFiles: readonly string[];
  readonly nextSteps: readonly string[];
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** An immutable, named save point of one workspace. */
export interface State extends StateContent {
  readonly id: string;
  readonly workspaceId: string;
  /** SHA-256 of the content, see `stateText`. */
  readonly sha: string;
  readonly isArchived: boolean;
  readonly createdAt: string;
}

/** Returns an entity as a state; undefined for any other entity. */
export function stateOf(entity: Entity): State | undefined {
  const { created } = entity;
  if (created?.t !== 'state.new' || !isStateData(created.d)) return undefined;
  const { ws, ...content } = created.d as unknown as StateContent & { ws: string; sha: string };
  return {
    ...content,
    id: entity.id,
    workspaceId: ws,
    isArchived: registerOf(entity, '/isArchived') === true,
    createdAt: stampTime(created),
  };
}

/** Returns the data of a `state.new` event. */
export function stateData(workspaceId: string, content: StateContent, sha: string): JsonObject {
  const { name, conversationContext, activeTask, activeFiles, nextSteps, description, tags } =
    content;
  return {
    ws: workspaceId,
    name,
    conversationContext,
    activeTask,
    activeFiles: [...activeFiles],
    nextSteps: [...nextSteps],
    ...(description !== undefined && { description }),
    ...(tags && tags.length > 0 && { tags: [...tags] }),
    sha,
  };
}

/** Returns the text whose SHA-256 (of its UTF-8 bytes) is a state's `sha`: its fields in this order, as a JSON array. */
export function stateText(content: StateContent): string {
  const { name, conversationContext, activeTask, activeFiles, nextSteps, description, tags } =
    content;
  return JSON.stringify([
    name,
    conversationContext,
    activeTask,
    activeFiles,
    nextSteps,
    description ?? null,
    tags ?? [],
  ]);
}
