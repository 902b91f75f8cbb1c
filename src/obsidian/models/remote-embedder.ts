import type { App } from 'obsidian';
import type { OwnMeaning } from '../../indexing/notes/remote-embeddings.js';
import { Refusal } from '../../model/refusal.js';
import {
  createRemoteEmbedder,
  EMBEDDING_PROTOCOLS,
  type EmbeddingServer,
  type RemoteEmbedder,
} from '../../search/vectors/embedding-server.js';
import type { Savepoint } from '../savepoint.js';
import { createStore, type Store } from '../store.js';
import { text } from '../i18n/index.js';

const KEY = 'savepoint-own-model';
const SECRET = 'savepoint-embeddings';
const TEST_MS = 30_000;

/** Which model of the person's own tells what notes mean, and whether it may be asked. Of this device: each pays for itself. */
export interface OwnModelChoice extends Omit<EmbeddingServer, 'key'> {
  readonly isOn: boolean;
}

export interface OwnModel {
  readonly chosen: Store<OwnModelChoice>;
  /** Undefined where no model is chosen, or the memory is not open. */
  readonly meaning: Store<OwnMeaning | undefined>;
  readonly change: (changed: Partial<OwnModelChoice>) => void;
  readonly key: () => string;
  readonly setKey: (key: string) => void;
  /** Asks for the vector of a word; answers how long it is. Throws a `Refusal`. */
  readonly test: () => Promise<number>;
  /** Follows the memory as it is opened, until the answered function is called. */
  readonly start: () => () => void;
}

export interface OwnModelOptions {
  readonly app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage' | 'secretStorage'>;
  readonly savepoint: Store<Savepoint | undefined>;
  readonly fetchLike: () => Promise<typeof fetch>;
  readonly report: (error: unknown) => void;
}

const NONE: OwnModelChoice = {
  protocol: 'ollama',
  address: 'http://localhost:11434',
  model: '',
  isOn: false,
};

export function createOwnModel({ app, savepoint, fetchLike, report }: OwnModelOptions): OwnModel {
  const chosen = createStore(readChoice(app.loadLocalStorage(KEY)));
  const meaning = createStore<OwnMeaning | undefined>(undefined);
  let turn: Promise<void> = Promise.resolve();

  const key = () => app.secretStorage.getSecret(SECRET) ?? '';

  function embedder(): RemoteEmbedder | undefined {
    const { protocol, address, model } = chosen.get();
    if (address.trim() === '' || model.trim() === '') return undefined;
    const ask: typeof fetch = async (input, init) => (await fetchLike())(input, init);
    return createRemoteEmbedder({ protocol, address, model: model.trim(), key: key() }, ask);
  }

  /** One after another: the model that was chosen last is in use at the end. */
  function apply(): void {
    turn = turn
      .then(async () => {
        meaning.set(undefined);
        const own = await savepoint.get()?.services.search.useModel(embedder());
        if (chosen.get().isOn) own?.begin();
        meaning.set(own);
      })
      .catch(report);
  }

  return {
    chosen,
    meaning,
    key,
    change(changed) {
      const before = chosen.get();
      const now = { ...before, ...changed };
      app.saveLocalStorage(KEY, now);
      chosen.set(now);
      const isSame =
        before.protocol === now.protocol &&
        before.address === now.address &&
        before.model === now.model;
      if (!isSame) apply();
      else if (now.isOn) meaning.get()?.begin();
      else meaning.get()?.stop();
    },
    setKey(given) {
      app.secretStorage.setSecret(SECRET, given);
      apply();
    },
    async test() {
      const own = embedder();
      if (!own) throw new Refusal(text.meaning.nothingChosen);
      const signal = AbortSignal.timeout(TEST_MS);
      const { vectors } = await own.embed(['test'], signal).catch((error: unknown) => {
        throw signal.aborted ? new Refusal(text.meaning.silent(TEST_MS / 1000)) : error;
      });
      return vectors[0]?.length ?? 0;
    },
    start() {
      apply();
      return savepoint.subscribe(apply);
    },
  };
}

/** What was kept on this device; what cannot be read is as if nothing had been chosen. */
function readChoice(held: unknown): OwnModelChoice {
  if (typeof held !== 'object' || held === null) return NONE;
  const { protocol, address, model, isOn } = held as Readonly<
    Record<keyof OwnModelChoice, unknown>
  >;
  const known = EMBEDDING_PROTOCOLS.find((each) => each === protocol);
  if (!known || typeof address !== 'string' || typeof model !== 'string') return NONE;
  return { protocol: known, address, model, isOn: isOn === true };
}
