import { CALL_KEY, type Draft, type LogEvent } from '../model/event.js';
import { effectOf, type Memory } from '../model/memory.js';
import { messageOf, type Message } from '../model/message.js';
import type { VaultPath } from '../model/paths.js';
import { traceOf, type Trace } from '../model/trace.js';
import type { Clock } from '../platform/clock.js';
import type { Files } from '../platform/files.js';
import type { Random } from '../platform/random.js';
import { Scheduler } from '../platform/scheduler.js';
import { ChangeFeed, type FileWatch, type LogChange } from './change-feed.js';
import { HybridClock } from './format/hybrid-clock.js';
import { LANES, ON_DEMAND_EVENTS, type LaneName } from './format/lanes.js';
import type { Copies } from './integrity/copies.js';
import { Healer } from './integrity/healer.js';
import { Retention, type TraceLimits } from './integrity/retention.js';
import { Retirements } from './integrity/retirements.js';
import { Watermarks } from './integrity/watermarks.js';
import { Lane, type LaneHooks } from './lane.js';
import type { Cache } from './read/cache.js';
import { EventIndex } from './read/event-index.js';
import { newestFirst, type EventList, type EventLocation } from './read/event-list.js';
import { readEventsAt } from './read/read-events.js';
import type { WriterIndex } from './read/writer-index.js';
import { VaultIdentity } from './data-folder/vault-identity.js';
import { hasReadme, writeReadme } from './data-folder/readme.js';
import type { Identities } from './write/writer-identity.js';

export interface LogOptions {
  readonly files: Files;
  /** The data folder, a vault path. */
  readonly root: VaultPath;
  readonly identities: Identities;
  /** The store for copies of the lines that this device writes; without it nothing heals. */
  readonly copies?: Copies;
  /** The store for segments that were read, for the next start. */
  readonly cache?: Cache;
  /** The lanes to cache; all by default. */
  readonly cachedLanes?: readonly LaneName[];
  readonly clock: Clock;
  readonly random: Random;
  /** Program and version, for people who look into a segment. */
  readonly app: string;
  /** This device's name in its segments, which only needs to differ from those of the user's other devices. */
  readonly device: string;
  /** Called when a background task fails. */
  readonly warn: (message: string) => void;
  /** Called once if a newer version of this program has written events that this one does not understand. */
  readonly onNewerVersion?: () => void;
  /** Resolves when the host has had its turn during long reads. Without it, reading does not yield. */
  readonly yieldToHost?: () => Promise<void>;
  /** The limits of traces, read at each run. Without them, as for a read-only program, this process removes no traces. */
  readonly traceLimits?: TraceLimits;
  /** The file watcher to use while there are listeners. Without it, changes of other programs show with the next call. */
  readonly watch?: FileWatch;
}

/**
 * Decides on a write: returns the events to add, and the caller's result as `answer`. Throws a `Refusal` to write nothing. The memory is
 * the one that all earlier writes will leave. It is valid only during the call, since later writes change it in place.
 */
export type Decide<T> = (memory: Memory) => { drafts: readonly Draft[]; answer: T };

/** The location of a trace. */
export type TraceEntry = EventLocation;

/** Traces of one workspace, earliest first. */
export type TraceList = EventList;

/** The event log of one vault, which is the source of truth, and the memory folded from it. */
export interface Log {
  /** Returns the memory with everything that is in the data folder at the time of the call. */
  memory(): Promise<Memory>;
  /**
   * Decides on the memory as it was last read, and appends the events; resolves once they would survive a power cut, if the platform can
   * promise that. Call `memory()` first to include what others have written since. If a write with the key `call` has already taken
   * effect, it writes nothing and returns undefined.
   */
  write<T>(decide: Decide<T>, call?: string): Promise<T | undefined>;
  /** Appends to the trace lane; does not wait for the disk. */
  writeTrace(draft: Draft): Promise<void>;
  /** Returns the traces of a workspace that are not retired, newest first. */
  traceEntries(workspaceId: string): Promise<readonly TraceEntry[]>;
  /** Returns the same traces, earliest first, as a list that later lists continue. */
  traceList(workspaceId: string): Promise<TraceList>;
  readTraces(entries: readonly TraceEntry[]): Promise<Trace[]>;
  /** Returns the conversations: a memory that is folded from the chat lane alone. */
  conversations(): Promise<Memory>;
  /** Returns the messages of a conversation, newest first. */
  messages(conversationId: string): Promise<Message[]>;
  /** Appends to the chat lane, as durably as `write` does, and returns the event. */
  writeChat(draft: Draft): Promise<LogEvent>;
  /**
   * Calls the listener after the memory, the traces or the chats have changed: at once for what this process writes or reads; for
   * what others write as soon as `watch` reports it, but only in lanes that have been read. Returns a function that removes the
   * listener.
   */
  onChange(listener: (change: LogChange) => void): () => void;
  /** Writes what is still to be written, and stores the writers for the next process. Must be the last call. */
  close(): Promise<void>;
}

