import type { TurnEvent } from '../chat/turn.js';

/** Passes the events of a turn from the connection to the reader. */
export class EventQueue {
  #events: TurnEvent[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  push(events: readonly TurnEvent[]): void {
    for (const event of events) this.#add(event);
    this.#wake?.();
  }

  /** Lets the reader end once it has all events. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<TurnEvent> {
    for (;;) {
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length > 0) continue;
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }

  /** Joins texts that arrive together, because each event redraws the panel. */
  #add(event: TurnEvent): void {
    const last = this.#events.at(-1);
    const isSameText =
      (event.type === 'text' || event.type === 'reasoning') && last?.type === event.type;
    if (!isSameText) this.#events.push(event);
    else this.#events[this.#events.length - 1] = { ...event, text: last.text + event.text };
  }
}
