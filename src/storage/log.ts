import { CALL_KEY, compareStamps, type Draft, type LogEvent } from '../model/event.js';
import { effectOf, emptyMemory, fold, type Memory } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import { messageOf, type Message } from '../model/message.js';
import { traceOf, type Trace } from '../model/trace.js';
import { dayOf, LANES, ON_DEMAND_EVENTS, type LaneName } from './format/lanes.js';
import { hasReadme, writeReadme } from './write/data-folder-readme.js';
import type { Cache } from './read/cache.js';
import type { Clock } from '../platform/clock.js';
import { nextTimestamp } from './format/hybrid-clock.js';
import type { Copies } from './integrity/copies.js';
import { FileChangedError, type Files } from '../platform/files.js';
import { createHealer } from './integrity/healer.js';
import { isFork, type WriterIndex } from './read/writer-index.js';
import type { Identities } from './write/writer-identity.js';
import { createKeeper } from './read/segment-cache.js';
import { createMarks } from './integrity/watermarks.js';
import { createEntityId, type Random } from '../platform/random.js';
import { Scheduler } from '../platform/scheduler.js';
import { newestFirst, type EventLocation, type EventList } from './read/event-list.js';
import { createPlaces } from './read/event-index.js';
import { createReader, readEventsAt, type LocatedEvent } from './read/reader.js';
import { createRetention, type TraceLimits } from './integrity/retention.js';
import { createRetired } from './integrity/retirements.js';
import { createSegmentWriter } from './write/segment-writer.js';
import { createWatching, type LogChange, type FileWatch } from './change-feed.js';

export interface LogOptions {
  readonly files: Files;
  /** The data folder, a vault path. */
  readonly root: VaultPath;
  readonly identities: Identities;
  /** Where copies are kept of what this device writes; without them nothing heals. */
  readonly copies?: Copies;
  /** Where is kept what was read, so that the next start need not read it again. */
  readonly cache?: Cache;
  /** The lanes of which it is kept; all, where none are named. */
  readonly cachedLanes?: readonly LaneName[];
  readonly clock: Clock;
  readonly random: Random;
  /** Program and version, for people who look into a segment. */
  readonly app: string;
  /** What this device is called in its segments: no more than tells it from the person's others. */
  readonly device: string;
  /** What a failed background write has to say. */
  readonly warn: (message: string) => void;
  /** Hears, once, that a newer version of this program has written here what this one does not understand. */
  readonly onNewerVersion?: () => void;
  /** Gives the host its turn while much is read: resolves when it has had it. Without it reading goes on without a pause. */
  readonly yieldToHost?: () => Promise<void>;
  /** How long traces are kept; read anew each time. Without it for ever, as with whoever may only read. */
  readonly traceLimits?: TraceLimits;
  /** How to hear of what others write while somebody listens; without it that shows with the next call. */
  readonly watch?: FileWatch;
}

/**
 * What a write makes of the memory it finds: events to add, and the answer for the caller. Throws a `Refusal` to write nothing. The
 * memory is the one that the writes before it will leave, and only to be looked at here: what is written with it changes it further.
 */
export type Decide<T> = (memory: Memory) => { drafts: readonly Draft[]; answer: T };

/** Where a trace stands, and what of it is needed to find it. */
export type TraceEntry = EventLocation;

/** Traces in order, the earliest first. */
export type TraceList = EventList;

