type Callback = (...data: never[]) => unknown;

/** Returned by `on`, to remove the listener. */
export interface EventRef {
  readonly source: Events;
  readonly name: string;
  readonly callback: Callback;
  readonly context: unknown;
}

export class Events {
  #listeners = new Map<string, EventRef[]>();

  on(name: string, callback: Callback, context?: unknown): EventRef {
    const ref: EventRef = { source: this, name, callback, context };
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), ref]);
    return ref;
  }

  off(name: string, callback: Callback): void {
    this.#keep(name, (ref) => ref.callback !== callback);
  }

  offref(ref: EventRef): void {
    this.#keep(ref.name, (other) => other !== ref);
  }

  trigger(name: string, ...data: unknown[]): void {
    for (const ref of this.#listeners.get(name) ?? []) this.tryTrigger(ref, data);
  }

  /** As in the app, an error in a listener reaches the window and does not stop the others. */
  tryTrigger(ref: EventRef, data: unknown[]): void {
    try {
      Reflect.apply(ref.callback, ref.context, data);
    } catch (error) {
      window.setTimeout(() => {
        throw error;
      }, 0);
    }
  }

  #keep(name: string, wanted: (ref: EventRef) => boolean): void {
    const kept = (this.#listeners.get(name) ?? []).filter(wanted);
    if (kept.length > 0) this.#listeners.set(name, kept);
    else this.#listeners.delete(name);
  }
}
