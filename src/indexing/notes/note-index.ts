import type { Json } from '../../model/event.js';
import { isHidden, isWithin, type VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import { embedDocumentSteps } from '../../search/vectors/embed.js';
import type { EmbedderSource } from '../../search/vectors/embedder-source.js';
import { noteDocumentSteps } from '../../search/documents/passages.js';
import type { SearchDocument } from '../../search/documents/documents.js';
import type { Clock } from '../../platform/clock.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { KeptIndex } from '../persistent-index.js';
import { runSliced } from '../../platform/run-sliced.js';
import { isNote, type NoteFile, type NoteSource, type VaultListing } from './note-source.js';

/** How far an index has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface NoteIndexOptions {
  readonly source: NoteSource;
  readonly open: () => Promise<KeptIndex>;
  readonly meaning: EmbedderSource | undefined;
  /** The folders whose notes must not be read, as the person has chosen them; asked for with each look. */
  readonly skippedFolders: () => Promise<readonly VaultPath[]>;
  readonly scheduler: Scheduler;
  /** For reading the table of meaning, once: all that is found by meaning waits for it, so it does not wait until the host is idle. */
  readonly foreground: Scheduler;
  readonly clock: Clock;
  /** Larger notes are known by their names alone, in bytes. */
  readonly largestNote: number;
  /** So many vectors are kept at most; the newest notes have theirs first. */
  readonly mostVectors: number;
  readonly warn: (message: string) => void;
  readonly changed: () => void;
}

