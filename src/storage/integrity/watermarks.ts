import type { Draft, LogEvent } from '../../model/event.js';
import type { LogOptions } from '../log.js';
import { gapsOf, type WriterIndex } from '../read/writer-index.js';
import { watermarkDraft, watermarkOf, type SeenWriter } from '../format/watermark.js';

export interface WatermarksOptions extends Pick<LogOptions, 'clock' | 'device' | 'warn'> {
  readonly writers: WriterIndex;
  /** This process's writers. Watermarks omit them: a power cut may take the last traces. */
  readonly ownWriters: () => {
    readonly core: string | undefined;
    readonly others: readonly (string | undefined)[];
  };
  /** Writes the drafts to the core lane. They are made only when the write is due. */
  readonly write: (draft: () => Draft[]) => Promise<unknown>;
}

export const MAX_UNANNOUNCED_EVENTS = 200;
export const ANNOUNCE_DELAY_MS = 10 * 60 * 1000;
/** With all writers at once, a line could exceed the limit. */
const MAX_WRITERS_PER_WATERMARK = 2000;
/** Maximum number of writers with gaps in a watermark, and of gaps per writer. */
const MAX_GAPS = 50;

/** Tracks and logs each writer's last event (`log.mark`) to show lost tails and reused numbers. */
export class Watermarks {
  readonly #options: WatermarksOptions;
  /** By writer, the device that its segments name. */
  readonly #devices = new Map<string, string>();
  /** By writer, the last event that any watermark mentions. */
  readonly #announced = new Map<string, SeenWriter>();
  /** By writer, the highest number that a watermark of this device mentions. */
  readonly #announcedHere = new Map<string, number>();
  /** By writer, an event that it is known to have written, whether or not it is here. */
  readonly #floors = new Map<string, SeenWriter>();
  /** Time and number of writers of this device's watermarks after its last complete one. */
  #recent: { readonly h: string; readonly writers: number }[] = [];
  /** Timestamp of this device's last complete watermark. */
  #lastComplete = '';
  #eventsSince = 0;
  /** True if an event is lost that no watermark mentions. */
  #hasLost = false;
  #cancel: (() => void) | undefined;

  constructor(options: WatermarksOptions) {
    this.#options = options;
  }

