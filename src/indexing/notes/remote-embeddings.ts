import { isJsonObject, type Json } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import { passageText } from '../../search/documents/documents.js';
import type { RemoteEmbedder } from '../../search/vectors/embedding-server.js';
import type { NearestOptions } from '../../search/vectors/vector-index.js';
import { noteDocumentSteps } from '../../search/documents/passages.js';
import type { SemanticScores } from '../../search/query/search.js';
import type { Clock } from '../../platform/clock.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { KeptIndex } from '../persistent-index.js';
import type { NoteFile, VaultListing } from './note-source.js';
import { runSliced } from '../../platform/run-sliced.js';

/** What a model of the person's own knows of the notes: asked for all of them once, and for what changes. */
export interface OwnMeaning {
  /** Goes on where it was left off, and follows what changes. */
  readonly begin: () => void;
  /** Breaks off what is being asked. What was answered stays. */
  readonly stop: () => void;
  /** The notes may be others than they were. */
  readonly lookAgain: () => void;
  readonly status: () => OwnStatus;
  /** About what would be sent until every note has its vectors. */
  readonly ahead: () => Promise<Amount>;
  /** How near the notes are to a query; undefined where that cannot be told now: not every note has its vectors, or nobody answers. */
  readonly nearest: (query: string, options: NearestOptions) => Promise<SemanticScores | undefined>;
  readonly close: () => Promise<void>;
}

/** What is sent to a model. */
export interface Amount {
  readonly notes: number;
  readonly texts: number;
  /** As the server counts them, or about. */
  readonly tokens: number;
}

export interface OwnStatus {
  readonly phase: 'stopped' | 'working' | 'ready' | 'failed';
  /** Notes that have their vectors, of all. */
  readonly done: number;
  readonly total: number;
  /** What was sent since the start. */
  readonly sent: Amount;
  /** Why it failed; it is tried again by itself. */
  readonly error?: string | undefined;
}

export interface OwnMeaningOptions {
  readonly embedder: RemoteEmbedder;
  /** Where vectors of so many numbers are kept. */
  readonly open: (dimensions: number) => Promise<KeptIndex>;
  readonly notes: {
    /** Whether every note is in the index as it is now. */
    readonly isReady: () => boolean;
    readonly kept: () => Promise<KeptIndex>;
    readonly listing: () => VaultListing;
    readonly read: (path: VaultPath) => Promise<string | undefined>;
  };
  /** Vectors take so many bytes at most; the newest notes have theirs first. */
  readonly mostBytes: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly changed: () => void;
}

/** So many texts are sent at once. */
const TEXTS_AT_ONCE = 64;
/** Of a text so much is sent, in characters: models read no more than some hundreds of words. */
const LONGEST_TEXT = 4000;
/** A token has about so many characters. */
const CHARACTERS_OF_A_TOKEN = 4;
/** A passage has about so many bytes. */
const BYTES_OF_A_PASSAGE = 1300;
const KEPT_AFTER_NOTES = 200;
/** After a change the notes have some time to rest, so that what is being written is not sent again and again. */
const LOOK_AFTER_MS = 10_000;
const TRIED_AGAIN_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;
const ANSWER_MS = 120_000;
/** Where so few notes have no vectors yet, the others are answered with. */
const MOST_LACKING = 0.05;
/** Whoever searches waits so long for the vector of the query. */
const QUERY_MS = 4000;

/** A note that is to be sent, and what of it. */
interface Outgoing {
  readonly path: VaultPath;
  readonly hash: string;
  readonly texts: readonly string[];
  readonly vectors: Int8Array[];
}

