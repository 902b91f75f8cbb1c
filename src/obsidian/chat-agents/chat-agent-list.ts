import type { App } from 'obsidian';
import * as z from 'zod';
import type { ChatAgent } from '../../acp/known-chat-agents.js';
import { createStore, type Store } from '../store.js';

const KEY = 'savepoint-agents';

const listShape = z.array(
  z.object({ id: z.string(), title: z.string(), command: z.string(), args: z.array(z.string()) }),
);

/** The agents added on this device. They are not synced, because programs differ by device. */
export class ChatAgentList {
  readonly entries: Store<readonly ChatAgent[]>;
  readonly #app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>;
  readonly #entries;

  constructor(app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>) {
    const stored = listShape.safeParse(app.loadLocalStorage(KEY));
    this.#app = app;
    this.#entries = createStore<readonly ChatAgent[]>(stored.success ? stored.data : []);
    this.entries = this.#entries;
  }

  /** Adds an agent, or moves it to the front, where new conversations find it. */
  putFirst(agent: ChatAgent): void {
    this.#save([agent, ...this.#entries.get().filter(({ id }) => id !== agent.id)]);
  }

  remove(id: string): void {
    this.#save(this.#entries.get().filter((agent) => agent.id !== id));
  }

  #save(entries: readonly ChatAgent[]): void {
    this.#entries.set(entries);
    this.#app.saveLocalStorage(KEY, entries);
  }
}
