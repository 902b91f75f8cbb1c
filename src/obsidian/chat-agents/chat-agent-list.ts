import type { App } from 'obsidian';
import type { ChatAgent } from '../../acp/known-chat-agents.js';
import type { JsonObject } from '../../model/event.js';
import { isText, isTextList, objectsIn } from '../../model/text/json-fields.js';
import { createStore, type Store } from '../store.js';

const KEY = 'savepoint-agents';

/** The agents added on this device. They are not synced, because programs differ by device. */
export class ChatAgentList {
  readonly entries: Store<readonly ChatAgent[]>;
  readonly #app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>;
  readonly #entries;

  constructor(app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>) {
    this.#app = app;
    this.#entries = createStore<readonly ChatAgent[]>(
      objectsIn(app.loadLocalStorage(KEY)).filter(isChatAgent),
    );
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

function isChatAgent(stored: JsonObject): stored is JsonObject & ChatAgent {
  const { id, title, command, args } = stored;
  return [id, title, command].every(isText) && isTextList(args);
}