/** The event log of one vault: the truth, and the memory folded from it. */
export interface Log {
  /** The memory with everything in it that lies in the folder when this is called. */
  memory(): Promise<Memory>;
  /**
   * Decides on the memory as it was last read and adds what was decided; resolves once it would survive a power cut, where the
   * platform can promise that. Ask for `memory()` first to see what others have written until now. With a `call` key that has taken effect before, nothing is written and undefined is answered.
   */
  write<T>(decide: Decide<T>, call?: string): Promise<T | undefined>;
  /** Adds to the trace lane; resolves once written, without waiting for the disk. */
  writeTrace(draft: Draft): Promise<void>;
  /** Every trace of a workspace that is not retired, newest first. */
  traceEntries(workspaceId: string): Promise<readonly TraceEntry[]>;
  /** The same, earliest first, as a list that grows: for whoever keeps up with it. */
  traceList(workspaceId: string): Promise<TraceList>;
  readTraces(entries: readonly TraceEntry[]): Promise<Trace[]>;
  /** The conversations: a memory that is folded from the chat lane alone. */
  conversations(): Promise<Memory>;
  /** Every message of a conversation, latest first. */
  messages(conversationId: string): Promise<Message[]>;
  /** Adds to the chat lane, durably as `write` does; answers the event as it stands in the log. */
  writeChat(draft: Draft): Promise<LogEvent>;
  /**
   * Calls the listener when the memory or the traces have changed: for what this process writes or reads at once, for what others write
   * as soon as `watch` tells. Reads nothing that was not read before. Answers how to stop listening.
   */
  onChange(listener: (change: LogChange) => void): () => void;
  /** Says what it has seen of others, where it has written itself, and lays its writers down. No call may follow. */
  close(): Promise<void>;
}

const FORMAT = 1;

/** So often at most, some of the sealed segments are looked at again, so many at a time. */
const LOOK_AGAIN_MS = 1000;
const LOOKS_AT_ONCE = 16;

/** So many events take effect between two pauses. */
const EVENTS_AT_ONCE = 500;

/** So often in a row a write is tried with a new writer where something has changed the file. */
const CHANGES_LIMIT = 5;

const RESTLESS =
  'Cannot save: something else changes the files in the data folder as fast as they are written. Nothing was saved; wait until your sync has finished and try again.';

/** One thing to write, waiting for its turn. */
interface Entry {
  decide(memory: Memory): readonly Draft[];
  /** Hears what was written, its own events among it. */
  resolve(written: readonly LocatedEvent[]): void;
  reject(error: unknown): void;
}