  /** Takes in an event that is new here. */
  observe(event: LogEvent): void {
    if (event.v !== 1) return;
    if (!event.t.startsWith('log.')) this.#eventsSince++;
    if (event.t === 'log.seg' && typeof event.d['device'] === 'string')
      this.#devices.set(event.w, event.d['device']);
    const watermark = watermarkOf(event);
    if (!watermark) return;
    const isOwn = this.#devices.get(event.w) === this.#options.device;
    for (const seen of watermark.seen) {
      const { writer, n } = seen;
      if (n >= (this.#announced.get(writer)?.n ?? 0)) this.#announced.set(writer, seen);
      if (isOwn) this.#announcedHere.set(writer, Math.max(n, this.#announcedHere.get(writer) ?? 0));
    }
    if (!isOwn || event.h <= this.#lastComplete) return;
    this.#recent.push({ h: event.h, writers: watermark.seen.length });
    if (!watermark.isComplete) return;
    this.#lastComplete = event.h;
    this.#recent = this.#recent.filter(({ h }) => h > event.h);
  }

  /** Returns the last event of a writer that a watermark mentions; undefined if none does. */
  announced(writer: string): SeenWriter | undefined {
    return this.#announced.get(writer);
  }

  /** Returns the writers of a lane that watermarks mention. */
  announcedIn(lane: SeenWriter['lane']): string[] {
    return [...this.#announced.values()].flatMap((seen) => (seen.lane === lane ? seen.writer : []));
  }

  /** Sets the event that a writer has reached at least, whether that event is here or not. */
  setFloor(floor: SeenWriter): void {
    this.#floors.set(floor.writer, floor);
  }

  /** Announces an event that is lost, even if this process has not written to the core lane. */
  reportLost(last: SeenWriter): void {
    if ((this.#announcedHere.get(last.writer) ?? 0) >= last.n) return;
    this.setFloor(last);
    this.#hasLost = true;
    this.schedule();
  }

  /** Schedules a watermark, which is written within ten minutes. */
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
   * Returns the watermark that begins a segment, if there are other writers. It covers all of them
   * once those since the last complete one mention half as many, else the unannounced ones, so that
   * the total size grows with announcements, not with the square of the number of writers.
   */
  draftForNewSegment(): Draft[] {
    const all = this.#seenOf([...this.#options.writers.keys()]);
    this.#restart();
    if (all.length === 0) return [];
    const mentioned = this.#recent.reduce((sum, { writers }) => sum + writers, 0);
    return 2 * mentioned >= all.length
      ? this.#draftsOf(all, true)
      : this.#draftsOf(this.#seenOf(this.#unannounced()), false);
  }

  /** Writes a watermark of unannounced core writers now, if this process has written to core. */
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

  /** Returns the writers whose latest events this device has not announced yet. */
  #unannounced(): string[] {
    return [...this.#options.writers]
      .filter(
        ([writer, { lastDataNumber }]) => lastDataNumber > (this.#announcedHere.get(writer) ?? 0),
      )
      .map(([writer]) => writer);
  }

  /** Returns the last events of these writers and of those that have a floor. */
  #seenOf(writers: readonly string[]): SeenWriter[] {
    const { core, others } = this.#options.ownWriters();
    return [...new Set([...writers, ...this.#floors.keys()])]
      .filter((writer) => writer !== core && !others.includes(writer))
      .sort()
      .flatMap((writer) => this.#lastOf(writer) ?? []);
  }

  #lastOf(writer: string): SeenWriter | undefined {
    const state = this.#options.writers.get(writer);
    const floor = this.#floors.get(writer);
    const n = state?.lastDataNumber ?? 0;
    if (!state || n <= (floor?.n ?? 0)) return floor;
    return { lane: state.lane, writer, n, hash: state.hashes.get(n) };
  }

  #draftOf(writers: readonly string[]): Draft[] {
    const seen = this.#seenOf(writers);
    this.#restart();
    return seen.length > 0 ? this.#draftsOf(seen, false) : [];
  }

  #draftsOf(seen: readonly SeenWriter[], isComplete: boolean): Draft[] {
    const parts = [seen.slice(0, MAX_WRITERS_PER_WATERMARK)];
    for (let at = MAX_WRITERS_PER_WATERMARK; at < seen.length; at += MAX_WRITERS_PER_WATERMARK)
      parts.push(seen.slice(at, at + MAX_WRITERS_PER_WATERMARK));
    const gaps = this.#gaps();
    return parts.map((part) =>
      watermarkDraft({
        seen: part,
        gaps,
        // only the last part completes the watermark
        isComplete: isComplete && part === parts.at(-1),
      }),
    );
  }

  #gaps(): Map<string, (readonly [number, number])[]> {
    const withGaps = [...this.#options.writers].flatMap(([writer, state]) =>
      state.lane === 'core' && state.outOfOrder.size > 0
        ? [[writer, gapsOf(state).slice(0, MAX_GAPS)] as const]
        : [],
    );
    return new Map(withGaps.slice(0, MAX_GAPS));
  }

  #restart(): void {
    this.#eventsSince = 0;
    this.stop();
  }

  /** A failure loses nothing: a later watermark says the same. */
  async #announce(writers: readonly string[]): Promise<void> {
    const { ownWriters, write, warn } = this.#options;
    this.stop();
    const hasNews = ownWriters().core !== undefined && writers.length > 0;
    if (!hasNews && !this.#hasLost) return;
    this.#hasLost = false;
    await write(() => this.#draftOf(writers)).catch((error: unknown) =>
      warn(`No watermark was written: ${String(error)}`),
    );
  }
}
