import { conversationData } from '../../model/conversation.js';
import type { Draft, JsonObject, LogEvent } from '../../model/event.js';
import {
  apply,
  DEFAULT_WORKSPACE,
  emptyMemory,
  entityOf,
  VAULT_SCOPE,
} from '../../model/memory.js';
import { messageData } from '../../model/message.js';
import { needPath, recordData } from '../../model/records/record.js';
import { stateData, canonicalStateText } from '../../model/state.js';
import { textIn } from '../../model/text/json-fields.js';
import { traceData } from '../../model/trace.js';
import { workspaceChanges, workspaceData } from '../../model/workspace.js';
import { sha256 } from '../../platform/sha256.js';
import { nextTimestamp, retiredRanges } from '../../storage/index.js';
import {
  addLeftOut,
  type ForeignConversation,
  type ForeignMessage,
  type ForeignRecord,
  type ForeignRecordChange,
  type ForeignState,
  type ForeignTrace,
  type ForeignWorkspace,
} from './foreign-memory.js';
import {
  addChanges,
  addUnlessKnown,
  timestampAt,
  type ForeignChange,
  type ImportContext,
  type LaneEvent,
} from './import-context.js';
import { cutIntoSegments, type StampedDraft } from './import-segments.js';
import { validName } from './naming.js';

/** Sorts a placeholder after a real creation in the same millisecond. */
const PLACEHOLDER_COUNT = 0xffff;

export function addWorkspace(
  context: ImportContext,
  id: string,
  { at, location, fields, changes, isGuessed }: ForeignWorkspace,
): void {
  const { names } = context;
  const h = timestampAt(context, at, isGuessed ? PLACEHOLDER_COUNT : 0);
  const created = entityOf(context.memory, id).created;
  const isKnown =
    created !== undefined && (isGuessed || at === undefined || at > context.now || created.h <= h);
  const knownName = isKnown ? (textIn(created.d, 'name') ?? '') : '';
  let name =
    isKnown && (isGuessed || names.isDerivedFrom(knownName, fields.name))
      ? knownName
      : names.allocate(fields.name, VAULT_SCOPE, id);
  const draft = { t: 'ws.new', e: id, d: workspaceData({ ...fields, name }) };
  if (!addUnlessKnown(context, { kind: 'workspaces', lane: 'core', location, draft, h, isKnown }))
    return;
  let current = apply(emptyMemory, isKnown ? created : eventOf(draft, h));
  let foreignName = fields.name;
  const sets: ForeignChange[] = [];
  // A damaged line or a placeholder may have created a known workspace, so a change corrects it.
  const correction = isKnown && !isGuessed && at !== undefined ? [{ at, fields }] : [];
  for (const change of [...correction, ...changes]) {
    if (change.fields.name !== foreignName)
      name = names.allocate(change.fields.name, VAULT_SCOPE, id);
    foreignName = change.fields.name;
    const d = workspaceChanges(entityOf(current, id), { ...change.fields, name });
    if (Object.keys(d).length === 0) continue;
    sets.push({ at: change.at, d });
    const set = { t: 'set', e: id, d };
    current = apply(current, eventOf(set, nextTimestamp(h, change.at), sets.length));
  }
  addChanges(context, { lane: 'core', id, location }, sets);
}

function eventOf(draft: Draft, h: string, n = 0): LogEvent {
  return { v: 1, w: '', p: '', c: '', n, h, ...draft };
}

export async function addState(
  context: ImportContext,
  id: string,
  workspaceId: string,
  { at, location, content: original, archived, relations }: ForeignState,
): Promise<void> {
  const isKnown = context.known.has(`state.new ${id}`);
  const isNamed = isKnown || context.forgotten.has(id);
  const name = isNamed ? original.name : context.names.allocate(original.name, workspaceId, id);
  const note =
    validName(original.name) === original.name
      ? ''
      : `\n\nIts name there: ${JSON.stringify(original.name)}`;
  const content = {
    ...original,
    name,
    conversationContext: original.conversationContext + note,
  };
  const sha = isKnown ? '' : await sha256(canonicalStateText(content));
  const draft = { t: 'state.new', e: id, d: stateData(workspaceId, content, sha) };
  if (!addUnlessKnown(context, { kind: 'states', lane: 'core', location, at, draft, isKnown })) {
    addLeftOut(context.stats, 'orphans', relations ?? 0);
    return;
  }
  const changes = archived.map((change) => ({
    at: change.at,
    d: { '/isArchived': change.isArchived },
  }));
  addChanges(context, { lane: 'core', id, location }, changes);
}