const FORMAT_VERSION = 1;

export function createLog(options: LogOptions): Log {
  return new VaultLog(options);
}

class VaultLog implements Log {
  readonly #options: LogOptions;
  readonly #scheduler: Scheduler;
  readonly #writers: WriterIndex = new Map();
  readonly #vault = new VaultIdentity();
  readonly #retirements = new Retirements();
  readonly #traceIndex = new EventIndex(ON_DEMAND_EVENTS.trace);
  readonly #messageIndex = new EventIndex(ON_DEMAND_EVENTS.chat);
  /** By workspace, the last result of `traceEntries` and the list that it was made of. */
  readonly #newestTraces = new Map<
    string,
    { readonly list: TraceList; readonly entries: readonly TraceEntry[] }
  >();
  readonly #feed: ChangeFeed;
  readonly #watermarks: Watermarks;
  readonly #healer: Healer | undefined;
  readonly #retention: Retention | undefined;
  readonly #core: Lane;
  readonly #chat: Lane;
  readonly #trace: Lane;
  #isCacheFailing = false;
  #hasMetNewer = false;

  constructor(options: LogOptions) {
    const { clock, watch, warn } = options;
    this.#options = options;
    this.#scheduler = new Scheduler(clock, options.yieldToHost);
    this.#feed = new ChangeFeed({
      watch,
      clock,
      warn,
      invalidate: (path) => {
        for (const lane of this.#lanes) lane.invalidate(path);
      },
      refresh: async () => {
        const read = this.#lanes.filter(({ hasRead }) => hasRead);
        await Promise.all(read.map((lane) => lane.catchUp()));
      },
    });
    this.#watermarks = new Watermarks({
      writers: this.#writers,
      clock,
      warn,
      ownWriters: () => ({
        core: this.#core.writer,
        others: [this.#chat.writer, this.#trace.writer],
      }),
      write: (draft) => this.#core.append(draft),
    });
    const { copies, traceLimits } = options;
    this.#healer =
      copies &&
      new Healer({
        ...options,
        copies,
        writers: this.#writers,
        scheduler: this.#scheduler,
        vaultId: () => this.#vault.idIn(this.#core.memory),
        vaultIds: () => this.#vault.ids,
      });
    this.#retention =
      traceLimits &&
      new Retention({
        ...options,
        limits: traceLimits,
        retired: this.#retirements,
        writer: () => this.#trace.writer,
        catchUp: () => this.#core.catchUp(),
        write: (decide) => this.#core.append(decide),
      });
    const hybridClock = new HybridClock(clock);
    this.#core = this.#openLane('core', hybridClock, this.#coreHooks());
    this.#chat = this.#openLane('chat', hybridClock, this.#sideHooks(), this.#messageIndex);
    this.#trace = this.#openLane('trace', hybridClock, this.#sideHooks(), this.#traceIndex);
  }

  async memory(): Promise<Memory> {
    await this.#core.catchUp();
    return this.#core.memory;
  }

  async write<T>(decide: Decide<T>, call?: string): Promise<T | undefined> {
    if (!this.#core.hasRead) await this.#core.catchUp();
    let answer: T | undefined;
    await this.#core.append((memory) => {
      answer = undefined;
      if (effectOf(memory, call) !== undefined) return [];
      const decided = decide(memory);
      answer = decided.answer;
      return call === undefined
        ? decided.drafts
        : decided.drafts.map((draft) => ({ ...draft, d: { [CALL_KEY]: call, ...draft.d } }));
    });
    return answer;
  }

  async writeTrace(draft: Draft): Promise<void> {
    await this.#trace.append(() => [draft]);
  }

  async traceEntries(workspaceId: string): Promise<readonly TraceEntry[]> {
    const list = await this.traceList(workspaceId);
    const known = this.#newestTraces.get(workspaceId);
    if (known?.list === list) return known.entries;
    const entries = newestFirst(list, known);
    this.#newestTraces.set(workspaceId, { list, entries });
    await this.#scheduler.yieldNow(); // a caller may now show many: that is enough work for one task
    return entries;
  }

  async traceList(workspaceId: string): Promise<TraceList> {
    await this.#trace.catchUp();
    return this.#traceIndex.listOf(workspaceId, {
      isIncluded: ({ w, n }) => this.#retirements.retiredAt(w, n) === undefined,
      scheduler: this.#scheduler,
    });
  }

  async readTraces(entries: readonly TraceEntry[]): Promise<Trace[]> {
    const events = await readEventsAt(this.#options.files, entries, this.#scheduler);
    return events.flatMap((event) => (event ? (traceOf(event) ?? []) : []));
  }

  async conversations(): Promise<Memory> {
    await this.#chat.catchUp();
    return this.#chat.memory;
  }

  async messages(conversationId: string): Promise<Message[]> {
    const scheduler = this.#scheduler;
    await this.#chat.catchUp();
    const locations = await this.#messageIndex.locationsOf(conversationId, { scheduler });
    const events = await readEventsAt(this.#options.files, locations, scheduler);
    return events.flatMap((event) => (event ? (messageOf(event) ?? []) : []));
  }

  async writeChat(draft: Draft): Promise<LogEvent> {
    const written = await this.#chat.append(() => [draft]);
    return written.find(({ event }) => event.e === draft.e && event.t === draft.t)!.event;
  }

  onChange(listener: (change: LogChange) => void): () => void {
    return this.#feed.subscribe(listener);
  }

  async close(): Promise<void> {
    this.#feed.stop();
    await this.#retention?.stop();
    await Promise.all(this.#lanes.map((lane) => lane.drain()));
    await this.#watermarks.announce();
    this.#watermarks.stop();
    await this.#healer?.close();
    await Promise.all(this.#lanes.map((lane) => lane.closeCache()));
    const released = this.#lanes.map((lane) => lane.release());
    await Promise.all(released).catch((error: unknown) =>
      this.#options.warn(`A writer could not be stored for next time: ${String(error)}`),
    );
  }

  get #lanes(): readonly Lane[] {
    return [this.#core, this.#chat, this.#trace];
  }

  #openLane(name: LaneName, hybridClock: HybridClock, hooks: LaneHooks, index?: EventIndex): Lane {
    const { cache, cachedLanes = LANES } = this.#options;
    return new Lane({
      ...this.#options,
      name,
      hybridClock,
      scheduler: this.#scheduler,
      writers: this.#writers,
      watermarks: this.#watermarks,
      feed: this.#feed,
      cache: cachedLanes.includes(name) ? cache : undefined,
      onCacheFailure: (message) => this.#onCacheFailure(message),
      index,
      hooks,
    });
  }

  #coreHooks(): LaneHooks {
    const { files, root, random } = this.#options;
    return {
      openSegment: () => [
        this.#segmentDraft(this.#vault.idIn(this.#core.memory)),
        ...this.#vault.draftFor(this.#core.memory, random),
        ...this.#watermarks.draftForNewSegment(),
      ],
      onEvent: (event) => {
        this.#noteVersion(event);
        this.#vault.observe(event);
        if (!this.#retirements.add(event)) return;
        this.#traceIndex.invalidateLists();
        this.#feed.publish({ traces: true });
      },
      afterScan: async ({ isFirst, takeLoss }) => {
        await this.#vault.update(this.#core.memory, () => hasReadme(files, root));
        if (isFirst) this.#healer?.schedule();
        if (takeLoss()) this.#healer?.reportLoss();
        this.#retention?.start();
      },
      afterAppend: async ({ lines, bytes }) => {
        this.#healer?.copy(bytes);
        if (lines.some(({ event }) => event.t === 'log.vault')) await this.#writeReadme();
      },
    };
  }

  #sideHooks(): LaneHooks {
    return {
      openSegment: () => [this.#segmentDraft(undefined)],
      onEvent: (event) => this.#noteVersion(event),
    };
  }

  #segmentDraft(vault: string | undefined): Draft {
    const { app, device } = this.#options;
    const d = { fmt: FORMAT_VERSION, app, device, ...(vault !== undefined && { vault }) };
    return { t: 'log.seg', e: '', d };
  }

  async #writeReadme(): Promise<void> {
    const { files, root, warn } = this.#options;
    await writeReadme(files, root).catch((error: unknown) =>
      warn(`README.md was not written: ${String(error)}`),
    );
  }

  #noteVersion(event: LogEvent): void {
    if (event.v === 1 || this.#hasMetNewer) return;
    this.#hasMetNewer = true;
    this.#options.onNewerVersion?.();
  }

  /** Warns once, since a store that fails for one lane fails for all. */
  #onCacheFailure(message: string): void {
    if (!this.#isCacheFailing) this.#options.warn(message);
    this.#isCacheFailing = true;
  }
}
