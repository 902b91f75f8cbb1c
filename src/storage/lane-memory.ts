import type { LogEvent } from '../model/event.js';
import { emptyMemory, fold, type Memory } from '../model/memory.js';
import { CHANGES, type LaneOptions } from './lane-options.js';
import { LaneReader, type LocatedEvent } from './read/reader.js';
import { isRetirable } from './format/lanes.js';

/** The memory that is folded from one lane, without what was forgotten. */
export class LaneMemory {
  readonly #options: LaneOptions;
  /** Events that are not in the files of the lane. */
  readonly #received: LogEvent[] = [];
  #memory = emptyMemory;
  #isPartial = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get current(): Memory {
    return this.#memory;
  }

  /** True if files could not be read when the lane was folded again. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  /** Replaces the memory, and publishes the change. */
  set(after: Memory): void {
    const { feed, name } = this.#options;
    if (after !== this.#memory) feed.publish(CHANGES[name]);
    this.#memory = after;
  }

  /** Returns the memory with the events that are not hidden. */
  fold(memory: Memory, events: readonly LogEvent[], owner: object): Memory {
    const { name, hooks } = this.#options;
    if (isRetirable(name)) return memory;
    return fold(
      memory,
      events.filter((event) => hooks.isHidden?.(event) !== true),
      owner,
    );
  }

  /** Takes in events that no file of the lane contains, for when it is folded again. */
  receive(events: readonly LogEvent[]): void {
    for (const event of events) this.#received.push(event);
  }

  /** Returns the memory without what the events forget, of which it may contain some. */
  async withoutForgotten(memory: Memory, events: readonly LogEvent[]): Promise<Memory> {
    const isMore = await this.#options.hooks.onForget?.(events);
    return isMore && memory !== emptyMemory ? this.refold() : memory;
  }

  /** Folds files and copies: all copies if files cannot be read, else those of known writers. */
  async refold(): Promise<Memory> {
    const { name, files, root, scheduler, hooks, writers } = this.#options;
    const reader = new LaneReader(files, root, name, new Map(), { scheduler });
    const found = (await reader.scan()).map(({ event }) => event);
    this.#isPartial = reader.unreadable().length > 0;
    const copied = ((await hooks.copied?.()) ?? []).filter(
      ({ w }) => this.#isPartial || writers.has(w),
    );
    const others = [...reader.takeRepeated(), ...this.#received, ...copied];
    return this.fold(emptyMemory, [...found, ...others], {});
  }
}

export function eventsOf(lines: readonly LocatedEvent[]): LogEvent[] {
  return lines.map(({ event }) => event);
}
