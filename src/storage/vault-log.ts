import { CALL_KEY, type Draft, type LogEvent } from '../model/event.js';
import { effectOf, type Memory } from '../model/memory.js';
import { type Message } from '../model/message.js';
import { pathMoves } from '../model/moves/path-moves.js';
import { type Trace } from '../model/trace.js';
import { Scheduler } from '../platform/scheduler.js';
import { ChangeFeed, type LogChange } from './change-feed.js';
import { HybridClock } from './format/hybrid-clock.js';
import { LANES, laneOf, type LaneName } from './format/lanes.js';
import { Forgetting } from './forget/forgetting.js';
import { Healer } from './integrity/healer.js';
import { Retention } from './integrity/retention.js';
import { Retirements } from './integrity/retirements.js';
import { watermarkOf, type SeenWriter } from './format/watermark.js';
import { Watermarks } from './integrity/watermarks.js';
import type { LaneHooks } from './lane-options.js';
import { Lane } from './lane.js';
import { EventIndex } from './read/event-index.js';
import type { LocatedEvent } from './read/reader.js';
import { OnDemandReads } from './on-demand-reads.js';
import type { WriterIndex } from './read/writer-index.js';
import { VaultIdentity } from './data-folder/vault-identity.js';
import { hasReadme, writeReadme } from './data-folder/readme.js';
import { troubleOf } from './log-trouble.js';
import type { Decide, Log, LogOptions, LogTrouble, TraceEntry, TraceList } from './log.js';

export function createLog(options: LogOptions): Log {
  return new VaultLog(options);
}

