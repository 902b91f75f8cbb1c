import { continuedId, isStateData } from './creation-data.js';
import { isJsonObject, stampTime, type Json, type JsonObject, type LogEvent } from './event.js';
import { registerOf, type Entity } from './memory.js';
import { movedKeys, type PathMoves } from './moves/path-moves.js';
import {
  provenanceData,
  gitHeadIn,
  readSavedBy,
  toVisibleLine,
  type GitHead,
  type Provenance,
  type SavedBy,
} from './states/provenance.js';

/** The content that suffices to resume the work in another conversation. */
export interface StateContent {
  readonly name: string;
  readonly conversationContext: string;
  readonly activeTask: string;
  readonly activeFiles: readonly string[];
  readonly nextSteps: readonly string[];
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** In the order and words in which they were saved. */
  readonly decisions?: readonly string[] | undefined;
  /** Likewise. */
  readonly questions?: readonly string[] | undefined;
}

/** An immutable, named save point of one workspace. */
export interface State extends StateContent {
  readonly id: string;
  readonly workspaceId: string;
  /** SHA-256 of `canonicalStateText`. */
  readonly sha: string;
  readonly isArchived: boolean;
  readonly createdAt: string;
  /** Undefined if the state was imported. */
  readonly savedBy?: SavedBy;
  /** Of the repository that contained the workspace's folder. */
  readonly git?: GitHead;
  /** Digests of the active files as of then; read an entry with `recordedDigest`. */
  readonly files?: JsonObject;
  /** The active files as they were saved; present if some have moved since. */
  readonly savedFiles?: readonly string[] | undefined;
  /** Key of the project that active files like `project:src/a.ts` are in. */
  readonly project?: string;
  readonly projectName?: string;
  /** Id of the state that it continues. */
  readonly continues?: string;
  /** Present if the user moved the state here from another workspace. */
  readonly origin?: MoveOrigin;
}

export interface MoveOrigin {
  /** Id of the workspace where the state was saved. */
  readonly ws: string;
  /** Id of the original. */
  readonly state: string;
  /** Time at which the original was saved. */
  readonly at: string;
}

type Fact = 'by' | 'git' | 'files' | 'project' | 'projectName' | 'origin' | 'continues';

/** Latest decoded states, null for invalid data: one call asks for the same ones many times. */
const decoded = new WeakMap<LogEvent, State | null>();

/** Returns an entity as a state, if it is one. Without `moves`, its paths are those as saved. */
export function stateOf(entity: Entity, moves?: PathMoves): State | undefined {
  const { id, created } = entity;
  if (!created) return undefined;
  const known = decoded.get(created);
  const isKnown = known?.id === id && known.isArchived === isArchived(entity);
  const state = known === null || isKnown ? known : (decode(entity) ?? null);
  if (!isKnown) decoded.set(created, state);
  if (!state) return undefined;
  return moves && !moves.isEmpty ? withMoves(state, created, moves) : state;
}

function withMoves(state: State, created: LogEvent, moves: PathMoves): State {
  const { activeFiles, files, origin } = state;
  const place = (path: string) => moves.resolve(path, origin?.at ?? created.h);
  const placed = activeFiles.map(place);
  if (placed.every((path, at) => path === activeFiles[at])) return state;
  return {
    ...state,
    activeFiles: placed,
    savedFiles: activeFiles,
    ...(files && { files: movedKeys(files, place) }),
  };
}

function isArchived(entity: Entity): boolean {
  return registerOf(entity, '/isArchived') === true;
}

function decode(entity: Entity): State | undefined {
  const { created } = entity;
  if (created?.t !== 'state.new' || !isStateData(created.d)) return undefined;
  const {
    ws,
    by,
    git,
    files,
    project,
    projectName,
    origin,
    continues: _,
    ...content
  } = created.d as unknown as StateContent &
    Record<Fact, Json | undefined> & { ws: string; sha: string };
  const savedBy = readSavedBy(by);
  const gitHead = gitHeadIn(git);
  const stateOrigin = readOrigin(origin);
  const continued = continuedId(created.d);
  return {
    ...content,
    ...(savedBy && { savedBy }),
    ...(gitHead && { git: gitHead }),
    ...(isJsonObject(files) && { files }),
    ...(typeof project === 'string' && { project }),
    ...(typeof projectName === 'string' && { projectName: toVisibleLine(projectName) }),
    ...(continued !== undefined && { continues: continued }),
    ...(stateOrigin && { origin: stateOrigin }),
    id: entity.id,
    workspaceId: ws,
    isArchived: isArchived(entity),
    createdAt: stampTime(created),
  };
}

/** Returns the paths of the active files as they were saved, which the state's hash covers. */
export function savedFiles({ savedFiles: saved, activeFiles }: State): readonly string[] {
  return saved ?? activeFiles;
}

/** Returns the `origin` of a `state.new` event; undefined if it is missing or malformed. */
function readOrigin(value: Json | undefined): MoveOrigin | undefined {
  if (!isJsonObject(value)) return undefined;
  const { ws, state, at } = value;
  return typeof ws === 'string' &&
    typeof state === 'string' &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at))
    ? { ws, state, at }
    : undefined;
}

export function stateData(
  workspaceId: string,
  content: StateContent,
  sha: string,
  provenance: Partial<Provenance> = {},
): JsonObject {
  const { name, conversationContext, activeTask, activeFiles, nextSteps, description } = content;
  const { tags = [], decisions = [], questions = [] } = content;
  return {
    ws: workspaceId,
    name,
    ...(provenance.continues !== undefined && { continues: provenance.continues }),
    conversationContext,
    activeTask,
    activeFiles: [...activeFiles],
    nextSteps: [...nextSteps],
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(decisions.length > 0 && { decisions: [...decisions] }),
    ...(questions.length > 0 && { questions: [...questions] }),
    sha,
    ...(provenance.by && provenanceData({ ...provenance, by: provenance.by })),
  };
}

/** Returns the fields in a fixed order as JSON; its SHA-256, in UTF-8, is the state's `sha`. */
export function canonicalStateText(content: StateContent): string {
  const { name, conversationContext, activeTask, activeFiles, nextSteps, description } = content;
  const { tags = [], decisions = [], questions = [] } = content;
  return JSON.stringify([
    name,
    conversationContext,
    activeTask,
    activeFiles,
    nextSteps,
    description ?? null,
    tags,
    decisions,
    questions,
  ]);
}

/** Returns all texts of a state. */
export function stateTexts(content: StateContent): string[] {
  const { name, conversationContext, activeTask, activeFiles, nextSteps, description } = content;
  const { tags = [], decisions = [], questions = [] } = content;
  return [
    name,
    ...decisions,
    ...questions,
    conversationContext,
    activeTask,
    description ?? '',
    ...nextSteps,
    ...activeFiles,
    ...tags,
  ];
}
