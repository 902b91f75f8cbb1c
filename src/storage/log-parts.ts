import type { Draft, LogEvent } from '../model/event.js';
import type { VaultPath } from '../model/paths.js';
import { Scheduler } from '../platform/scheduler.js';
import { createChangeFeed, type ChangeFeed } from './change-feed.js';
import { hasReadme, writeReadme } from './data-folder/readme.js';
import { VaultIdentity } from './data-folder/vault-identity.js';
import { Forgets } from './forget/forgets.js';
import { Forgetter } from './forget/forgetter.js';
import { Forgetting } from './forget/forgetting.js';
import { HybridClock } from './format/hybrid-clock.js';
import { LANES, laneOf, RETIRABLE_LANES, type LaneName } from './format/lanes.js';
import { watermarkOf, type SeenWriter } from './format/watermark.js';
import { Healer } from './integrity/healer.js';
import { Retention, SESSION_LIMITS } from './integrity/retention.js';
import { Retirements } from './integrity/retirements.js';
import { findSiblings } from './integrity/sibling-folders.js';
import { Watermarks } from './integrity/watermarks.js';
import type { CoreScan, CoreScanResult, LaneHooks } from './lane-options.js';
import { Lane } from './lane.js';
import type { LogOptions } from './log.js';
import { EventIndex } from './read/event-index.js';
import type { LocatedEvent } from './read/reader.js';
import { SegmentCache } from './read/segment-cache.js';
import type { WriterIndex } from './read/writer-index.js';
import { LogSegmentWriter } from './write/segment-writer.js';

/** The parts of a log. Each gets what it uses here, and by name. */
export class LogParts {
  readonly #options: LogOptions;
  readonly scheduler: Scheduler;
  readonly #hybridClock: HybridClock;
  readonly #vault = new VaultIdentity();
  readonly retirements = new Retirements();
  /** Of traces and sessions. */
  readonly traceIndex = new EventIndex('trace', 'session');
  readonly messageIndex = new EventIndex('chat');
  readonly forgets: Forgets;
  readonly writers: WriterIndex = new Map();
  readonly feed: ChangeFeed;
  readonly watermarks: Watermarks;
  readonly forgetting: Forgetting;
  readonly healer: Healer | undefined;
  readonly retentions: readonly Retention[];
  readonly core: Lane;
  readonly chat: Lane;
  readonly trace: Lane;
  readonly session: Lane;
  readonly lanes: readonly Lane[];
  /** False if a scan found no id and no README: the user removed the data folder, or it is new. */
  #hasDataFolder = true;
  /** Folders that may be the data folder under another name, while it has no lines. */
  siblings: readonly VaultPath[] = [];
  #isCacheFailing = false;
  #hasMetNewer = false;

  constructor(options: LogOptions) {
    const { clock, copies, traceLimits: limits, warn } = options;
    this.#options = options;
    this.scheduler = new Scheduler(clock, options.yieldToHost);
    this.#hybridClock = new HybridClock(clock);
    this.forgets = new Forgets({ store: options.forgetStore, clock, warn });
    this.feed = createChangeFeed({
      watch: options.watch,
      clock,
      warn,
      invalidate: (path) => {
        for (const lane of this.lanes) lane.invalidate(path);
      },
      refresh: async () => {
        const read = this.lanes.filter(({ hasRead }) => hasRead);
        await Promise.all(read.map((lane) => lane.catchUp()));
      },
    });
    this.watermarks = new Watermarks({
      ...options,
      writers: this.writers,
      ownWriters: () => {
        return {
          core: this.core.writer,
          others: [this.chat.writer, this.trace.writer, this.session.writer],
        };
      },
      write: (draft) => this.core.append(draft),
    });
    this.forgetting = this.#createForgetting();
    this.healer =
      copies &&
      new Healer({
        ...options,
        copies,
        writers: this.writers,
        scheduler: this.scheduler,
        vaultId: () => this.#vault.idIn(this.core.memory),
        vaultIds: () => this.#vault.ids,
        forgotten: this.forgets.lines,
        withoutDue: (lines, events) => this.forgetting.withoutDue(lines, events),
        onLost: (last) => this.watermarks.reportLost(last),
      });
    const limitsOf = { trace: limits, session: limits && SESSION_LIMITS };
    this.retentions = RETIRABLE_LANES.flatMap((lane) => {
      const own = limitsOf[lane];
      if (!own) return [];
      return new Retention({
        ...options,
        lane,
        limits: own,
        retired: this.retirements,
        writer: () => this[lane].writer,
        catchUp: () => this.core.catchUp(),
        write: (decide) => this.core.append(decide),
      });
    });
    this.core = this.#openLane('core', this.#coreHooks());
    this.chat = this.#openLane('chat', this.#sideHooks('chat'));
    this.trace = this.#openLane('trace', this.#sideHooks('trace'));
    this.session = this.#openLane('session', this.#sideHooks('session'));
    this.lanes = [this.core, this.chat, this.trace, this.session];
  }

