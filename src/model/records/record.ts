import { isRecordData } from '../creation-data.js';
import { compareText, isJsonObject, stampTime, type JsonObject } from '../event.js';
import { entityName, registerOf, type Entity } from '../memory.js';
import { movedKeys, type PathMoves } from '../moves/path-moves.js';
import { mapEntries, mapGet } from '../persistent-map.js';
import { clip } from '../refusal.js';
import {
  provenanceData,
  readSavedBy,
  type Provenance,
  type SavedBy,
} from '../states/provenance.js';
import { isRecordStatus, type RecordKind, type RecordStatus } from './record-kinds.js';

/** The title and body can be corrected, unless it is a decision. */
export interface RecordContent {
  readonly kind: RecordKind;
  readonly title: string;
  readonly body?: string | undefined;
  /** Id of the state with which it was saved. */
  readonly stateId?: string | undefined;
  /** Id of the phase that a task or question belongs to. */
  readonly phaseId?: string | undefined;
  /** Ids of the records that must be done first. */
  readonly needs?: readonly string[] | undefined;
}

/** A record of a workspace, which outlives the conversation in which it was made. */
export interface ProjectRecord extends RecordContent {
  readonly id: string;
  readonly workspaceId: string;
  readonly needs: readonly string[];
  /** Digests of the files that it is about, by path, as of then; read with `recordedDigest`. */
  readonly files: JsonObject;
  readonly status: RecordStatus;
  /** Id of the record that replaces it. */
  readonly supersededBy?: string | undefined;
  /** Time at which `supersededBy` was set. */
  readonly supersededAt?: string | undefined;
  /** ISO date-time from which it is due. */
  readonly remindAt?: string | undefined;
  readonly isArchived: boolean;
  readonly savedBy?: SavedBy | undefined;
  readonly createdAt: string;
}

const NEEDS_PREFIX = '/needs/';

const MAX_LISTED_TITLE_LENGTH = 120;

/** Returns the title as lists show it; a lookup finds the record by that, too. */
export function listedTitle({ title }: Pick<ProjectRecord, 'title'>): string {
  return clip(title, MAX_LISTED_TITLE_LENGTH);
}

/** Returns an entity as a record, if it is one. Without `moves`, its paths are those as saved. */
export function recordOf(entity: Entity, moves?: PathMoves): ProjectRecord | undefined {
  const { created } = entity;
  if (created?.t !== 'record.new' || !isRecordData(created.d)) return undefined;
  const { ws, kind, state, phase, files, by } = created.d;
  const [status, remindAt] = ['/status', '/remindAt'].map((path) => registerOf(entity, path));
  const savedBy = readSavedBy(by);
  const body = bodyOf(entity);
  return {
    id: entity.id,
    workspaceId: ws as string,
    kind: kind as RecordKind,
    title: entityName(entity),
    ...(body !== '' && { body }),
    ...(typeof state === 'string' && { stateId: state }),
    ...(typeof phase === 'string' && { phaseId: phase }),
    needs: needsOf(entity),
    files: movedKeys(isJsonObject(files) ? files : {}, (path) =>
      moves ? moves.resolve(path, created.h) : path,
    ),
    status: isRecordStatus(status) ? status : 'open',
    ...supersessionOf(entity),
    ...(isTime(remindAt) && { remindAt }),
    isArchived: registerOf(entity, '/isArchived') === true,
    ...(savedBy && { savedBy }),
    createdAt: stampTime(created),
  };
}

/** Returns `''` if there is no body. */
function bodyOf(entity: Entity): string {
  const { kind, body: initial } = entity.created?.d ?? {};
  const corrected = kind === 'decision' ? undefined : registerOf(entity, '/body');
  const body = typeof corrected === 'string' ? corrected : initial;
  return typeof body === 'string' ? body : '';
}

function supersessionOf({
  registers,
}: Entity): Pick<ProjectRecord, 'supersededBy' | 'supersededAt'> {
  const register = mapGet(registers, '/supersededBy');
  return typeof register?.value === 'string'
    ? { supersededBy: register.value, supersededAt: stampTime(register.at) }
    : {};
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Returns the ids of needs. Each added one is a register, so devices can add different ones. */
function needsOf({ created, registers }: Entity): string[] {
  const initial = created?.d['needs'];
  const needs = new Set(Array.isArray(initial) ? (initial as string[]) : []);
  const added: string[] = [];
  for (const [path, { value }] of mapEntries(registers)) {
    if (!path.startsWith(NEEDS_PREFIX)) continue;
    const id = path.slice(NEEDS_PREFIX.length);
    if (value !== true) needs.delete(id);
    else if (!needs.has(id)) added.push(id);
  }
  return [...needs, ...added.sort(compareText)];
}

/** Returns the path of the register that says whether a record needs another one. */
export function needPath(id: string): string {
  return `${NEEDS_PREFIX}${id}`;
}

/** Returns the data of a `record.new` event. `by` is absent from imported records. */
export function recordData(
  workspaceId: string,
  { kind, title, body, stateId, phaseId, needs = [] }: RecordContent,
  { by, files = {} }: Partial<Pick<Provenance, 'by' | 'files'>>,
): JsonObject {
  return {
    ws: workspaceId,
    kind,
    title,
    ...(body !== undefined && { body }),
    ...(stateId !== undefined && { state: stateId }),
    ...(phaseId !== undefined && { phase: phaseId }),
    ...(needs.length > 0 && { needs: [...needs] }),
    ...(by && provenanceData({ by })),
    ...(Object.keys(files).length > 0 && { files: files as unknown as JsonObject }),
  };
}
