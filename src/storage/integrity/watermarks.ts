import { isJsonObject, type Draft, type JsonObject, type LogEvent } from '../../model/event.js';
import type { Clock } from '../../platform/clock.js';
import type { Holdings } from '../read/writer-index.js';
import { createCoreSum } from './core-checksum.js';

export interface MarksOptions {
  readonly holdings: Holdings;
  readonly clock: Clock;
  /** The writers of this process, where it has any: of itself it has nothing to tell, least of traces, which a power cut may take. */
  readonly ownWriters: () => {
    readonly core: string | undefined;
    readonly others: readonly (string | undefined)[];
  };
  /** Writes what is drafted when the time has come. */
  readonly write: (draft: () => Draft[]) => Promise<unknown>;
  readonly warn: (message: string) => void;
}

/** The account of what has been seen of other writers and who has told of it: a lost tail shows only by that. */
export interface Marks {
  /** Hears of an event that has come. */
  note(event: LogEvent): void;
  /** A writer is known to have come so far, whatever is held of it. */
  claim(writer: string, n: number): void;
  /** A mark will be written within ten minutes. */
  plan(): void;
  /** Whether so much has come that a mark should go out with the next write. */
  isDue(): boolean;
  /** A mark of the writers of which nobody has told yet; nothing where there is nothing to tell. */
  draft(): Draft[];
  /**
   * The same for the beginning of a segment, where a mark stands whenever there are others; and of all writers, told or not, once half as
   * much has been told since that was last done. So what marks take grows with what is told, and not with the square of the writers.
   */
  draftAtStart(): Draft[];
  /** Tells of the core lane's untold writers now, where this process writes at all. */
  tell(): Promise<void>;
  stop(): void;
}

const DUE_AFTER_EVENTS = 200;
const DUE_AFTER_MS = 10 * 60 * 1000;
/** Of all writers at once, a line could become too long to be written. */
const WRITERS_PER_MARK = 2000;

export function createMarks({ holdings, clock, ownWriters, write, warn }: MarksOptions): Marks {
  /** By writer, the last event that some mark tells of. */
  const told = new Map<string, number>();
  /** By writer, how far it is known to have come though its events are not held. */
  const claimed = new Map<string, number>();
  /** Of each mark that came after the latest that tells of all, when it was written and of how many writers it tells. */
  let recent: { readonly h: string; readonly writers: number }[] = [];
  let toldOfAll = '';
  const coreSum = createCoreSum(holdings);
  let eventsSince = 0;
  let cancel: (() => void) | undefined;

  function note(event: LogEvent): void {
    if (!event.t.startsWith('log.')) eventsSince++;
    if (event.v !== 1 || event.t !== 'log.mark') return;
    const { seen } = event.d;
    if (!isJsonObject(seen)) return;
    for (const [writer, n] of Object.entries(seen))
      if (typeof n === 'number') told.set(writer, Math.max(told.get(writer) ?? 0, n));
    if (event.h <= toldOfAll) return;
    recent.push({ h: event.h, writers: Object.keys(seen).length });
    if (event.d['all'] !== true) return;
    toldOfAll = event.h;
    recent = recent.filter(({ h }) => h > toldOfAll);
  }

  function plan(): void {
    cancel ??= clock.after(DUE_AFTER_MS, () => void tell(untold()));
  }

  function untold(): string[] {
    return [...holdings]
      .filter(([writer, { lastOfSubstance }]) => lastOfSubstance > (told.get(writer) ?? 0))
      .map(([writer]) => writer);
  }

  /** What a mark would tell of the writers, and of those that were given up. */
  function seenOf(writers: readonly string[]): [string, number][] {
    const lastOf = (writer: string) =>
      Math.max(holdings.get(writer)?.lastOfSubstance ?? 0, claimed.get(writer) ?? 0);
    const { core, others: mine } = ownWriters();
    return [...new Set([...writers, ...claimed.keys()])]
      .filter((writer) => writer !== core && !mine.includes(writer) && lastOf(writer) > 0)
      .sort()
      .map((writer) => [writer, lastOf(writer)]);
  }

  function draftOf(writers: readonly string[]): Draft[] {
    const seen = seenOf(writers);
    restart();
    return seen.length > 0 ? draftsOf(seen) : [];
  }

  function draftAtStart(): Draft[] {
    const all = seenOf([...holdings.keys()]);
    restart();
    if (all.length === 0) return [];
    const toldSince = recent.reduce((sum, { writers }) => sum + writers, 0);
    return 2 * toldSince >= all.length ? draftsOf(all, { all: true }) : draftsOf(seenOf(untold()));
  }

  function draftsOf(seen: readonly [string, number][], more: JsonObject = {}): Draft[] {
    const core = { ...coreSum(ownWriters().core) };
    const parts = [seen.slice(0, WRITERS_PER_MARK)];
    for (let at = WRITERS_PER_MARK; at < seen.length; at += WRITERS_PER_MARK)
      parts.push(seen.slice(at, at + WRITERS_PER_MARK));
    // Only with the last of them has all been told.
    return parts.map((part) => ({
      t: 'log.mark',
      e: '',
      d: { seen: Object.fromEntries(part), core, ...(part === parts.at(-1) && more) },
    }));
  }

  function restart(): void {
    eventsSince = 0;
    stop();
  }

  /** A mark that fails is no loss: another one tells the same later. */
  async function tell(writers: readonly string[]): Promise<void> {
    stop();
    if (ownWriters().core === undefined || writers.length === 0) return;
    await write(() => draftOf(writers)).catch((error: unknown) =>
      warn(`No mark was written: ${String(error)}`),
    );
  }

  function stop(): void {
    cancel?.();
    cancel = undefined;
  }

  return {
    note,
    plan,
    claim: (writer, n) => void claimed.set(writer, n),
    isDue: () => eventsSince >= DUE_AFTER_EVENTS,
    draft: () => draftOf(untold()),
    draftAtStart,
    tell: () => tell(untold().filter((writer) => holdings.get(writer)?.lane === 'core')),
    stop,
  };
}