  #createForgetting(): Forgetting {
    const { forgets, scheduler } = this;
    const forgetter = new Forgetter({
      program: 'program',
      ...this.#options,
      forgets,
      scheduler,
      vaultIds: () => this.#copiedIds(),
      seal: (lane, path) => this[lane].sealAt(path),
      onLost: () => this.forgetting.refoldAll(),
      onHeld: () => this.feed.publish({ memory: true }),
      onRewritten: (lane, path) => this[lane].invalidate(path),
    });
    return new Forgetting({
      ...this.#options,
      forgets,
      forgetter,
      copiedIds: () => this.#copiedIds(),
      scheduler,
      writers: this.writers,
      core: () => this.core,
      chat: () => this.chat,
      onChange: () => {
        this.traceIndex.invalidateLists();
        this.feed.publish({ traces: true, chat: true });
      },
    });
  }

  #openLane(name: LaneName, hooks: LaneHooks): Lane {
    const { files, clock, cache, cachedLanes = LANES } = this.#options;
    const warn = (message: string) => this.#onCacheFailure(message);
    const { scheduler, writers, watermarks, feed } = this;
    const hybridClock = this.#hybridClock;
    return new Lane({
      ...this.#options,
      name,
      hybridClock,
      scheduler,
      writers,
      watermarks,
      feed,
      createWriter: () =>
        new LogSegmentWriter({
          ...this.#options,
          lane: name,
          hybridClock,
          writers,
          announced: (writer) => watermarks.announced(writer),
          onOpen: (writer) => this.#noteOwn(writer),
        }),
      cache:
        cache && cachedLanes.includes(name)
          ? new SegmentCache({ cache, lane: name, files, clock, scheduler, warn })
          : undefined,
      indexes: [this.messageIndex, this.traceIndex],
      hooks,
    });
  }

  #coreHooks(): LaneHooks {
    const { files, root, random, warn } = this.#options;
    return {
      openSegment: () => {
        const { id, drafts } = this.#vault.forNewSegment(this.core.memory, random);
        return [this.#segmentDraft(id), ...drafts, ...this.watermarks.draftForNewSegment()];
      },
      onEvent: (event) => {
        this.#noteVersion(event);
        this.#vault.observe(event);
        this.#checkWriters(event);
        this.retirements.add(event);
      },
      isHidden: (event) => this.forgets.isHiddenEvent(event),
      onForget: (events) => this.forgetting.take(events),
      copied: () => this.forgetting.copiedEvents(),
      onLines: (lines) => this.forgets.meet(lines.map(({ event }) => event)),
      onNewLine: (bytes) => this.healer?.collect(bytes),
      onAbandoned: (last) => this.#noteAbandoned(last),
      onMisplaced: (events) => this.#deliver(events, 'core'),
      afterScan: (scan) => this.#afterCoreScan(scan),
      beforeAppend: async (events) => {
        // first: lines without a README count as remains of a folder that the user removed
        if (!events.some(({ t }) => t === 'log.vault')) return;
        await writeReadme(files, root).catch((error: unknown) =>
          warn(`README.md was not written: ${String(error)}`),
        );
      },
      afterAppend: async ({ bytes }) => this.healer?.copy(bytes),
    };
  }

  #sideHooks(name: LaneName): LaneHooks {
    return {
      openSegment: () => [this.#segmentDraft(undefined)],
      onEvent: (event) => this.#noteVersion(event),
      isHidden: (event) => this.forgets.isHiddenEvent(event),
      onLines: (lines) => this.forgets.meet(lines.map(({ event }) => event)),
      onAbandoned: (last) => this.#noteAbandoned(last),
      onMisplaced: (events) => this.#deliver(events, name),
    };
  }

  /** Heals, retires and forgets what is due, and returns what the lane has to take in. */
  async #afterCoreScan({ isFirst, takeLoss }: CoreScan): Promise<CoreScanResult> {
    const { files, root } = this.#options;
    const { memory, waiting } = this.core;
    const writers = this.writers;
    const healer = this.healer;
    const hasLines =
      waiting.length > 0 || [...writers.values()].some(({ lane }) => lane === 'core');
    if (hasLines) this.siblings = [];
    else if (isFirst) this.siblings = await findSiblings(files, root);
    this.#hasDataFolder = hasLines || (await hasReadme(files, root));
    if (!this.#hasDataFolder) await healer?.forgetFolder();
    const recorded = memory.vault ? [] : ((await healer?.recordedIds()) ?? []);
    const hasMoreIds = await this.#vault.update(memory, recorded, async () => {
      const isKnown = hasLines && (await healer?.isSameFolder());
      return isKnown === true || hasReadme(files, root);
    });
    if (takeLoss()) healer?.scheduleHealing();
    else if (hasMoreIds) healer?.schedule();
    await healer?.copyOthers();
    for (const retention of this.retentions) retention.start();
    const healed = isFirst ? await healer?.check() : undefined;
    // a backup may have brought back lines of any lane
    if (healed) this.forgetting.reportLate();
    const copied = (await healer?.waiting.events(waiting, writers)) ?? [];
    const { kept, isChanged } = await this.forgetting.afterScan(isFirst);
    return { hasWritten: (healed ?? 0) > 0, copied: [...copied, ...kept], isChanged };
  }

  /** Returns the ids of the memories of which this device may have copies. */
  async #copiedIds(): Promise<Set<string>> {
    const record = await this.#options.copies?.loadRecord();
    return new Set([...this.#vault.ids, ...(record?.ids ?? []), ...(record?.formerIds ?? [])]);
  }

  /** Remembers on this device that it is the writer. A failure only costs its user a question. */
  async #noteOwn(writer: string): Promise<void> {
    const { deviceStore, warn } = this.#options;
    await deviceStore?.addOwn(writer).catch((error: unknown) => {
      warn(`This device could not note that it writes as ${writer}: ${String(error)}`);
    });
  }

  /** Remembers the last event of a writer that cannot be continued. */
  #noteAbandoned(last: SeenWriter): void {
    const isFreshStart = this.core.hasRead && !this.#hasDataFolder;
    // A power cut may take the last traces; that is not a loss to report.
    if (last.lane !== 'trace' && !isFreshStart) this.watermarks.setFloor(last);
  }

  /** Passes events to their lanes without waiting, because those may be passing on events too. */
  #deliver(events: readonly LocatedEvent[], folder: LaneName): void {
    for (const lane of this.lanes) {
      const own = events.filter(({ event }) => laneOf(event, folder) === lane.name);
      if (own.length > 0)
        lane.receive(own).catch((error: unknown) => this.#options.warn(String(error)));
    }
  }

  /** Compares what a watermark mentions with this process's own writers. */
  #checkWriters(event: LogEvent): void {
    for (const seen of watermarkOf(event)?.seen ?? [])
      for (const lane of this.lanes) lane.checkAnnounced(seen);
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