/** The notes of a vault in a search index that follows them. */
export interface NoteIndex {
  /** Looks for what has changed where nobody tells, and begins to read it. */
  readonly catchUp: (stage: Stage) => void;
  /** Looks once more, whatever was told: the folders that are skipped may be others. */
  readonly lookAgain: () => void;
  /** Resolves when all that was told or seen until now is in the index, or `isTooLong` resolves. */
  readonly settled: (stage: Stage, isTooLong: Promise<void>) => Promise<void>;
  /** What there was at the last look. */
  readonly listing: () => VaultListing;
  readonly kept: () => Promise<KeptIndex>;
  /** What is still to be done for a stage; undefined when it is ready. */
  readonly progress: (stage: Stage) => Progress | undefined;
  /** All that is known of, done. */
  readonly total: () => Progress;
  /** A note was found that is not there any more, or is another. */
  readonly suspect: (path: VaultPath) => void;
  /** Forgets every note and drops what is kept of them; begins again with the next `catchUp`. Answers how many bytes were kept. */
  readonly clear: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Notes can be found by their names first, then by their words, then by what they mean. */
export type Stage = 'names' | 'words' | 'meaning';

interface KnownNote extends Omit<NoteFile, 'path'> {
  /** The number of the look that has met it last. */
  seen: number;
}

/** So many notes are read at a time. */
const READ_AT_ONCE = 8;
/** After so many notes small segments are put together. */
const MERGED_AFTER_NOTES = 1000;
/** After so many notes and such a share of all, or so many milliseconds, what was done is kept: a kill costs no more than that. */
const KEPT_AFTER_NOTES = 1000;
const KEPT_AFTER_SHARE = 0.1;
const KEPT_AFTER_MS = 20_000;
/** After the last change it is kept so much later. */
const KEPT_SOON_MS = 5000;
/** A look that takes longer is not waited for: whoever searches gets what is known. */
const LONG_LOOK_MS = 250;
const NO_LISTING: VaultListing = { notes: [], files: [], folders: [] };

export function createNoteIndex(options: NoteIndexOptions): NoteIndex {
  const { source, meaning, scheduler, clock, warn } = options;
  let opening: Promise<KeptIndex> | undefined;
  let kept: KeptIndex | undefined;
  const records = new Map<VaultPath, KnownNote>();
  /** What is to be read. */
  const pending = new Map<VaultPath, NoteFile>();
  /** In which order: the last first. What is not pending any more is passed over. */
  const order: VaultPath[] = [];
  /** What is to be given its meaning, the last first. */
  let unembedded: VaultPath[] = [];
  /** What has come into the index since, the newest first. */
  let fresh: VaultPath[] = [];
  let isMeaningKnown = false;
  const touched = new Set<VaultPath>();
  /** Notes that could not be read, and of what time they were. */
  const failures = new Map<VaultPath, number>();
  let listing = NO_LISTING;
  let looks = 0;
  let total = 0;
  let hasLooked = false;
  let isStale = true;
  let isLooking = false;
  /** Whether notes that were touched are being asked for: they are in no list meanwhile. */
  let isAsking = false;
  /** Whether files may have come or gone that are not in the listing, or are. */
  let isListingOld = false;
  let lastLookTook = 0;
  let working: Promise<void> | undefined;
  let clearing: Promise<number> | undefined;
  /** Whether somebody wants the notes to be read once they are forgotten. */
  let isWanted = false;
  let isClosed = false;
  let notKept = 0;
  let notMerged = 0;
  let lastKept = clock.now();
  let cancelKeep: (() => void) | undefined;
  let stopWatching: (() => void) | undefined;
  let skipped: readonly VaultPath[] = [];
  const waiting = new Set<() => void>();

  const isSkipped = (path: VaultPath) =>
    isHidden(path) || skipped.some((folder) => isWithin(path, folder));

  function kick(): void {
    if (isClosed || working || clearing) return;
    working = work().then(
      (hasWorked) => {
        working = undefined;
        if (isStale || touched.size > 0 || pending.size > 0) kick(); // it came when the work was about to end
        wake();
        if (hasWorked) options.changed();
      },
      (error: unknown) => {
        working = undefined;
        isLooking = false;
        isStale = true; // whoever searches next has it looked for again
        warn(
          `The notes cannot be read for the search: ${error instanceof Error ? error.message : String(error)}`,
        );
        tell();
      },
    );
  }

  function wake(): void {
    const told = [...waiting];
    waiting.clear();
    for (const resolve of told) resolve();
  }

  function tell(): void {
    wake();
    options.changed();
  }

  function catchUp(stage: Stage): void {
    stopWatching ??= source.watch?.start(hear);
    if (!source.watch || (stage === 'names' && isListingOld)) isStale = true;
    isWanted = true;
    kick();
  }

  function hear(path?: VaultPath): void {
    if (path === undefined) {
      isStale = true;
      return;
    }
    if (!records.has(path)) isListingOld = true;
    if (!isNote(path)) return;
    touched.add(path);
    if (hasLooked) kick();
  }

  /** One thing after another, what is quickest to be asked for first; ends when there is nothing to do. Answers whether there was anything. */
  async function work(): Promise<boolean> {
    let hasWorked = false;
    opening ??= options.open();
    kept ??= await opening;
    if (!hasLooked) await recall(kept);
    while (!isClosed && !clearing) {
      if (isStale) await look();
      else if (touched.size > 0) await lookAtTouched();
      else if (pending.size > 0) await indexSome(kept);
      else if (!(await embedNext(kept))) break;
      hasWorked = true;
      const isLong = notKept > 0 && clock.now() - lastKept > KEPT_AFTER_MS;
      if (isLong || notMerged >= MERGED_AFTER_NOTES) await merge(kept);
      // Of all notes a record is kept with each, so the more there are the rarer.
      if (isLong || notKept >= Math.max(KEPT_AFTER_NOTES, records.size * KEPT_AFTER_SHARE))
        await keep(kept);
    }
    await merge(kept);
    planKeeping();
    return hasWorked;
  }

  async function merge({ index }: KeptIndex): Promise<void> {
    notMerged = 0;
    for (const steps = index.mergeSteps(); !isClosed && !clearing && !steps.next().done;)
      await scheduler.yieldIfDue();
  }

  /** What was in the index when it was last kept. */
  async function recall({ index, beside }: KeptIndex): Promise<void> {
    const known = readRecords(beside);
    // Both are kept at once, and each note that is put or dropped changes both: as many are the same.
    const held = known.length === index.size() ? undefined : new Set(index.keys());
    for (const { path, mtime, size } of known) {
      if (!held || held.delete(path)) records.set(path, { mtime, size, seen: looks });
      if (scheduler.isDue) await scheduler.yieldIfDue();
    }
    for (const path of held ?? []) index.remove(path);
  }

  async function look(): Promise<void> {
    isStale = isListingOld = false;
    isLooking = true;
    touched.clear(); // what changes from here on is told again
    const before = clock.now();
    skipped = await options.skippedFolders();
    listing = await source.list(isSkipped);
    lastLookTook = clock.now() - before;
    looks++;
    let count = 0;
    const changed: NoteFile[] = [];
    for (const note of listing.notes) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (isSkipped(note.path)) continue;
      count++;
      const known = records.get(note.path);
      if (known) known.seen = looks;
      if (isOther(note, known)) changed.push(note);
    }
    for (const [path, { seen }] of records) if (seen !== looks) drop(path);
    pending.clear(); // what is still to be read is among what has changed
    total = count;
    for (const note of changed.sort((a, b) => a.mtime - b.mtime)) expect(note);
    hasLooked = true;
    isLooking = false;
    await planMeaning(); // before anybody is told: an answer by words alone is not what they wait for
    tell();
  }

