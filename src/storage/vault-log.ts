import {
  CALL_KEY,
  compareStamps,
  SESSION_TYPE,
  sessionKey,
  type Draft,
  type LogEvent,
} from '../model/event.js';
import { effectOf, type Memory } from '../model/memory.js';
import { messageOf, type Message } from '../model/message.js';
import { pathMoves } from '../model/moves/path-moves.js';
import { traceOf, type Trace } from '../model/trace.js';
import type { LogChange } from './change-feed.js';
import type { ForgetControl } from './forget/forgetting.js';
import { RETIRABLE_LANES, type RetirableLane } from './format/lanes.js';
import type { LineStamp } from './format/line.js';
import { LogParts } from './log-parts.js';
import { troubleOf } from './log-trouble.js';
import type { Decide, LogOptions, LogTrouble, TraceEntry, TraceList } from './log.js';
import { newestVersions } from './read/event-index.js';
import { NewestFirst } from './read/event-list.js';
import { readEventsAt } from './read/read-events.js';
import type { LocatedEvent } from './read/reader.js';
import {
  findRecentEvents,
  MAX_RECENT_SEGMENTS,
  MAX_SESSION_SEGMENTS,
  type RecentQuery,
} from './read/recent-events.js';

export function createLog(options: LogOptions): Log {
  return new Log(options);
}

/** The event log of one vault, which is the source of truth, and the memory folded from it. */
export class Log {
  readonly #options: Pick<LogOptions, 'files' | 'root' | 'warn'>;
  readonly #parts: LogParts;
  readonly #newest = new NewestFirst();

  constructor(options: LogOptions) {
    this.#options = options;
    this.#parts = new LogParts(options);
  }

  /** Forgets lines. Only for people, never for a tool. */
  get forgetting(): ForgetControl {
    return this.#parts.forgetting;
  }

  /** Returns the memory with everything that is in the data folder at the time of the call. */
  async memory(): Promise<Memory> {
    const { core } = this.#parts;
    await core.catchUp();
    return core.memory;
  }

