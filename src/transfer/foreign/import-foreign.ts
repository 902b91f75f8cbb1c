import { compareText } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { clip, Refusal } from '../../model/refusal.js';
import { canonicalStateText } from '../../model/state.js';
import { textAt } from '../../model/text/json-fields.js';
import { secretFields } from '../../redaction/index.js';
import type { Files } from '../../platform/files.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { readLogLines } from '../../storage/index.js';
import { importedPath, writeFiles } from '../write-import.js';
import {
  addConversation,
  addMessage,
  addRecord,
  addState,
  addTrace,
  addWorkspace,
  withoutRetiredTraces,
} from './add-entities.js';
import { readBasicMemory } from './basic-memory.js';
import { filesOfProgram } from './detect.js';
import {
  createReadStats,
  EXPECTED_SOURCES,
  type ForeignFile,
  type ForeignMemory,
  type ForeignMessage,
  type ForeignProblem,
  type ForeignState,
  type LeftOutReason,
  type Origin,
  type ReadStats,
} from './foreign-memory.js';
import {
  createImportContext,
  ORIGIN_NAMES,
  type ImportContext,
  type ImportedKind,
} from './import-context.js';
import {
  cutIntoSegments,
  encodeSegment,
  entityIdFrom,
  type StampedDraft,
} from './import-segments.js';
import type { Renaming } from './naming.js';
import { readNexus } from './nexus/nexus.js';
import { readServerMemory } from './server-memory.js';
import type { ImportOptions } from '../import.js';

export interface ForeignImportOptions extends Omit<ImportOptions, 'mayMerge'> {
  /** Latest time of imported events and that of undated ones, in milliseconds since 1970. */
  readonly now: number;
  /** Vault folders whose paths are removed from imported tool calls. */
  readonly excludedFolders: readonly string[];
  /** Ids of what was removed from this device for good, which is left out. */
  readonly removedIds: ReadonlySet<string>;
}

