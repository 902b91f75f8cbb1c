import { isJsonObject, type Draft, type LogEvent } from '../model/event.js';
import type { Clock } from './clock.js';
import type { Holdings } from './holdings.js';
import { createCoreSum } from './sums.js';

export interface MarksOptions {
  readonly holdings: Holdings;
  readonly clock: Clock;
  /** The writers of this process, where it has any: of itself it has nothing to tell, least of traces, which a power cut may take. */
  readonly ownWriters: () => { readonly core: string | undefined; readonly others: readonly (string | undefined)[] };
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
  /** A mark of all writers, or of those of which nobody has told yet; nothing where there is nothing to tell. */
  draft(which: 'all' | 'untold'): Draft[];
  /** Tells of the core lane's untold writers now, where this process writes at all. */
  tell(): Promise<void>;
  stop(): void;
}

const DUE_AFTER_EVENTS = 200;
const DUE_AFTER_MS = 10 * 60 * 1000;

export function createMarks({ holdings, clock, ownWriters, write, warn }: MarksOptions): Marks {
  /** By writer, the last event that some mark tells of. */
  const told = new Map<string, number>();
  /** By writer, how far it is known to have come though its events are not held. */
  const claimed = new Map<string, number>();
  const coreSum = createCoreSum(holdings);
  let eventsSince = 0;
  let cancel: (() => void) | undefined;

  function note(event: LogEvent): void {
    if (!event.t.startsWith('log.')) eventsSince++;
    if (event.v !== 1 || event.t !== 'log.mark') return;
    const { seen } = event.d;
    if (!isJsonObject(seen)) return;
    for (const [writer, n] of Object.entries(seen)) if (typeof n === 'number') told.set(writer, Math.max(told.get(writer) ?? 0, n));
  }

  function plan(): void {
    cancel ??= clock.after(DUE_AFTER_MS, () => void tell(untold()));
  }

  function untold(): string[] {
    return [...holdings].filter(([writer, { lastOfSubstance }]) => lastOfSubstance > (told.get(writer) ?? 0)).map(([writer]) => writer);
  }

  function draftOf(writers: readonly string[]): Draft[] {
    eventsSince = 0;
    stop();
    const lastOf = (writer: string) => Math.max(holdings.get(writer)?.lastOfSubstance ?? 0, claimed.get(writer) ?? 0);
    const { core, others: mine } = ownWriters();
    const others = [...new Set([...writers, ...claimed.keys()])]
      .filter((writer) => writer !== core && !mine.includes(writer) && lastOf(writer) > 0)
      .sort();
    const seen = Object.fromEntries(others.map((writer) => [writer, lastOf(writer)]));
    return others.length > 0 ? [{ t: 'log.mark', e: '', d: { seen, core: { ...coreSum(core) } } }] : [];
  }

  /** A mark that fails is no loss: another one tells the same later. */
  async function tell(writers: readonly string[]): Promise<void> {
    stop();
    if (ownWriters().core === undefined || writers.length === 0) return;
    await write(() => draftOf(writers)).catch((error: unknown) => warn(`No mark was written: ${String(error)}`));
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
    draft: (which) => draftOf(which === 'all' ? [...holdings.keys()] : untold()),
    tell: () => tell(untold().filter((writer) => holdings.get(writer)?.lane === 'core')),
    stop,
  };
}