/** Ids in this vault by the keys at the source. */
interface RecordIds {
  readonly workspaces: ReadonlyMap<string, string>;
  readonly states: ReadonlyMap<string, string>;
  readonly records: ReadonlyMap<string, string>;
}

export function addRecord(
  context: ImportContext,
  id: string,
  ids: RecordIds,
  { workspace, at, location, kind, title, body, files, phase, state, changes }: ForeignRecord,
): void {
  const name = validName(title);
  // A title that is too long for a name is complete in the body.
  const details = [...(name === title ? [] : [title]), ...(body === undefined ? [] : [body])];
  const content = {
    kind,
    title: name,
    body: details.length === 0 ? undefined : details.join('\n\n'),
    phaseId: phase === undefined ? undefined : ids.records.get(phase),
    stateId: state === undefined ? undefined : ids.states.get(state),
  };
  const contents = Object.fromEntries(files.map((path) => [path, null]));
  const d = recordData(ids.workspaces.get(workspace)!, content, { files: contents });
  const draft = { t: 'record.new', e: id, d };
  if (!addUnlessKnown(context, { kind: 'records', lane: 'core', location, at, draft })) return;
  const registers = changes.map((change) => ({ at: change.at, d: registersOf(change, ids) }));
  addChanges(context, { lane: 'core', id, location }, registers);
}

function registersOf(
  { status, remindAt, isArchived, need }: ForeignRecordChange,
  { records }: RecordIds,
): JsonObject {
  const neededId = need && records.get(need.key);
  return {
    ...(status !== undefined && { '/status': status }),
    ...(remindAt !== undefined && { '/remindAt': remindAt }),
    ...(isArchived !== undefined && { '/isArchived': isArchived }),
    ...(need && neededId !== undefined && { [needPath(neededId)]: need.isNeeded || null }),
  };
}

export function addTrace(
  context: ImportContext,
  id: string,
  workspaceId: string,
  { at, location, trace }: ForeignTrace,
): void {
  const draft = { t: 'trace.new', e: id, d: traceData({ ...trace, workspaceId }) };
  addUnlessKnown(context, { kind: 'traces', lane: 'trace', location, at, draft });
}

/**
 * Drops traces that were imported before and have been retired since. The same traces always form
 * the same segments, whose writers identify the retired ones.
 */
export async function withoutRetiredTraces(
  { drafts, kinds, stats, scheduler }: ImportContext,
  lines: readonly LaneEvent[],
): Promise<StampedDraft[]> {
  const retired = retiredRanges(lines);
  const traces = drafts.filter(({ lane }) => lane === 'trace');
  const segments = await cutIntoSegments(traces, scheduler);
  const retiredDrafts = new Set(
    segments.filter(({ writer }) => retired.has(writer)).flatMap((segment) => segment.drafts),
  );
  addLeftOut(stats, 'retired', retiredDrafts.size);
  kinds.traces.added -= retiredDrafts.size;
  return drafts.filter((draft) => !retiredDrafts.has(draft));
}

/** `workspaceIds` has the ids of the imported workspaces, by key. */
export function addConversation(
  context: ImportContext,
  id: string,
  workspaceIds: ReadonlyMap<string, string>,
  conversation: ForeignConversation,
): void {
  const { at, location, title, workspace, changes } = conversation;
  const idOf = (key: string | undefined) => (key === undefined ? undefined : workspaceIds.get(key));
  const workspaceId = idOf(workspace) ?? DEFAULT_WORKSPACE;
  const draft = { t: 'conv.new', e: id, d: conversationData({ workspaceId, title }) };
  if (!addUnlessKnown(context, { kind: 'conversations', lane: 'chat', location, at, draft }))
    return;
  const current: Record<string, string | boolean> = {
    '/title': title,
    '/ws': workspaceId,
    '/isArchived': false,
  };
  const sets: ForeignChange[] = [];
  for (const change of changes) {
    const wanted = {
      '/title': change.title,
      '/ws': idOf(change.workspace),
      '/isArchived': change.isArchived,
    };
    const d: Draft['d'] = {};
    for (const [path, value] of Object.entries(wanted)) {
      if (value === undefined || value === current[path]) continue;
      current[path] = value;
      d[path] = value;
    }
    sets.push({ at: change.at, d });
  }
  addChanges(context, { lane: 'chat', id, location }, sets);
}

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
  const draft = { t: 'msg.new', e: id, d: messageData({ ...content, conversationId, parentId }) };
  const isAdded = addUnlessKnown(context, { kind: 'messages', lane: 'chat', location, at, draft });
  ids.set(`${conversation} ${key}`, isAdded ? id : parentId);
}