/** A new entry that holds what looks like a secret, which is imported as it was written. */
export interface SecretPlace {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Result of an import from another program, or after a dry run its expected result. */
export interface ForeignImportReport {
  readonly origin: Origin;
  readonly read: number;
  /** Number of lines that repeat another line. */
  readonly duplicates: number;
  readonly kinds: Readonly<
    Record<ImportedKind, { readonly added: number; readonly known: number }>
  >;
  /** Number of workspaces, states and conversations that were archived or deleted at the source. */
  readonly archived: number;
  readonly troubles: readonly ForeignProblem[];
  readonly leftOut: readonly { readonly why: LeftOutReason; readonly count: number }[];
  readonly renamings: readonly Renaming[];
  readonly secrets: readonly SecretPlace[];
  /** New files in the vault. */
  readonly files: readonly VaultPath[];
}

/**
 * Imports another program's memory as events with their original times. Ids are derived from those
 * at the source, so a second import on any device only adds what is missing. Throws a `Refusal` if
 * files in the vault cannot be read or written, or if the sources contain nothing of that program.
 */
export async function importForeign(
  files: Files,
  root: VaultPath,
  origin: Origin,
  sources: readonly ForeignFile[],
  options: ForeignImportOptions,
): Promise<ForeignImportReport> {
  const { scheduler = NOOP_SCHEDULER, excludedFolders, isDryRun, now, day, tag } = options;
  const stats = createReadStats();
  const programFiles = filesOfProgram(origin, sources);
  // Neither the bytes of the log nor what was read of the other memory stays in memory.
  const held = await readLogLines(files, root, scheduler);
  const lines = held.lines.map(({ event, lane }) => ({ event, lane }));
  const forgotten = options.removedIds;
  const context = await createImportContext({ origin, now, forgotten, stats, scheduler }, lines);
  await addAll(
    context,
    await readForeign(origin, programFiles, { excludedFolders, stats, scheduler }),
  );
  if (stats.recognized === 0) throw new Refusal(nothingFoundText(origin, sources));
  const drafts = await withoutRetiredTraces(context, lines);
  const segments = await cutIntoSegments(drafts, scheduler);
  const planned = segments.map((segment, index) => ({
    path: importedPath(root, segment.lane, { day, tag }, index),
    encode: async () => {
      while (scheduler.isDue) await scheduler.yieldNow(); // several files are written at a time
      return encodeSegment(origin, segment);
    },
  }));
  if (!isDryRun && planned.length > 0) await writeFiles(files, root, planned);
  const { read, duplicates, troubles, leftOut } = stats;
  return {
    origin,
    read,
    duplicates,
    kinds: context.kinds,
    archived: context.archived,
    troubles,
    leftOut: [...leftOut].map(([why, count]) => ({ why, count })),
    renamings: context.names.renamings,
    secrets: await findSecretPlaces(drafts, scheduler),
    files: planned.map(({ path }) => path),
  };
}

async function findSecretPlaces(
  drafts: readonly StampedDraft[],
  scheduler: Scheduler,
): Promise<SecretPlace[]> {
  const places: SecretPlace[] = [];
  for (const { lane, t, d } of drafts) {
    await scheduler.yieldIfDue();
    const fields = lane === 'trace' ? [] : secretFields(d); // traces are redacted
    const name = [textAt(d, 'name'), textAt(d, 'title')].find((text) => text !== '') ?? t;
    if (fields.length > 0) places.push({ name, fields });
  }
  return places;
}

function nothingFoundText(origin: Origin, sources: readonly ForeignFile[]): string {
  const subject =
    sources.length === 1
      ? `"${clip(sources[0]!.name, 200)}" contains`
      : `The ${sources.length} files contain`;
  return `${subject} nothing of ${ORIGIN_NAMES[origin]} that can be imported. Choose ${EXPECTED_SOURCES[origin]}.`;
}

function readForeign(
  origin: Origin,
  files: readonly ForeignFile[],
  {
    excludedFolders,
    stats,
    scheduler,
  }: { excludedFolders: readonly string[]; stats: ReadStats; scheduler: Scheduler },
): Promise<ForeignMemory> {
  switch (origin) {
    case 'nexus':
      return readNexus(files, excludedFolders, stats, scheduler);
    case 'server-memory':
      return readServerMemory(files, stats, scheduler);
    case 'basic-memory':
      return readBasicMemory(files, stats, scheduler);
  }
}

async function addAll(
  context: ImportContext,
  { workspaces, states, records, traces, conversations, messages }: ForeignMemory,
): Promise<void> {
  const workspaceIds = new Map<string, string>();
  await eachWithId(context, 'workspace', chronological(workspaces), keyOf, (workspace, id) => {
    workspaceIds.set(workspace.key, id);
    addWorkspace(context, id, workspace);
  });
  const stateIds = new Map<string, string>();
  await eachWithId(context, 'state', chronological(states), stateKeyOf, (state, id) => {
    stateIds.set(state.key, id);
    return addState(context, id, workspaceIds.get(state.workspace)!, state);
  });
  const recordIds = new Map<string, string>();
  // A record may name one that comes later.
  await eachWithId(context, 'record', records, keyOf, ({ key }, id) => {
    recordIds.set(key, id);
  });
  const ids = { workspaces: workspaceIds, states: stateIds, records: recordIds };
  await eachWithId(context, 'record', chronological(records), keyOf, (record, id) =>
    addRecord(context, id, ids, record),
  );
  await eachWithId(context, 'trace', traces, keyOf, (trace, id) =>
    addTrace(context, id, workspaceIds.get(trace.workspace)!, trace),
  );
  const conversationIds = new Map<string, string>();
  await eachWithId(context, 'conversation', conversations, keyOf, (conversation, id) => {
    conversationIds.set(conversation.key, id);
    addConversation(context, id, workspaceIds, conversation);
  });
  const messageIds = new Map<string, string | undefined>();
  await eachWithId(context, 'message', messages, messageKeyOf, (message, id) =>
    addMessage(context, id, conversationIds.get(message.conversation)!, messageIds, message),
  );
}

function keyOf({ key }: { readonly key: string }): string[] {
  return [key];
}

function stateKeyOf({ key, isVersioned, content }: ForeignState): string[] {
  return [key, isVersioned ? canonicalStateText(content) : ''];
}

function messageKeyOf({ conversation, key, content }: ForeignMessage): string[] {
  return [conversation, key, JSON.stringify(content)];
}

/** Number of ids created at a time. One by one, each would wait for a task of the event loop. */
const ID_BATCH_SIZE = 256;

/** Calls `use` with each item and its id in this vault, in order. */
async function eachWithId<T>(
  { origin, scheduler }: ImportContext,
  kind: string,
  items: readonly T[],
  keysOf: (item: T) => readonly string[],
  use: (item: T, id: string) => void | Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += ID_BATCH_SIZE) {
    const batch = items.slice(at, at + ID_BATCH_SIZE);
    const ids = await Promise.all(batch.map((item) => entityIdFrom(origin, kind, ...keysOf(item))));
    for (const [index, item] of batch.entries()) {
      await scheduler.yieldIfDue();
      await use(item, ids[index]!);
    }
  }
}

/** Sorts by time, then by key, so that the earliest of the items that share a name keeps it. */
function chronological<T extends { readonly at: number | undefined; readonly key: string }>(
  items: readonly T[],
): T[] {
  return [...items].sort(
    (a, b) => (a.at ?? Infinity) - (b.at ?? Infinity) || compareText(a.key, b.key),
  );
}
