import { isJsonObject, type Draft, type JsonObject, type LogEvent } from '../../model/event.js';
import type { Clock } from '../../platform/clock.js';
import type { WriterIndex } from '../read/writer-index.js';
import { CoreChecksum } from './core-checksum.js';

export interface WatermarksOptions {
  readonly writers: WriterIndex;
  readonly clock: Clock;
  /** The writers of this process. They are left out: a power cut may take the last traces, and the others are written by themselves. */
  readonly ownWriters: () => {
    readonly core: string | undefined;
    readonly others: readonly (string | undefined)[];
  };
  /** Writes the drafts to the core lane; they are made when it is their turn. */
  readonly write: (draft: () => Draft[]) => Promise<unknown>;
  readonly warn: (message: string) => void;
}

const MAX_UNANNOUNCED_EVENTS = 200;
const ANNOUNCE_DELAY_MS = 10 * 60 * 1000;
/** With all writers at once, a line could exceed the limit. */
const MAX_WRITERS_PER_WATERMARK = 2000;

/**
 * Tracks the highest sequence number seen per writer and writes it to the log as a watermark (`log.mark`), so that a truncated tail
 * is detected.
 */
export class Watermarks {
  readonly #options: WatermarksOptions;
  readonly #coreChecksum: CoreChecksum;
  /** By writer, the highest number that a watermark in the log mentions. */
  readonly #announced = new Map<string, number>();
  /** By writer, the lowest number that its last event can have, though the event itself is not here. */
  readonly #floors = new Map<string, number>();
  /** Per watermark after the last complete one: when it was written and how many writers it mentions. */
  #recent: { readonly h: string; readonly writers: number }[] = [];
  /** Timestamp of the last watermark of all writers. */
  #lastComplete = '';
  #eventsSince = 0;
  #cancel: (() => void) | undefined;

  constructor(options: WatermarksOptions) {
    this.#options = options;
    this.#coreChecksum = new CoreChecksum(options.writers);
  }

  /** Takes in an event that is new here. */
  observe(event: LogEvent): void {
    if (!event.t.startsWith('log.')) this.#eventsSince++;
    if (event.v !== 1 || event.t !== 'log.mark') return;
    const { seen } = event.d;
    if (!isJsonObject(seen)) return;
    const announced = this.#announced;
    for (const [writer, n] of Object.entries(seen))
      if (typeof n === 'number') announced.set(writer, Math.max(announced.get(writer) ?? 0, n));
    if (event.h <= this.#lastComplete) return;
    this.#recent.push({ h: event.h, writers: Object.keys(seen).length });
    if (event.d['all'] !== true) return;
    this.#lastComplete = event.h;
    this.#recent = this.#recent.filter(({ h }) => h > event.h);
  }

  /** Sets how far a writer has come at least, with or without its events here. */
  setFloor(writer: string, n: number): void {
    this.#floors.set(writer, n);
  }

  /** Has a watermark written within ten minutes. */
  schedule(): void {
    this.#cancel ??= this.#options.clock.after(
      ANNOUNCE_DELAY_MS,
      () => void this.#announce(this.#unannounced()),
    );
  }

  /** Returns true if so much is unannounced that the next write should include a watermark. */
  isDue(): boolean {
    return this.#eventsSince >= MAX_UNANNOUNCED_EVENTS;
  }

  /** Returns a watermark of the unannounced writers; nothing if there are none. */
  draft(): Draft[] {
    return this.#draftOf(this.#unannounced());
  }

  /**
   * Returns a watermark for the beginning of a segment, which has one whenever there are other writers. It covers all writers once
   * the watermarks since the last complete one mention half as many, else the unannounced ones: so the total size of watermarks
   * grows with the number of announcements, not with the square of the number of writers.
   */
  draftForNewSegment(): Draft[] {
    const all = this.#numbersOf([...this.#options.writers.keys()]);
    this.#restart();
    if (all.length === 0) return [];
    const mentioned = this.#recent.reduce((sum, { writers }) => sum + writers, 0);
    return 2 * mentioned >= all.length
      ? this.#draftsOf(all, { all: true })
      : this.#draftsOf(this.#numbersOf(this.#unannounced()));
  }

  /** Writes a watermark of the unannounced writers of the core lane now, if this process has written to that lane. */
  announce(): Promise<void> {
    const { writers } = this.#options;
    return this.#announce(
      this.#unannounced().filter((writer) => writers.get(writer)?.lane === 'core'),
    );
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #unannounced(): string[] {
    return [...this.#options.writers]
      .filter(([writer, { lastDataNumber }]) => lastDataNumber > (this.#announced.get(writer) ?? 0))
      .map(([writer]) => writer);
  }

  /** Returns the numbers that a watermark mentions of these writers and of those that have a floor. */
  #numbersOf(writers: readonly string[]): [string, number][] {
    const states = this.#options.writers;
    const lastOf = (writer: string) =>
      Math.max(states.get(writer)?.lastDataNumber ?? 0, this.#floors.get(writer) ?? 0);
    const { core, others } = this.#options.ownWriters();
    return [...new Set([...writers, ...this.#floors.keys()])]
      .filter((writer) => writer !== core && !others.includes(writer) && lastOf(writer) > 0)
      .sort()
      .map((writer) => [writer, lastOf(writer)]);
  }

  #draftOf(writers: readonly string[]): Draft[] {
    const seen = this.#numbersOf(writers);
    this.#restart();
    return seen.length > 0 ? this.#draftsOf(seen) : [];
  }

  #draftsOf(seen: readonly [string, number][], more: JsonObject = {}): Draft[] {
    const core = { ...this.#coreChecksum.totalWithout(this.#options.ownWriters().core) };
    const parts = [seen.slice(0, MAX_WRITERS_PER_WATERMARK)];
    for (let at = MAX_WRITERS_PER_WATERMARK; at < seen.length; at += MAX_WRITERS_PER_WATERMARK)
      parts.push(seen.slice(at, at + MAX_WRITERS_PER_WATERMARK));
    // Only the last part completes the watermark.
    return parts.map((part) => ({
      t: 'log.mark',
      e: '',
      d: { seen: Object.fromEntries(part), core, ...(part === parts.at(-1) && more) },
    }));
  }

  #restart(): void {
    this.#eventsSince = 0;
    this.stop();
  }

  /** A failure loses nothing: a later watermark says the same. */
  async #announce(writers: readonly string[]): Promise<void> {
    const { ownWriters, write, warn } = this.#options;
    this.stop();
    if (ownWriters().core === undefined || writers.length === 0) return;
    await write(() => this.#draftOf(writers)).catch((error: unknown) =>
      warn(`No watermark was written: ${String(error)}`),
    );
  }
}
