import { isJsonObject, stampTime, type Json, type JsonObject } from './event.js';
import { isStateData, registerOf, type Entity } from './memory.js';
import {
  provenanceData,
  readGitHead,
  readSavedBy,
  type GitHead,
  type Provenance,
  type SavedBy,
} from './provenance.js';

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
  /** Undefined for a state that was imported. */
  readonly savedBy?: SavedBy;
  /** The commit and branch of the repository that contained the workspace's folder. */
  readonly git?: GitHead;
  /** Content of the active files when the state was saved. Use `recordedDigest` to read an entry. */
  readonly files?: JsonObject;
}

/** Returns an entity as a state; undefined for any other entity. */
export function stateOf(entity: Entity): State | undefined {
  const { created } = entity;
  if (created?.t !== 'state.new' || !isStateData(created.d)) return undefined;
  const { ws, by, git, files, ...content } = created.d as unknown as StateContent &
    Record<'by' | 'git' | 'files', Json | undefined> & { ws: string; sha: string };
  const savedBy = readSavedBy(by);
  const gitHead = readGitHead(git);
  return {
    ...content,
    ...(savedBy && { savedBy }),
    ...(gitHead && { git: gitHead }),
    ...(isJsonObject(files) && { files }),
    id: entity.id,
    workspaceId: ws,
    isArchived: registerOf(entity, '/isArchived') === true,
    createdAt: stampTime(created),
  };
}

/** Returns the data of a `state.new` event. */
export function stateData(
  workspaceId: string,
  content: StateContent,
  sha: string,
  provenance?: Provenance,
): JsonObject {
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
    ...(provenance && provenanceData(provenance)),
  };
}

/** Returns a state's fields in a fixed order as a JSON array. The SHA-256 of its UTF-8 bytes is the state's `sha`. */
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