class VaultLog implements Log {
  readonly #options: LogOptions;
  readonly #scheduler: Scheduler;
  readonly #writers: WriterIndex = new Map();
  readonly #vault = new VaultIdentity();
  readonly #retirements = new Retirements();
  readonly #traceIndex = new EventIndex('trace');
  readonly #messageIndex = new EventIndex('chat');
  readonly #reads: OnDemandReads;
  readonly forgetting: Forgetting;
  readonly #feed: ChangeFeed;
  readonly #watermarks: Watermarks;
  readonly #healer?: Healer;
  readonly #retention?: Retention;
  readonly #core: Lane;
  readonly #chat: Lane;
  readonly #trace: Lane;
  readonly #lanes: readonly Lane[];
  /** False if a scan found no id and no README: the user removed the data folder, or it is new. */
  #hasDataFolder = true;
  #idCount = 0;
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
      device: options.device,
      ownWriters: () => {
        return { core: this.#core.writer, others: [this.#chat.writer, this.#trace.writer] };
      },
      write: (draft) => this.#core.append(draft),
    });
    const { copies, traceLimits } = options;
    this.forgetting = new Forgetting({
      log: options,
      scheduler: this.#scheduler,
      writers: this.#writers,
      lanes: () => ({ core: this.#core, chat: this.#chat, trace: this.#trace }),
      vaultIds: () => this.#vault.ids,
      onChange: () => {
        this.#traceIndex.invalidateLists();
        this.#feed.publish({ traces: true, chat: true });
      },
    });
    if (copies)
      this.#healer = new Healer({
        ...options,
        copies,
        writers: this.#writers,
        scheduler: this.#scheduler,
        vaultId: () => this.#vault.idIn(this.#core.memory),
        vaultIds: () => this.#vault.ids,
        ...this.forgetting.healerOptions(),
        onLost: (last) => this.#watermarks.reportLost(last),
      });
    if (traceLimits)
      this.#retention = new Retention({
        ...options,
        limits: traceLimits,
        retired: this.#retirements,
        writer: () => this.#trace.writer,
        catchUp: () => this.#core.catchUp(),
        write: (decide) => this.#core.append(decide),
      });
    const hybridClock = new HybridClock(clock);
    this.#core = this.#openLane('core', hybridClock, this.#coreHooks());
    this.#chat = this.#openLane('chat', hybridClock, this.#sideHooks('chat'));
    this.#trace = this.#openLane('trace', hybridClock, this.#sideHooks('trace'));
    this.#lanes = [this.#core, this.#chat, this.#trace];
    this.#reads = new OnDemandReads({
      ...options,
      scheduler: this.#scheduler,
      trace: this.#trace,
      chat: this.#chat,
      traceIndex: this.#traceIndex,
      messageIndex: this.#messageIndex,
      readCore: () => this.#readCore(),
      moves: () => pathMoves(this.#core.memory),
      isRetired: ({ w, n }) => this.#retirements.retiredAt(w, n) !== undefined,
      isForgotten: (stamp) => this.forgetting.isHidden(stamp),
    });
  }

  async memory(): Promise<Memory> {
    await this.#core.catchUp();
    return this.#core.memory;
  }

  async write<T>(decide: Decide<T>, call?: string): Promise<T | undefined> {
    await this.#readCore();
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

  async writeTrace(draft: Draft, when?: 'soon'): Promise<void> {
    await this.#trace.append(() => [draft], when);
  }

  traceEntries(workspaceId: string): Promise<readonly TraceEntry[]> {
    return this.#reads.traceEntries(workspaceId);
  }

  traceList(workspaceId: string): Promise<TraceList> {
    return this.#reads.traceList(workspaceId);
  }

  async readTraces(entries: readonly TraceEntry[]): Promise<Trace[]> {
    return (await this.tracesAt(entries)).filter((trace) => trace !== undefined);
  }

  tracesAt(entries: readonly TraceEntry[]): Promise<(Trace | undefined)[]> {
    return this.#reads.tracesAt(entries);
  }

  recentTraces(workspaceId: string, limit: number): Promise<Trace[]> {
    return this.#reads.recentTraces(workspaceId, limit);
  }

  recentCheckpoints(limit: number): Promise<Trace[]> {
    return this.#reads.recentCheckpoints(limit);
  }

  async conversations(): Promise<Memory> {
    await this.#readCore();
    await this.#chat.catchUp();
    return this.#chat.memory;
  }

  messages(conversationId: string): Promise<Message[]> {
    return this.#reads.messages(conversationId);
  }

  async writeChat(draft: Draft): Promise<LogEvent> {
    const written = await this.#chat.append(() => [draft]);
    return written.find(({ event }) => event.e === draft.e && event.t === draft.t)!.event;
  }

  async heal(memoryId?: string): Promise<number> {
    await this.#core.catchUp();
    const healed = (await this.#healer?.healNow(memoryId)) ?? 0;
    if (healed > 0) await this.#core.catchUp();
    return healed;
  }

  trouble(): LogTrouble {
    return troubleOf(this.#healer, this.#core.waiting, this.#watermarks, this.#writers);
  }

  onChange(listener: (change: LogChange) => void): () => void {
    return this.#feed.subscribe(listener);
  }

  async releaseWriters(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.drain()));
    await this.#watermarks.announce();
    await Promise.all(this.#lanes.map((lane) => lane.release())).catch((error: unknown) =>
      this.#options.warn(`A writer could not be stored for next time: ${String(error)}`),
    );
  }

  async close(): Promise<void> {
    this.#feed.stop();
    await this.#retention?.stop();
    await this.releaseWriters();
    this.#watermarks.stop();
    await this.forgetting.close();
    await this.#healer?.close();
    await Promise.all(this.#lanes.map((lane) => lane.closeCache()));
  }

  #openLane(name: LaneName, hybridClock: HybridClock, hooks: LaneHooks): Lane {
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
      indexes: [this.#messageIndex, this.#traceIndex],
      hooks: { ...hooks, ...this.forgetting.laneHooks(name) },
    });
  }

  #coreHooks(): LaneHooks {
    const { files, root, random, warn } = this.#options;
    return {
      openSegment: () => {
        const { id, drafts } = this.#vault.forNewSegment(this.#core.memory, random);
        return [this.#segmentDraft(id), ...drafts, ...this.#watermarks.draftForNewSegment()];
      },
      onEvent: (event) => {
        this.#noteVersion(event);
        this.#vault.observe(event);
        this.#checkWriters(event);
        if (!this.#retirements.add(event)) return;
        this.#traceIndex.invalidateLists();
        this.#feed.publish({ traces: true });
      },
      onAbandoned: (last) => this.#noteAbandoned(last),
      onMisplaced: (events) => this.#deliver(events, 'core'),
      onNewLine: (bytes) => this.#healer?.collect(bytes),
      afterScan: async ({ isFirst, takeLoss }) => {
        const { waiting } = this.#core;
        const lanes = [...this.#writers.values()].map(({ lane }) => lane);
        const hasLines = waiting.length > 0 || lanes.includes('core');
        this.#hasDataFolder = hasLines || (await hasReadme(files, root));
        if (!this.#hasDataFolder) await this.#healer?.forgetFolder();
        const { memory } = this.#core;
        const recorded = memory.vault ? [] : ((await this.#healer?.recordedIds()) ?? []);
        await this.#vault.update(memory, recorded, async () => {
          const isKnown = hasLines && (await this.#healer?.isSameFolder());
          return isKnown === true || hasReadme(files, root);
        });
        const idsBefore = this.#idCount;
        this.#idCount = this.#vault.ids.size;
        if (takeLoss()) this.#healer?.scheduleHealing();
        else if (this.#idCount > idsBefore) this.#healer?.schedule();
        await this.#healer?.copyOthers();
        this.#retention?.start();
        const healed = isFirst ? await this.#healer?.check() : undefined;
        const copied = (await this.#healer?.waiting.events(waiting, this.#writers)) ?? [];
        const { kept, isChanged } = await this.forgetting.afterScan(isFirst);
        return { hasWritten: (healed ?? 0) > 0, copied: [...copied, ...kept], isChanged };
      },
      beforeAppend: async (events) => {
        // first: lines without a README count as remains of a folder that the user removed
        if (!events.some(({ t }) => t === 'log.vault')) return;
        await writeReadme(files, root).catch((error: unknown) =>
          warn(`README.md was not written: ${String(error)}`),
        );
      },
      afterAppend: async ({ bytes }) => this.#healer?.copy(bytes),
    };
  }

  #sideHooks(name: LaneName): LaneHooks {
    return {
      openSegment: () => [this.#segmentDraft(undefined)],
      onEvent: (event) => this.#noteVersion(event),
      onAbandoned: (last) => this.#noteAbandoned(last),
      onMisplaced: (events) => this.#deliver(events, name),
    };
  }

  async #readCore(): Promise<void> {
    if (!this.#core.hasRead) await this.#core.catchUp();
  }

  /** Remembers the last event of a writer that cannot be continued. */
  #noteAbandoned(last: SeenWriter): void {
    const isFreshStart = this.#core.hasRead && !this.#hasDataFolder;
    // A power cut may take the last traces; that is not a loss to report.
    if (last.lane !== 'trace' && !isFreshStart) this.#watermarks.setFloor(last);
  }

  /** Passes events to their lanes without waiting, because those may be passing on events too. */
  #deliver(events: readonly LocatedEvent[], folder: LaneName): void {
    for (const lane of this.#lanes) {
      const own = events.filter(({ event }) => laneOf(event, folder) === lane.name);
      if (own.length > 0)
        lane.receive(own).catch((error: unknown) => this.#options.warn(String(error)));
    }
  }

  /** Compares what a watermark mentions with this process's own writers. */
  #checkWriters(event: LogEvent): void {
    for (const seen of watermarkOf(event)?.seen ?? [])
      for (const lane of this.#lanes) lane.checkAnnounced(seen);
  }

  #segmentDraft(vault: string | undefined): Draft {
    const { app, device } = this.#options;
    const d = { fmt: 1, app, device, ...(vault !== undefined && { vault }) };
    return { t: 'log.seg', e: '', d };
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