export function createLog(options: LogOptions): Log {
  const { files, root, clock, random } = options;
  const scheduler = new Scheduler(clock, options.yieldToHost);
  const holdings: WriterIndex = new Map();
  const traces = createPlaces(ON_DEMAND_EVENTS.trace);
  /** The traces of workspaces that were asked for, the latest first, and of which list they are. */
  const listings = new Map<
    string,
    { readonly list: TraceList; readonly entries: readonly TraceEntry[] }
  >();
  const messages = createPlaces(ON_DEMAND_EVENTS.chat);
  const vaultIds = new Set<string>();
  /** The latest opening of a segment that says which vault it is in: where `log.vault` has vanished, it is told by that. */
  let opening: LogEvent | undefined;
  let isRemnant = false;
  let isCacheFailing = false;
  let hasMetNewer = false;
  const retired = createRetired();
  let memory = emptyMemory;
  let conversations = emptyMemory;
  let lastClock = '';

  const lanes = { core: createLane('core'), chat: createLane('chat'), trace: createLane('trace') };
  const watching = createWatching({
    watch: options.watch,
    clock,
    warn: options.warn,
    suspect(path) {
      for (const { reader } of Object.values(lanes)) reader.invalidate(path);
    },
    async look() {
      await Promise.all(LANES.filter((name) => lanes[name].hasRead).map(catchUp));
    },
  });
  const marks = createMarks({
    writers: holdings,
    clock,
    warn: options.warn,
    ownWriters: () => ({
      core: lanes.core.writer.writer(),
      others: [lanes.chat.writer.writer(), lanes.trace.writer.writer()],
    }),
    write: (draft) => add('core', draft),
  });
  const healer =
    options.copies &&
    createHealer({
      files,
      root,
      copies: options.copies,
      writers: holdings,
      clock,
      random,
      warn: options.warn,
      scheduler,
      vaultId,
      vaultIds: () => vaultIds,
    });

  const retention =
    options.traceLimits &&
    createRetention({
      files,
      root,
      clock,
      limits: options.traceLimits,
      device: options.device,
      retired,
      warn: options.warn,
      writer: () => lanes.trace.writer.writer(),
      catchUp: () => catchUp('core'),
      write: (decide) => add('core', decide),
    });

  function createLane(lane: LaneName) {
    const places = lane === 'core' ? undefined : lane === 'chat' ? messages : traces;
    const { cache, cachedLanes = LANES } = options;
    const isCached = cache && cachedLanes.includes(lane);
    const keeper = isCached
      ? createKeeper({ cache, lane, files, clock, warn: warnOfCache, scheduler })
      : undefined;
    const reader = createReader(files, root, lane, holdings, {
      scheduler,
      cache: keeper,
      ...(places && {
        onLines(path, lines, isWhole) {
          if (!places.update(path, lines, isWhole)) return;
          watching.announce(lane === 'chat' ? { chat: true } : { traces: true });
        },
      }),
    });
    const writer = createSegmentWriter({
      files,
      root,
      lane,
      identities: options.identities,
      random,
      tick: () => (lastClock = nextTimestamp(lastClock, clock.now())),
      sawClock,
      today: () => dayOf(clock.now()),
      mayTakeUp({ writer, n }) {
        const holding = holdings.get(writer);
        return !holding || (holding.lastNumber <= n && holding.forks.size === 0);
      },
      gaveUp({ writer, n }) {
        if (lane !== 'trace') marks.setFloor(writer, n); // the last traces may go in a power cut, and nobody need worry
      },
      preamble: () => (lane === 'core' ? [...vaultDraft(), ...marks.draftForNewSegment()] : []),
      header() {
        const vault = lane === 'core' ? vaultId() : undefined;
        return {
          fmt: FORMAT,
          app: options.app,
          device: options.device,
          ...(vault !== undefined && { vault }),
        };
      },
      wrote(path, info, lines, bytes) {
        reader.recordAppend(path, info, lines);
        takeIn(lane, lines);
        if (lane === 'core') healer?.keep(bytes);
      },
    });
    return {
      reader,
      writer,
      keeper,
      hasRead: false,
      lastLook: clock.now(),
      queue: [] as Entry[],
      /** What the memory will be once what is laid ready is written; undefined where nothing is. */
      laidReady: undefined as Memory | undefined,
      exclusive: createMutex(),
      pendingScan: undefined as Promise<void> | undefined,
      isFlushing: false,
      changesInARow: 0,
    };
  }

  function sawClock(h: string): void {
    if (h > lastClock) lastClock = h;
  }

  /** Lets events that were not held before take effect here. */
  function takeIn(lane: LaneName, lines: readonly LocatedEvent[]): void {
    note(lane, lines);
    if (lane !== 'trace')
      remember(lane, lanes[lane].laidReady ?? fold(foldOf(lane), eventsIn(lines)));
  }

  function foldOf(lane: 'core' | 'chat'): Memory {
    return lane === 'core' ? memory : conversations;
  }

  function remember(lane: 'core' | 'chat', after: Memory): void {
    if (after !== foldOf(lane))
      watching.announce(lane === 'core' ? { memory: true } : { chat: true });
    if (lane === 'core') memory = after;
    else conversations = after;
  }

  /** The same in slices, with a pause between any two; the memory changes once, after the last. */
  async function takeInFound(lane: LaneName, lines: readonly LocatedEvent[]): Promise<void> {
    const owner = {};
    let after = lane === 'trace' ? emptyMemory : foldOf(lane);
    for (let at = 0; at < lines.length; at += EVENTS_AT_ONCE) {
      const slice = lines.slice(at, at + EVENTS_AT_ONCE);
      if (scheduler.isDue) await scheduler.yieldIfDue();
      note(lane, slice);
      if (lane !== 'trace') after = fold(after, eventsIn(slice), owner);
    }
    if (lane !== 'trace') remember(lane, after);
  }

  /** Hears of what has come, the memory aside. */
  function note(lane: LaneName, lines: readonly LocatedEvent[]): void {
    for (const { event } of lines) {
      sawClock(event.h);
      if (event.v > 1 && !hasMetNewer) meetNewer();
      if (lane === 'core') noteVault(event);
      marks.observe(event);
      if (lane !== 'core' || !retired.add(event)) continue;
      traces.invalidateLists();
      watching.announce({ traces: true });
    }
    if (lines.length > 0) marks.schedule();
  }

  function meetNewer(): void {
    hasMetNewer = true;
    options.onNewerVersion?.();
  }

  function noteVault(event: LogEvent): void {
    if (event.v !== 1 || (event.t !== 'log.vault' && event.t !== 'log.seg')) return; // before `d`, which would be read for it
    const id = textIn(event, event.t === 'log.vault' ? 'id' : 'vault');
    if (id === undefined) return;
    if (event.t === 'log.vault') vaultIds.add(id);
    else if (!opening || compareStamps(opening, event) < 0) opening = event;
  }

  /** The vault's id; undefined before it has one. */
  function vaultId(): string | undefined {
    return textIn(memory.vault, 'id') ?? (isRemnant ? textIn(opening, 'vault') : undefined);
  }

  /** Reads what has come. Calls that come while a scan runs share the next one: theirs began too early for them. */
  function catchUp(name: LaneName): Promise<void> {
    const lane = lanes[name];
    lane.pendingScan ??= lane.exclusive(async () => {
      lane.pendingScan = undefined;
      await scan(name);
    });
    return lane.pendingScan;
  }

  async function scan(name: LaneName): Promise<void> {
    const lane = lanes[name];
    const { reader, writer } = lane;
    const found = await reader.scan(isTimeToLook(lane) ? LOOKS_AT_ONCE : 0);
    await takeInFound(name, found);
    if (name === 'core') {
      // Where the README has gone too, the folder was taken away whole, and what is there now belongs to a new beginning.
      isRemnant = !memory.vault && opening !== undefined && (await hasReadme(files, root));
      planHealing();
      retention?.plan();
    }
    lane.hasRead = true;
    // Somebody else uses our writer, or a file was rolled back and has grown anew.
    if (
      found.some(
        ({ event }) =>
          event.w === writer.writer() && (event.n > writer.lastNumber() || isFork(holdings, event)),
      )
    )
      writer.abandon();
  }

  function isTimeToLook(lane: { lastLook: number }): boolean {
    const now = clock.now();
    if (Math.abs(now - lane.lastLook) < LOOK_AGAIN_MS) return false;
    lane.lastLook = now;
    return true;
  }

  function planHealing(): void {
    if (!lanes.core.hasRead) healer?.plan();
    if (lanes.core.reader.takeLoss()) healer?.suspect();
  }

  function add(name: LaneName, decide: Entry['decide']): Promise<readonly LocatedEvent[]> {
    return new Promise((resolve, reject) => {
      lanes[name].queue.push({ decide, resolve, reject });
      void flush(name);
    });
  }

  /** One flush at a time for each lane; all that waits when an append begins goes out with it (group commit). */
  async function flush(name: LaneName): Promise<void> {
    const lane = lanes[name];
    if (lane.isFlushing) return;
    lane.isFlushing = true;
    while (lane.queue.length > 0) await lane.exclusive(() => flushOnce(name));
    lane.isFlushing = false;
  }

  async function flushOnce(name: LaneName): Promise<void> {
    const lane = lanes[name];
    const { writer, queue } = lane;
    const batch: Entry[] = [];
    try {
      await writer.prepare();
      const isFull = stageAll(name, queue, batch);
      const lines = await writer.commit(name !== 'trace');
      lane.laidReady = undefined;
      lane.changesInARow = 0;
      if (lines.some(({ event }) => event.t === 'log.vault'))
        await writeReadme(files, root).catch(warnOfAbout);
      for (const entry of batch.splice(0)) entry.resolve(lines);
      if (isFull) await writer.seal();
    } catch (error) {
      writer.unstage();
      lane.laidReady = undefined;
      marks.schedule(); // one may have been laid ready
      const isChanged = error instanceof FileChangedError;
      if (isChanged && ++lane.changesInARow < CHANGES_LIMIT) return void queue.unshift(...batch); // nothing was written; a new writer will
      lane.changesInARow = 0;
      const failed = batch.length > 0 ? batch : queue.splice(0);
      for (const entry of failed) entry.reject(isChanged ? new Refusal(RESTLESS) : error);
    }
  }

  /** Moves what fits from the queue to the batch, each decided on what those before it will have made of the memory. */
  function stageAll(name: LaneName, queue: Entry[], batch: Entry[]): boolean {
    const lane = lanes[name];
    const owner = {};
    let tentative = memory;
    for (let entry = queue[0]; entry; entry = queue[0]) {
      try {
        const drafts = entry.decide(tentative);
        const mark = name === 'core' && drafts.length > 0 && marks.isDue() ? marks.draft() : [];
        const events = drafts.length > 0 ? lane.writer.stage([...drafts, ...mark]) : [];
        if (events === 'full') return true;
        if (name === 'core') lane.laidReady = tentative = fold(tentative, events, owner);
        batch.push(entry);
      } catch (error) {
        marks.schedule(); // one may have been laid ready
        entry.reject(error);
      }
      queue.shift();
    }
    return false;
  }

  function vaultDraft(): Draft[] {
    return memory.vault
      ? []
      : [{ t: 'log.vault', e: '', d: { id: vaultId() ?? createEntityId(random) } }];
  }

  /** What ails the cache ails it in every lane. */
  function warnOfCache(message: string): void {
    if (!isCacheFailing) options.warn(message);
    isCacheFailing = true;
  }

  function warnOfAbout(error: unknown): void {
    options.warn(`README.md was not written: ${String(error)}`);
  }

  async function traceList(workspaceId: string): Promise<TraceList> {
    await catchUp('trace');
    return traces.listOf(workspaceId, {
      isIncluded: ({ w, n }) => retired.retiredAt(w, n) === undefined,
      scheduler,
    });
  }

  async function write<T>(decide: Decide<T>, call?: string): Promise<T | undefined> {
    if (!lanes.core.hasRead) await catchUp('core');
    let answer: T | undefined;
    await add('core', (current) => {
      answer = undefined;
      if (effectOf(current, call) !== undefined) return [];
      const decided = decide(current);
      answer = decided.answer;
      return call === undefined
        ? decided.drafts
        : decided.drafts.map((draft) => ({ ...draft, d: { [CALL_KEY]: call, ...draft.d } }));
    });
    return answer;
  }

  return {
    async memory() {
      await catchUp('core');
      return memory;
    },
    write,
    async writeTrace(draft) {
      await add('trace', () => [draft]);
    },
    async traceEntries(workspaceId) {
      const list = await traceList(workspaceId);
      const known = listings.get(workspaceId);
      if (known?.list === list) return known.entries;
      const entries = newestFirst(list, known);
      listings.set(workspaceId, { list, entries });
      await scheduler.yieldNow(); // many may be shown now: that is work enough for one task
      return entries;
    },
    traceList,
    async readTraces(entries) {
      const events = await readEventsAt(files, entries, scheduler);
      return events.flatMap((event) => (event ? (traceOf(event) ?? []) : []));
    },
    async conversations() {
      await catchUp('chat');
      return conversations;
    },
    async messages(conversationId) {
      await catchUp('chat');
      const events = await readEventsAt(
        files,
        await messages.locationsOf(conversationId, { scheduler }),
        scheduler,
      );
      return events.flatMap((event) => (event ? (messageOf(event) ?? []) : []));
    },
    async writeChat(draft) {
      const written = await add('chat', () => [draft]);
      return written.find(({ event }) => event.e === draft.e && event.t === draft.t)!.event;
    },
    onChange: (listener) => watching.listen(listener),
    async close() {
      watching.stop();
      await retention?.stop();
      const busy = LANES.filter((name) => lanes[name].isFlushing);
      await Promise.allSettled(busy.map((name) => add(name, () => []))); // each caller hears of its own failure
      await marks.announce();
      marks.stop();
      await healer?.stop();
      await Promise.all(LANES.map(async (name) => lanes[name].keeper?.close()));
      const released = Object.values(lanes).map(({ writer, exclusive }) =>
        exclusive(() => writer.release()),
      );
      await Promise.all(released).catch((error: unknown) =>
        options.warn(`A writer could not be kept for next time: ${String(error)}`),
      );
    },
  };
}

function eventsIn(lines: readonly LocatedEvent[]): LogEvent[] {
  return lines.map(({ event }) => event);
}

function textIn(event: LogEvent | undefined, key: string): string | undefined {
  const value = event?.d[key];
  return typeof value === 'string' ? value : undefined;
}

/** Runs tasks one after another, in the order in which they came. */
function createMutex(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const run = last.then(task, task);
    last = run;
    return run;
  };
}
