import { Refusal } from '../model/refusal.js';
import type { ChatService } from '../obsidian/chat/chat-service.js';
import type { Connections } from '../obsidian/clients/connections.js';
import type { HttpAccess } from '../obsidian/clients/http-access.js';
import type { RestApiTools } from '../obsidian/clients/rest-api-server.js';
import { createWindowRandom } from '../obsidian/host/browser-ports.js';
import { readDevice } from '../obsidian/host/device.js';
import { clearCaches, createDatabase } from '../obsidian/host/idb.js';
import type { Savepoint } from '../obsidian/savepoint.js';
import type { Settings } from '../obsidian/settings-schema.js';
import { createStore, type WritableStore } from '../obsidian/store.js';
import type { Session, SessionOptions } from './session.js';

interface SessionManagerOptions extends Omit<SessionOptions, 'changeSettings'> {
  readonly settings: WritableStore<Settings>;
  readonly loadSettings: () => Promise<Settings>;
  readonly saveSettings: (settings: Settings) => Promise<void>;
}

/** Opens and closes the session, one operation at a time, and publishes its parts for the UI. */
export class SessionManager {
  readonly savepoint = createStore<Savepoint | undefined>(undefined);
  readonly chat = createStore<ChatService | undefined>(undefined);
  readonly connections = createStore<Connections | undefined>(undefined);
  readonly http = createStore<HttpAccess | undefined>(undefined);
  readonly restApi = createStore<RestApiTools | undefined>(undefined);
  readonly #options: SessionManagerOptions;
  #session: Session | undefined;
  #queue: Promise<void> = Promise.resolve();
  #isUnloaded = false;

  constructor(options: SessionManagerOptions) {
    this.#options = options;
  }

  /** Loads and applies the settings; opens another session if they name another data folder. */
  async open(): Promise<void> {
    await this.#enqueue(async () => {
      const settings = await this.#options.loadSettings();
      const hasMoved = settings.dataFolder !== this.#session?.savepoint.services.dataFolder;
      if (hasMoved) await this.#closeSession();
      if (this.#isUnloaded) return;
      this.#options.settings.set(settings);
      if (hasMoved) await this.#openSession();
      await this.#session?.servers.applySettings();
    });
    await this.#session?.savepoint.start();
  }

  /** Saves and applies settings after `whileClosed` has run without a session; not if it fails. */
  async changeSettings(settings: Settings, whileClosed?: () => Promise<void>): Promise<void> {
    try {
      if (whileClosed)
        await this.#enqueue(async () => {
          await this.#closeSession();
          await whileClosed();
        });
      await this.#options.saveSettings(settings);
    } finally {
      await this.open();
    }
  }

  /** Deletes the caches and reads everything again. Returns milliseconds. Throws a `Refusal`. */
  async rebuildCache(): Promise<number> {
    const { app, clock } = this.#options;
    const start = clock.now();
    try {
      await this.#enqueue(async () => {
        await this.#closeSession();
        const database = createDatabase(readDevice(app, createWindowRandom()).id, clock);
        await clearCaches(database).finally(() => database.close());
      });
    } finally {
      await this.open();
    }
    const status = this.#session?.savepoint.memoryStatus.get();
    if (status?.phase === 'failed') throw new Refusal(status.error);
    return clock.now() - start;
  }

  onRestApiLoaded(): void {
    this.#session?.servers.restApi.refresh();
  }

  close(): Promise<void> {
    return this.#enqueue(() => this.#closeSession());
  }

  /** Closes for good. The servers stop synchronously, so that a newly loaded plugin can listen. */
  async unload(): Promise<void> {
    this.#isUnloaded = true;
    void this.#session?.servers.close();
    await this.close();
  }

  async #openSession(): Promise<void> {
    const { openSession } = await import('./session.js');
    const session = await openSession({
      ...this.#options,
      changeSettings: (change) => this.changeSettings(change(this.#options.settings.get())),
    });
    this.#session = session;
    this.chat.set(session.chat);
    this.savepoint.set(session.savepoint);
    this.connections.set(session.connections);
    this.http.set(session.servers.http);
    this.restApi.set(session.servers.restApi);
    void session.servers.http?.start();
  }

  async #closeSession(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    for (const store of [this.savepoint, this.chat, this.connections, this.http, this.restApi])
      store.set(undefined);
    await session?.close();
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const run = this.#queue.then(task);
    this.#queue = run.catch(() => undefined); // the caller receives the error
    return run;
  }
}