  /**
   * Decides on the memory as last read; call `memory()` first to include others' writes. Resolves
   * once the events would survive a power cut, if the platform can promise that. If a write with
   * the key `call` has taken effect, it writes nothing and returns undefined.
   */
  async write<T>(decide: Decide<T>, call?: string): Promise<T | undefined> {
    await this.#readCore();
    let answer: T | undefined;
    await this.#parts.core.append((memory) => {
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

  /**
   * Appends without waiting for the disk, and returns the event. `soon`: later, so that many traces
   * share an append.
   */
  async writeTrace(draft: Draft, when?: 'soon'): Promise<LogEvent> {
    const { trace, session } = this.#parts;
    const lane = draft.t === SESSION_TYPE ? session : trace;
    return writtenOf(await lane.append(() => [draft], when), draft);
  }

  /** Returns the traces of a workspace that are not retired, newest first. */
  async traceEntries(workspaceId: string): Promise<readonly TraceEntry[]> {
    const { trace, session, scheduler } = this.#parts;
    await Promise.all([trace.drain(), session.drain()]);
    const { entries, isNew } = this.#newest.of(workspaceId, await this.traceList(workspaceId));
    // the caller may show many of them now, which is enough work for one task
    if (isNew) await scheduler.yieldNow();
    return entries;
  }

  /** Returns them earliest first, as a list that later lists continue; without unwritten ones. */
  async traceList(workspaceId: string): Promise<TraceList> {
    const { trace, session, traceIndex, scheduler } = this.#parts;
    await this.#readCore();
    await Promise.all([trace.catchUp(), session.catchUp()]);
    return traceIndex.listOf(workspaceId, { isIncluded: this.#isShown, scheduler });
  }

  /** Returns those that can still be read. */
  async readTraces(entries: readonly TraceEntry[]): Promise<Trace[]> {
    return (await this.tracesAt(entries)).filter((trace) => trace !== undefined);
  }

  /** Returns one trace per entry; undefined for one that cannot be read any more. */
  async tracesAt(entries: readonly TraceEntry[]): Promise<(Trace | undefined)[]> {
    const { forgets, scheduler } = this.#parts;
    const events = await readEventsAt(this.#options.files, entries, scheduler);
    return events.map((event) =>
      event && !forgets.isHidden(event) ? this.#traceOf(event) : undefined,
    );
  }

  /** Returns the newest traces, at most `limit`; only of the newest segments until all are read. */
  async recentTraces(workspaceId: string, limit: number): Promise<Trace[]> {
    if (!this.#parts.trace.hasRead)
      return this.#findRecent({ owner: workspaceId, limit }, RETIRABLE_LANES);
    return this.readTraces((await this.traceEntries(workspaceId)).slice(0, limit));
  }

  recentCheckpoints(limit: number, isTrusted?: (writer: string) => boolean): Promise<Trace[]> {
    return this.#findRecent({ owner: undefined, limit }, ['session'], isTrusted);
  }

  /** Returns the conversations: a memory that is folded from the chat lane alone. */
  async conversations(): Promise<Memory> {
    const { chat } = this.#parts;
    await this.#readCore();
    await chat.catchUp();
    return chat.memory;
  }

  /** Returns the messages of a conversation, newest first. */
  async messages(conversationId: string): Promise<Message[]> {
    const { chat, messageIndex, forgets, scheduler } = this.#parts;
    await this.#readCore();
    await chat.catchUp();
    const isIncluded = (message: LineStamp) => !forgets.isHidden(message);
    const locations = await messageIndex.locationsOf(conversationId, { scheduler, isIncluded });
    const events = await readEventsAt(this.#options.files, locations, scheduler);
    return events.flatMap((event) => (event ? (messageOf(event) ?? []) : []));
  }

  /** Appends to the chat lane, as durably as `write` does, and returns the event. */
  async writeChat(draft: Draft, how?: 'imported'): Promise<LogEvent> {
    return writtenOf(await this.#parts.chat.append(() => [draft], how), draft);
  }

  /** Restores lost core lines from copies; with an id, a removed memory. Returns how many. */
  async heal(memoryId?: string): Promise<number> {
    const { core, healer, forgetting } = this.#parts;
    await core.catchUp();
    const healed = (await healer?.healNow(memoryId)) ?? 0;
    if (healed > 0) await core.catchUp();
    await forgetting.destroy();
    return healed;
  }

  trouble(): LogTrouble {
    return troubleOf(this.#parts);
  }

  /**
   * Calls the listener after the memory, the traces or the chats have changed. It is called at once
   * for what this process writes or reads. For what others write, it is called when `watch` reports
   * it, but only for lanes that have been read. Returns a function that removes the listener.
   */
  onChange(listener: (change: LogChange) => void): () => void {
    return this.#parts.feed.subscribe(listener);
  }

  /** Finishes writes and stores the writers until the next write, in case the process is killed. */
  async releaseWriters(): Promise<void> {
    const { lanes, watermarks } = this.#parts;
    await Promise.all(lanes.map((lane) => lane.drain()));
    await watermarks.announce();
    await Promise.all(lanes.map((lane) => lane.release())).catch((error: unknown) =>
      this.#options.warn(`A writer could not be stored for next time: ${String(error)}`),
    );
  }

  /** Finishes writes and stores the writers for the next process. Must be the last call. */
  async close(): Promise<void> {
    const { feed, retentions, watermarks, forgetting, healer, lanes } = this.#parts;
    feed.stop();
    await Promise.all(retentions.map((retention) => retention.stop()));
    await this.releaseWriters();
    watermarks.stop();
    await forgetting.close();
    await healer?.close();
    await Promise.all(lanes.map((lane) => lane.closeCache()));
  }

  /** Reads the core lane, which says what was forgotten, unless it has been read. */
  async #readCore(): Promise<void> {
    const { core } = this.#parts;
    if (!core.hasRead) await core.catchUp();
  }

  async #findRecent(
    query: Pick<RecentQuery, 'owner' | 'limit'>,
    lanes: readonly RetirableLane[],
    isTrusted?: (writer: string) => boolean,
  ): Promise<Trace[]> {
    const { files, root } = this.#options;
    const { scheduler } = this.#parts;
    await this.#readCore();
    const found = lanes.map(async (lane) => {
      await this.#parts[lane].drain();
      const isShort = lane === 'session' && !isTrusted;
      const maxSegments = isShort ? MAX_SESSION_SEGMENTS : MAX_RECENT_SEGMENTS;
      const isIncluded = (event: LogEvent) =>
        this.#isShown(event) && isTrusted?.(event.w) !== false;
      return findRecentEvents({ ...query, files, root, scheduler, lane, maxSegments, isIncluded });
    });
    const events = (await Promise.all(found)).flat().sort((a, b) => compareStamps(b, a));
    const shown = newestVersions(events, sessionKey).slice(0, query.limit);
    return shown.flatMap((event) => this.#traceOf(event) ?? []);
  }

  /** Returns the trace with the paths to which those of earlier traces lead now. */
  #traceOf(event: LogEvent): Trace | undefined {
    return traceOf(event, pathMoves(this.#parts.core.memory));
  }

  readonly #isShown = (stamp: LineStamp): boolean => !this.#parts.forgets.isHidden(stamp);
}

function writtenOf(lines: readonly Pick<LocatedEvent, 'event'>[], { e, t }: Draft): LogEvent {
  return lines.find(({ event }) => event.e === e && event.t === t)!.event;
}