export function createOwnMeaning({
  embedder,
  open,
  notes,
  mostBytes,
  scheduler,
  clock,
  changed,
}: OwnMeaningOptions): OwnMeaning {
  let opening: Promise<KeptIndex> | undefined;
  let dimensions = 0;
  /** Of each note that has its vectors, the text that they are of. */
  const hashes = new Map<VaultPath, string>();
  let isOn = false;
  let working: Promise<void> | undefined;
  let cancel = new AbortController();
  let cancelLook: (() => void) | undefined;
  let failures = 0;
  let error: string | undefined;
  let isComplete = false;
  let total = 0;
  let notKept = 0;
  let sent: Amount = { notes: 0, texts: 0, tokens: 0 };

  /** How long its vectors are is known when the model has answered once. */
  async function connect(signal: AbortSignal): Promise<KeptIndex> {
    if (!opening) {
      const { vectors } = await inTime((ends) => embedder.embed(['length'], ends), signal);
      dimensions = vectors[0]?.length ?? 0;
      opening = open(dimensions).then((kept) => {
        for (const [path, hash] of readHashes(kept.beside))
          if (kept.vectors.has(path)) hashes.set(path, hash);
        return kept;
      });
    }
    return opening;
  }

  /** The notes without vectors, the newest last; those that are no more lose theirs. */
  async function lacking(own: KeptIndex | undefined): Promise<NoteFile[]> {
    const { index } = await notes.kept();
    const { notes: all } = notes.listing();
    const found: NoteFile[] = [];
    const there = new Set<VaultPath>();
    for (const note of all) {
      await scheduler.yieldIfDue();
      const hash = hashText(index.hashOf(note.path));
      if (hash === undefined) continue;
      there.add(note.path);
      if (hashes.get(note.path) !== hash) found.push(note);
    }
    if (own && notes.isReady())
      for (const path of [...hashes.keys()]) if (!there.has(path)) forget(own, path);
    total = there.size;
    return found.sort((a, b) => a.mtime - b.mtime);
  }

  function forget({ vectors }: KeptIndex, path: VaultPath): void {
    vectors.remove(path);
    hashes.delete(path);
    notKept++;
  }

  function kick(): void {
    if (!isOn || working) return;
    cancelLook?.();
    cancelLook = undefined;
    cancel = new AbortController();
    error = undefined;
    working = work(cancel.signal)
      .catch((reason: unknown) => {
        if (!isOn) return;
        error = reason instanceof Refusal ? reason.message : String(reason);
        lookLater(Math.min(LONGEST_WAIT_MS, TRIED_AGAIN_MS * 2 ** failures++));
      })
      .finally(() => {
        working = undefined;
        if (cancel.signal.aborted) kick(); // it was begun again before it had ended
        changed();
      });
    changed();
  }

  function lookLater(ms: number): void {
    if (isOn) cancelLook ??= clock.after(ms, () => ((cancelLook = undefined), kick()));
  }

  async function work(signal: AbortSignal): Promise<void> {
    const own = await connect(signal);
    if (!notes.isReady()) return lookLater(LOOK_AFTER_MS);
    const left = await lacking(own);
    isComplete = left.length <= total * MOST_LACKING;
    try {
      while (left.length > 0 && own.vectors.size() * dimensions < mostBytes) {
        await send(own, await gather(left), signal);
        failures = 0;
        if (notKept >= KEPT_AFTER_NOTES) await keep(own);
        changed();
      }
      isComplete = true;
    } finally {
      await keep(own);
    }
  }

  /** Takes as many notes as make one request. */
  async function gather(left: NoteFile[]): Promise<Outgoing[]> {
    const { index } = await notes.kept();
    const some: Outgoing[] = [];
    for (let texts = 0; texts < TEXTS_AT_ONCE && left.length > 0;) {
      const { path, mtime } = left.pop()!;
      const text = await notes.read(path).catch(() => undefined); // it is named when the index reads it again
      await scheduler.yieldIfDue();
      const document =
        text === undefined
          ? undefined
          : await runSliced(noteDocumentSteps(path, text, mtime), { scheduler });
      const hash = hashText(document?.hash);
      if (!document || hash === undefined || hash !== hashText(index.hashOf(path))) continue; // it has changed: the next look finds it
      const wordings = document.passages.map((passage) =>
        passageText(passage).slice(0, LONGEST_TEXT),
      );
      some.push({ path, hash, texts: wordings, vectors: [] });
      texts += wordings.length;
    }
    return some;
  }

  async function send(
    own: KeptIndex,
    some: readonly Outgoing[],
    signal: AbortSignal,
  ): Promise<void> {
    const all = some.flatMap((note) => note.texts.map((text) => ({ note, text })));
    for (let from = 0; from < all.length; from += TEXTS_AT_ONCE) {
      const part = all.slice(from, from + TEXTS_AT_ONCE);
      const texts = part.map(({ text }) => text);
      const { vectors, tokens } = await inTime((ends) => embedder.embed(texts, ends), signal);
      signal.throwIfAborted();
      if (vectors.some((vector) => vector.length !== dimensions))
        throw new Refusal('The embeddings model answers vectors of another length.');
      part.forEach(({ note }, at) => note.vectors.push(vectors[at]!));
      sent = {
        ...sent,
        texts: sent.texts + texts.length,
        tokens: sent.tokens + (tokens ?? tokensOf(texts)),
      };
    }
    for (const { path, hash, vectors } of some) {
      own.vectors.put(path, vectors);
      hashes.set(path, hash);
      notKept++;
    }
    sent = { ...sent, notes: sent.notes + some.length };
  }

  /** A task that ends with the signal, or for lack of an answer. */
  async function inTime<T>(
    task: (ends: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const limit = new AbortController();
    const end = () => limit.abort();
    const cancelLimit = clock.after(ANSWER_MS, end);
    signal.addEventListener('abort', end);
    try {
      return await task(limit.signal);
    } catch (reason) {
      signal.throwIfAborted();
      throw limit.signal.aborted
        ? new Refusal(`The embeddings server has not answered within ${ANSWER_MS / 1000} seconds.`)
        : reason;
    } finally {
      cancelLimit();
      signal.removeEventListener('abort', end);
    }
  }

  async function keep(own: KeptIndex): Promise<void> {
    if (notKept === 0) return;
    notKept = 0;
    await own.keep(() => ({ paths: [...hashes.keys()], hashes: [...hashes.values()] }));
  }

  function stop(): void {
    isOn = false;
    cancelLook?.();
    cancelLook = undefined;
    cancel.abort();
    changed();
  }

  return {
    begin() {
      isOn = true;
      kick();
    },
    stop,
    lookAgain() {
      if (!working) lookLater(LOOK_AFTER_MS);
    },
    status() {
      const phase = !isOn
        ? 'stopped'
        : working
          ? 'working'
          : error !== undefined
            ? 'failed'
            : 'ready';
      return { phase, done: Math.min(total, hashes.size), total, sent, error };
    },
    async ahead() {
      const left = await lacking(undefined);
      const bytes = left.reduce((sum, { size }) => sum + size, 0);
      const texts = left.reduce(
        (sum, { size }) => sum + Math.max(1, Math.round(size / BYTES_OF_A_PASSAGE)),
        0,
      );
      return { notes: left.length, texts, tokens: Math.ceil(bytes / CHARACTERS_OF_A_TOKEN) };
    },
    async nearest(query, options) {
      if (!isOn || !isComplete || !opening) return undefined;
      const own = await opening;
      const answer = await embedder
        .embed([query.slice(0, LONGEST_TEXT)], AbortSignal.timeout(QUERY_MS))
        .catch(() => undefined); // the table answers
      const vector = answer?.vectors[0];
      return vector?.length === dimensions
        ? runSliced(own.vectors.nearestSteps(vector, options), { scheduler })
        : undefined;
    },
    async close() {
      stop();
      await working;
    },
  };
}

function tokensOf(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / CHARACTERS_OF_A_TOKEN);
}

function hashText(hash: readonly [number, number] | undefined): string | undefined {
  return hash && `${hash[0].toString(36)}-${hash[1].toString(36)}`;
}

function readHashes(beside: Json): [VaultPath, string][] {
  if (!isJsonObject(beside)) return [];
  const { paths, hashes } = beside;
  if (!Array.isArray(paths) || !Array.isArray(hashes)) return [];
  return paths.flatMap((path, at): [VaultPath, string][] => {
    const hash = hashes[at];
    return typeof path === 'string' && typeof hash === 'string' ? [[path, hash]] : [];
  });
}