  function isOther({ path, mtime, size }: NoteFile, known = records.get(path)): boolean {
    return failures.get(path) !== mtime && (known?.mtime !== mtime || known.size !== size);
  }

  function expect(note: NoteFile): void {
    pending.set(note.path, note);
    order.push(note.path);
  }

  async function lookAtTouched(): Promise<void> {
    const paths = [...touched];
    touched.clear();
    isAsking = true;
    try {
      for (const path of paths) {
        const note = isSkipped(path) ? undefined : await source.stat(path);
        if (!note) {
          isListingOld = true;
          drop(path);
        } else if (isOther(note)) expect(note);
      }
    } finally {
      isAsking = false;
    }
    tell();
  }

  function drop(path: VaultPath): void {
    failures.delete(path);
    pending.delete(path);
    kept?.vectors.remove(path);
    if (kept?.index.remove(path)) notKept++;
    records.delete(path);
  }

  async function indexSome({ index, vectors }: KeptIndex): Promise<void> {
    const some: NoteFile[] = [];
    while (some.length < READ_AT_ONCE && order.length > 0) {
      const note = pending.get(order.pop()!);
      if (note && !some.includes(note)) some.push(note);
    }
    const texts = await Promise.all(some.map((note) => readNote(note)));
    for (const [at, note] of some.entries()) {
      const { path } = note;
      const text = texts[at];
      await scheduler.yieldIfDue();
      if (pending.get(path) !== note) continue; // it has changed again, or is gone
      if (text !== undefined) await takeIn({ index, vectors }, note, text);
      else if (!failures.has(path)) drop(path);
      pending.delete(path); // not before: whoever searches waits for what is pending
    }
    tell();
  }

  async function takeIn(
    { index, vectors }: Pick<KeptIndex, 'index' | 'vectors'>,
    note: NoteFile,
    text: string,
  ): Promise<void> {
    const { path, mtime, size } = note;
    try {
      const document = await runSliced(noteDocumentSteps(path, text, mtime), { scheduler });
      if (await runSliced(index.putSteps(document), { scheduler })) {
        vectors.remove(path);
        fresh.push(path);
      }
      failures.delete(path);
      records.set(path, { mtime, size, seen: looks });
      notKept++;
      notMerged++;
    } catch (error) {
      leaveOut(note, error);
    }
  }

  /** A note that cannot be read is named, and left until it changes. */
  function leaveOut({ path, mtime }: NoteFile, error: unknown): void {
    const reason = error instanceof Refusal ? error.message : String(error);
    if (!failures.has(path)) warn(`"${path}" is left out of the search: ${reason}`);
    failures.set(path, mtime);
  }

  async function readNote(note: NoteFile): Promise<string | undefined> {
    if (note.size > options.largestNote) return '';
    try {
      return await source.read(note.path);
    } catch (error) {
      leaveOut(note, error);
      return undefined;
    }
  }

