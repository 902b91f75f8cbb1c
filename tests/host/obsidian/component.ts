import type { EventRef } from './events';

type Listening = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

export class Component {
  #isLoaded = false;
  #children: Component[] = [];
  #undo: (() => unknown)[] = [];

  /** A plugin's `onload` may be asynchronous; the caller awaits the returned promise. */
  load(): void | Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const loading = this.onload();
    for (const child of [...this.#children]) void child.load();
    return loading;
  }

  onload(): void | Promise<void> {}

  unload(): void {
    if (!this.#isLoaded) return;
    this.#isLoaded = false;
    while (this.#children.length > 0) this.#children.pop()?.unload();
    while (this.#undo.length > 0) this.#undo.pop()?.();
    this.onunload();
  }

  onunload(): void {}

  addChild<T extends Component>(child: T): T {
    this.#children.push(child);
    if (this.#isLoaded) void child.load();
    return child;
  }

  removeChild<T extends Component>(child: T): T {
    const held = this.#children.includes(child);
    this.#children = this.#children.filter((other) => other !== child);
    if (held) child.unload();
    return child;
  }

  register(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  registerEvent(ref: EventRef): void {
    this.register(() => ref.source.offref(ref));
  }

  registerDomEvent(
    target: Listening,
    type: string,
    callback: EventListener,
    options?: boolean | AddEventListenerOptions,
  ): void {
    target.addEventListener(type, callback, options);
    this.register(() => target.removeEventListener(type, callback, options));
  }

  registerInterval(id: number): number {
    this.register(() => window.clearInterval(id));
    return id;
  }
}
