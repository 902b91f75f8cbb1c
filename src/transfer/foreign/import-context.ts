import type { Draft, LogEvent } from '../../model/event.js';
import { emptyMemory, entityOf, fold, registerOf, type Memory } from '../../model/memory.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { nextTimestamp, type LaneName, type LogLine } from '../../storage/index.js';
import { addLeftOut, type Origin, type ReadStats, type SourceLocation } from './foreign-memory.js';
import { fitsInLine, type StampedDraft } from './import-segments.js';
import { createNameAllocator, type NameAllocator } from './naming.js';

const IMPORTED_KINDS = [
  'workspaces',
  'states',
  'records',
  'traces',
  'conversations',
  'messages',
  'changes',
] as const;

/** `changes` affect fields, a title or workspace, a record, or an archived flag. */
export type ImportedKind = (typeof IMPORTED_KINDS)[number];

export const ORIGIN_NAMES: Readonly<Record<Origin, string>> = {
  nexus: 'Nexus',
  'server-memory': 'server-memory',
  'basic-memory': 'Basic Memory',
};

export type LaneEvent = Pick<LogLine, 'event' | 'lane'>;

/** State of one import, with the vault's memory before it and the events drafted so far. */
export interface ImportContext {
  readonly origin: Origin;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly memory: Memory;
  readonly conversations: Memory;
  /** Identities of the events that the vault has, see `identityOf`. */
  readonly known: ReadonlySet<string>;
  /** Ids of what was imported before, and forgotten since. */
  readonly forgotten: ReadonlySet<string>;
  readonly names: NameAllocator;
  readonly stats: ReadStats;
  readonly scheduler: Scheduler;
  readonly drafts: StampedDraft[];
  readonly kinds: Record<ImportedKind, { added: number; known: number }>;
  /** Number of workspaces, states and conversations that end up archived. */
  archived: number;
}

type ImportSettings = Pick<ImportContext, 'origin' | 'now' | 'forgotten' | 'stats' | 'scheduler'>;

export async function createImportContext(
  { origin, now, forgotten, stats, scheduler }: ImportSettings,
  lines: readonly LaneEvent[],
): Promise<ImportContext> {
  const memory = await foldLane(lines, 'core', scheduler);
  const known = new Set<string>();
  for (const { event } of lines) {
    await scheduler.yieldIfDue();
    if (IMPORTED_EVENTS.has(event.t)) known.add(identityOf(event));
  }
  return {
    origin,
    now,
    forgotten,
    memory,
    conversations: await foldLane(lines, 'chat', scheduler),
    known,
    stats,
    scheduler,
    names: createNameAllocator(memory, ORIGIN_NAMES[origin]),
    drafts: [],
    archived: 0,
    kinds: Object.fromEntries(
      IMPORTED_KINDS.map((kind) => [kind, { added: 0, known: 0 }]),
    ) as ImportContext['kinds'],
  };
}

const IMPORTED_EVENTS = new Set([
  'ws.new',
  'state.new',
  'record.new',
  'trace.new',
  'conv.new',
  'msg.new',
  'set',
]);
const FOLD_BATCH_SIZE = 500;

async function foldLane(
  lines: readonly LaneEvent[],
  lane: LaneName,
  scheduler: Scheduler,
): Promise<Memory> {
  const owner = {};
  let memory = emptyMemory;
  const events = lines.flatMap((line) => (line.lane === lane ? [line.event] : []));
  for (let at = 0; at < events.length; at += FOLD_BATCH_SIZE) {
    await scheduler.yieldIfDue();
    memory = fold(memory, events.slice(at, at + FOLD_BATCH_SIZE), owner);
  }
  return memory;
}

/** Identifies a creation by its entity, a change by all but its name, as names may be taken. */
function identityOf({ t, e, h, d }: Pick<LogEvent, 't' | 'e' | 'h' | 'd'>): string {
  if (t !== 'set') return `${t} ${e}`;
  const values = Object.entries(d).map(([path, value]) =>
    path === '/name' ? path : [path, value],
  );
  return `set ${e} ${h} ${JSON.stringify(values)}`;
}

interface Candidate {
  readonly kind: ImportedKind;
  readonly lane: LaneName;
  readonly location: SourceLocation;
  readonly draft: Draft;
  /** By default that of `at`, the time at the source. */
  readonly h?: string;
  readonly at?: number | undefined;
  /** Overrides the lookup among the vault's events. */
  readonly isKnown?: boolean;
}

/** Returns true if the log contains the draft's event after the import. */
export function addUnlessKnown(
  context: ImportContext,
  { kind, lane, location, draft, at, h = timestampAt(context, at), isKnown }: Candidate,
): boolean {
  const { known, forgotten, kinds, drafts, stats } = context;
  if (isKnown ?? known.has(identityOf({ ...draft, h }))) {
    kinds[kind].known++;
    return true;
  }
  const { conv } = draft.d;
  if (forgotten.has(draft.e) || (typeof conv === 'string' && forgotten.has(conv))) {
    addLeftOut(stats, 'forgotten');
    return false;
  }
  if (!fitsInLine(draft)) {
    stats.troubles.push({ ...location, kind: 'tooLong' });
    return false;
  }
  kinds[kind].added++;
  drafts.push({ ...draft, lane, h });
  return true;
}

/** `d` holds the registers to set. */
export interface ForeignChange {
  readonly at: number;
  readonly d: Draft['d'];
}

/**
 * Adds successive changes of one entity, which is counted if they leave it archived. Changes in the
 * same millisecond keep their order.
 */
export function addChanges(
  context: ImportContext,
  { lane, id, location }: Pick<Candidate, 'lane' | 'location'> & { readonly id: string },
  changes: readonly ForeignChange[],
): void {
  const flags = changes.flatMap(({ d }) => d['/isArchived'] ?? []);
  if (flags.at(-1) === true) context.archived++;
  const memory = lane === 'core' ? context.memory : context.conversations;
  let last = '';
  let count = 0;
  for (const { at, d } of changes) {
    if (Object.keys(d).length === 0) continue;
    const plain = timestampAt(context, at);
    count = plain === last ? count + 1 : 1;
    last = plain;
    const h = timestampAt(context, at, count);
    // A future change is dated to the import, so that its values identify it instead of its time.
    const isKnown =
      at > context.now &&
      Object.entries(d).every(
        ([path, value]) =>
          JSON.stringify(registerOf(entityOf(memory, id), path)) === JSON.stringify(value),
      );
    addUnlessKnown(context, {
      kind: 'changes',
      lane,
      location,
      draft: { t: 'set', e: id, d },
      h,
      ...(isKnown && { isKnown }),
    });
  }
}

/** Returns a hybrid clock reading, not later than the import. `count` orders equal times. */
export function timestampAt({ now }: ImportContext, at: number | undefined, count = 0): string {
  const text = nextTimestamp('', Math.min(at ?? now, now));
  return `${text.slice(0, 25)}${count.toString(16).padStart(4, '0')}`;
}