  /** The notes whose meaning is not known yet: the newest come last, to be taken from there. */
  async function planMeaning(): Promise<void> {
    if (!meaning || !kept) return;
    const { vectors } = kept;
    const lacking: [VaultPath, KnownNote][] = [];
    for (const entry of records) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (!vectors.has(entry[0])) lacking.push(entry);
    }
    unembedded = lacking.sort(([, a], [, b]) => a.mtime - b.mtime).map(([path]) => path);
    fresh = [];
  }

  /** Answers whether there was anything to do. */
  async function embedNext({ index, vectors }: KeptIndex): Promise<boolean> {
    for (const path of fresh.reverse()) unembedded.push(path);
    fresh = [];
    const path = unembedded.at(-1);
    if (!meaning || path === undefined || vectors.size() >= options.mostVectors) {
      unembedded = [];
      if (!isMeaningKnown) tell();
      isMeaningKnown = true;
      return false;
    }
    unembedded.pop();
    const record = records.get(path);
    if (!record || vectors.has(path)) return true;
    const text = await readNote({ path, ...record });
    const document =
      text === undefined
        ? undefined
        : await runSliced(noteDocumentSteps(path, text, record.mtime), { scheduler });
    const indexed = index.hashOf(path);
    if (!document || indexed?.[0] !== document.hash[0] || indexed[1] !== document.hash[1]) {
      touched.add(path);
      if (!document) records.delete(path);
      return true;
    }
    const passages = await embed(document, meaning);
    if (records.get(path) === record) vectors.put(path, passages);
    notKept++;
    if (unembedded.length % 100 === 0) tell();
    return true;
  }

  async function embed(document: SearchDocument, known: EmbedderSource): Promise<Int8Array[]> {
    await runSliced(known.openSteps(), { scheduler: options.foreground });
    await scheduler.yieldIfDue();
    return runSliced(embedDocumentSteps(known, document), { scheduler });
  }

  async function keep(own: KeptIndex): Promise<void> {
    cancelKeep?.();
    cancelKeep = undefined;
    if (notKept > 0) {
      notKept = 0;
      await own.keep(() => recordsToJson(records));
    }
    lastKept = clock.now();
  }

  async function clear(): Promise<number> {
    await working;
    const held = await (opening ??= options.open());
    const size = held.size();
    const renewed = await held.renew();
    cancelKeep?.();
    cancelKeep = undefined;
    for (const known of [records, pending, failures, touched]) known.clear();
    order.length = total = notKept = 0;
    unembedded = [];
    fresh = [];
    isMeaningKnown = hasLooked = false;
    isStale = true;
    kept = renewed;
    opening = Promise.resolve(renewed);
    return size;
  }

  function planKeeping(): void {
    if (notKept === 0 || isClosed) return;
    cancelKeep ??= clock.after(KEPT_SOON_MS, () => {
      cancelKeep = undefined;
      if (kept && !working) void keep(kept);
    });
  }

  function isReady(stage: Stage): boolean {
    const isLookDue = (isStale || isLooking) && lastLookTook < LONG_LOOK_MS;
    if (!hasLooked || isLookDue || clearing) return false;
    const hasWords = touched.size === 0 && !isAsking && pending.size === 0;
    return (
      stage === 'names' ||
      (hasWords &&
        (stage === 'words' ||
          !meaning ||
          (isMeaningKnown && unembedded.length + fresh.length === 0)))
    );
  }

  return {
    catchUp,
    lookAgain() {
      isStale = true;
      if (hasLooked) kick();
    },
    async settled(stage, isTooLong) {
      const more = { isWorthIt: true };
      const end = isTooLong.then(() => void (more.isWorthIt = false));
      while ((working ?? clearing) && more.isWorthIt && !isReady(stage))
        await Promise.race([end, new Promise<void>((resolve) => waiting.add(resolve))]);
    },
    listing: () => listing,
    kept: () => (opening ??= options.open()),
    progress(stage) {
      if (isReady(stage)) return undefined;
      if (clearing) return { done: 0, total };
      const left =
        hasLooked && pending.size === 0 && stage === 'meaning'
          ? unembedded.length + fresh.length
          : pending.size;
      const all = Math.max(total, records.size);
      return { done: Math.max(0, all - left), total: all };
    },
    total: () => ({ done: records.size, total: Math.max(total, records.size) }),
    suspect(path) {
      touched.add(path);
      if (hasLooked) kick();
    },
    clear() {
      isWanted = false;
      clearing ??= clear().finally(() => {
        clearing = undefined;
        if (isWanted) kick();
        tell();
      });
      return clearing;
    },
    async close() {
      isClosed = true;
      stopWatching?.();
      cancelKeep?.();
      tell();
      await clearing?.catch(() => undefined); // whoever asked for it hears of it
      await working;
      if (kept && notKept > 0) await keep(kept);
    },
  };
}

function recordsToJson(records: ReadonlyMap<VaultPath, KnownNote>): Json {
  const all = [...records];
  return {
    paths: all.map(([path]) => path),
    mtimes: all.map(([, { mtime }]) => mtime),
    sizes: all.map(([, { size }]) => size),
  };
}

function readRecords(beside: Json): NoteFile[] {
  const { paths, mtimes, sizes } = (beside ?? {}) as Record<string, unknown>;
  if (!Array.isArray(paths) || !Array.isArray(mtimes) || !Array.isArray(sizes)) return [];
  return paths.flatMap((path: unknown, at): NoteFile[] => {
    const [mtime, size] = [mtimes[at] as unknown, sizes[at] as unknown];
    return typeof path === 'string' && typeof mtime === 'number' && typeof size === 'number'
      ? [{ path, mtime, size }]
      : [];
  });
}
