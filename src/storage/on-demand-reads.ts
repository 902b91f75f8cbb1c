import type { LogEvent, Stamp } from '../model/event.js';
import { messageOf, type Message } from '../model/message.js';
import type { PathMoves } from '../model/moves/path-moves.js';
import type { VaultPath } from '../model/paths.js';
import { traceOf, type Trace } from '../model/trace.js';
import type { Files } from '../platform/files.js';
import type { Scheduler } from '../platform/scheduler.js';
import type { Lane } from './lane.js';
import type { TraceEntry, TraceList } from './log.js';
import type { EventIndex } from './read/event-index.js';
import { NewestFirst } from './read/event-list.js';
import { readEventsAt } from './read/read-events.js';
import { CHECKPOINTS, findRecentEvents, type RecentQuery } from './read/recent-events.js';

interface OnDemandReadsOptions {
  readonly files: Files;
  readonly root: VaultPath;
  readonly scheduler: Scheduler;
  readonly trace: Lane;
  readonly chat: Lane;
  readonly traceIndex: EventIndex;
  readonly messageIndex: EventIndex;
  /** Reads the core lane, which says what was retired and forgotten, unless it has been read. */
  readonly readCore: () => Promise<void>;
  /** Returns where the paths of earlier traces lead. */
  readonly moves: () => PathMoves;
  readonly isRetired: (stamp: LineStamp) => boolean;
  readonly isForgotten: (stamp: LineStamp) => boolean;
}

type LineStamp = Pick<Stamp, 'w' | 'n' | 'c'>;

/** Reads traces and messages when they are needed. */
export class OnDemandReads {
  readonly #options: OnDemandReadsOptions;
  readonly #newest = new NewestFirst();

  constructor(options: OnDemandReadsOptions) {
    this.#options = options;
  }

  async messages(conversationId: string): Promise<Message[]> {
    const { files, readCore, chat, messageIndex, isForgotten, scheduler } = this.#options;
    await readCore();
    await chat.catchUp();
    const isIncluded = (message: LineStamp) => !isForgotten(message);
    const locations = await messageIndex.locationsOf(conversationId, { scheduler, isIncluded });
    const events = await readEventsAt(files, locations, scheduler);
    return events.flatMap((event) => (event ? (messageOf(event) ?? []) : []));
  }

  async traceEntries(workspaceId: string): Promise<readonly TraceEntry[]> {
    await this.#options.trace.drain();
    const list = await this.traceList(workspaceId);
    const { entries, isNew } = this.#newest.of(workspaceId, list);
    // the caller may show many of them now, which is enough work for one task
    if (isNew) await this.#options.scheduler.yieldNow();
    return entries;
  }

  async traceList(workspaceId: string): Promise<TraceList> {
    const { traceIndex, readCore, trace, scheduler } = this.#options;
    await readCore();
    await trace.catchUp();
    return traceIndex.listOf(workspaceId, { isIncluded: this.#isShown, scheduler });
  }

  async tracesAt(entries: readonly TraceEntry[]): Promise<(Trace | undefined)[]> {
    const { files, scheduler, isForgotten, moves } = this.#options;
    const events = await readEventsAt(files, entries, scheduler);
    return events.map((event) =>
      event && !isForgotten(event) ? traceOf(event, moves()) : undefined,
    );
  }

  async recentTraces(workspaceId: string, limit: number): Promise<Trace[]> {
    if (!this.#options.trace.hasRead)
      return this.#findRecent({ owner: workspaceId, limit, isIncluded: () => true });
    const entries = (await this.traceEntries(workspaceId)).slice(0, limit);
    return (await this.tracesAt(entries)).filter((trace) => trace !== undefined);
  }

  recentCheckpoints(limit: number): Promise<Trace[]> {
    return this.#findRecent({ ...CHECKPOINTS, limit });
  }

  async #findRecent(
    query: Pick<RecentQuery, 'owner' | 'limit' | 'isIncluded' | 'maxSegments'>,
  ): Promise<Trace[]> {
    const { files, root, scheduler, readCore, trace } = this.#options;
    await readCore();
    await trace.drain();
    const events = await findRecentEvents({
      ...query,
      files,
      root,
      scheduler,
      lane: 'trace',
      isIncluded: (event: LogEvent) => query.isIncluded(event) && this.#isShown(event),
    });
    return events.flatMap((event) => traceOf(event, this.#options.moves()) ?? []);
  }

  readonly #isShown = (stamp: LineStamp): boolean =>
    !this.#options.isRetired(stamp) && !this.#options.isForgotten(stamp);
}
