import type { App } from 'obsidian';
import type { RemoteEmbeddings } from '../../indexing/notes/remote-embeddings.js';
import { Refusal } from '../../model/refusal.js';
import type { Clock } from '../../platform/clock.js';
import { withDeadline } from '../../platform/deadline.js';
import {
  createRemoteEmbedder,
  isEmbeddingProtocol,
  type EmbeddingServer,
  type RemoteEmbedder,
} from '../../indexing/notes/embedding-server.js';
import type { Savepoint } from '../savepoint.js';
import { createStore, type Store } from '../store.js';
import { text } from '../i18n/index.js';

const STORAGE_KEY = 'savepoint-own-model';
const SECRET_ID = 'savepoint-embeddings';
const TEST_TIMEOUT_MS = 30_000;

/** Settings of each device for the user's own embedding model, because requests may cost money. */
export interface RemoteEmbedderSettings extends Omit<EmbeddingServer, 'key'> {
  /** True if every note may be sent to the model. */
  readonly isOn: boolean;
}

/** The embedding server that search uses instead of the built-in model. */
export interface RemoteEmbedderConfig {
  readonly settings: Store<RemoteEmbedderSettings>;
  /** Undefined if no model is set up, or the memory is not open. */
  readonly embeddings: Store<RemoteEmbeddings | undefined>;
  readonly change: (changed: Partial<RemoteEmbedderSettings>) => void;
  readonly key: () => string;
  readonly setKey: (key: string) => void;
  /** Requests a word's vector and returns its dimension. Throws a `Refusal` if that fails. */
  readonly test: () => Promise<number>;
  /** Applies the settings to every memory that is opened, until the returned function is called. */
  readonly start: () => () => void;
}

export interface RemoteEmbedderConfigOptions {
  readonly app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage' | 'secretStorage'>;
  readonly savepoint: Store<Savepoint | undefined>;
  readonly fetchLike: () => Promise<typeof fetch>;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

const DEFAULT_SETTINGS: RemoteEmbedderSettings = {
  protocol: 'ollama',
  address: 'http://localhost:11434',
  model: '',
  isOn: false,
};

export function createRemoteEmbedderConfig({
  app,
  savepoint,
  fetchLike,
  clock,
  report,
}: RemoteEmbedderConfigOptions): RemoteEmbedderConfig {
  const settings = createStore(parseSettings(app.loadLocalStorage(STORAGE_KEY)));
  const embeddings = createStore<RemoteEmbeddings | undefined>(undefined);
  let applied: Promise<void> = Promise.resolve();

  const key = () => app.secretStorage.getSecret(SECRET_ID) ?? '';

  function embedder(): RemoteEmbedder | undefined {
    const { protocol, address, model } = settings.get();
    if (address.trim() === '' || model.trim() === '') return undefined;
    const lazyFetch: typeof fetch = async (input, init) => (await fetchLike())(input, init);
    return createRemoteEmbedder({ protocol, address, model: model.trim(), key: key() }, lazyFetch);
  }

  /** Applies the settings, one change after another, so that the last one wins. */
  function apply(): void {
    applied = applied
      .then(async () => {
        embeddings.set(undefined);
        const own = await savepoint.get()?.services.search.useEmbedder(embedder());
        if (settings.get().isOn) own?.start();
        embeddings.set(own);
      })
      .catch(report);
  }

  return {
    settings,
    embeddings,
    key,
    change(changed) {
      const before = settings.get();
      const now = { ...before, ...changed };
      app.saveLocalStorage(STORAGE_KEY, now);
      settings.set(now);
      const isSame =
        before.protocol === now.protocol &&
        before.address === now.address &&
        before.model === now.model;
      if (!isSame) apply();
      else if (now.isOn) embeddings.get()?.start();
      else embeddings.get()?.stop();
    },
    setKey(given) {
      app.secretStorage.setSecret(SECRET_ID, given);
      apply();
    },
    async test() {
      const own = embedder();
      if (!own) throw new Refusal(text.meaning.incomplete);
      const request = (signal: AbortSignal) =>
        own.embed(['test'], signal).catch((error: unknown) => {
          throw signal.aborted ? new Refusal(text.meaning.silent(TEST_TIMEOUT_MS / 1000)) : error;
        });
      const { vectors } = await withDeadline(request, {
        clock,
        ms: TEST_TIMEOUT_MS,
      });
      return vectors[0]?.length ?? 0;
    },
    start() {
      apply();
      return savepoint.subscribe(apply);
    },
  };
}

/** Parses the settings stored on this device; returns the defaults if they are invalid. */
function parseSettings(stored: unknown): RemoteEmbedderSettings {
  if (typeof stored !== 'object' || stored === null) return DEFAULT_SETTINGS;
  const { protocol, address, model, isOn } = stored as Readonly<
    Record<keyof RemoteEmbedderSettings, unknown>
  >;
  const isValid = typeof address === 'string' && typeof model === 'string';
  if (!isValid || !isEmbeddingProtocol(protocol)) return DEFAULT_SETTINGS;
  return { protocol, address, model, isOn: isOn === true };
}
