import { runSteps } from '../platform/byte-writer.js';
import type { SearchDocument } from './documents/documents.js';
import { createMemtable } from './segment/memtable.js';
import { mergeSegments } from './segment/merge.js';
import { findLiving, openWithGone, removeNote, type OpenSegment } from './segment/open-segment.js';
import { search, type Hit, type SearchOptions } from './query/search.js';
import { bytesToText, createKeyCursor, findDamage, keyOf, textToBytes } from './segment/segment.js';
import { FORMAT_VERSION } from './segment/segment-format.js';

/** What is to be kept of an index: the manifest names the blobs that make it up, with the notes of each that are no more. */
export interface Manifest {
  readonly format: number;
  /** The number of the next blob. */
  readonly next: number;
  readonly segments: readonly { readonly name: string; readonly gone: readonly number[] }[];
}

/** What changed since the last flush. To keep it: write the blobs, then the manifest, then delete what is obsolete. */
export interface Flushed {
  readonly manifest: Manifest;
  readonly blobs: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
  readonly obsolete: readonly string[];
}

export interface SearchIndex {
  /** Adds a document, or changes the one of its key. False where that one has the same hash: nothing is done. */
  readonly put: (document: SearchDocument) => boolean;
  /** The same a slice of work at a time; until the last, what was of that key before is found. */
  readonly putSteps: (document: SearchDocument) => Generator<undefined, boolean>;
  readonly remove: (key: string) => boolean;
  /** The hash that the document of a key was added with. */
  readonly hashOf: (key: string) => readonly [number, number] | undefined;
  readonly keys: () => string[];
  /** The number of documents. */
  readonly size: () => number;
  /** The best hits of a query, see `searchSteps`. */
  readonly search: (query: string, options?: SearchOptions) => Hit[];
  /** The same a slice of work at a time: each step takes some milliseconds; to cancel, leave off. */
  readonly searchSteps: (query: string, options?: SearchOptions) => Generator<undefined, Hit[]>;
  /** Puts small segments together and drops what is gone, where that pays; a millisecond or so of work in each step. */
  readonly mergeSteps: () => Generator<undefined, void>;
  readonly flush: () => Flushed;
}

/** An empty index. */
export function createIndex(): SearchIndex {
  return indexOver([], 0);
}

/**
 * The index that was flushed, or what is wrong with it: the name of a blob, and words that go after it.
 * Each blob begins at a multiple of eight bytes of its buffer.
 */
export function openIndex(
  { format, next, segments }: Manifest,
  blobs: ReadonlyMap<string, Uint8Array>,
): { index: SearchIndex } | { damaged: string; problem: string } {
  if (format !== FORMAT_VERSION) return { damaged: 'manifest', problem: 'is of another version' };
  const opened: OpenSegment[] = [];
  for (const { name, gone } of segments) {
    const blob = blobs.get(name);
    const problem = blob ? findDamage(blob) : 'is missing';
    if (!blob || problem) return { damaged: name, problem: problem ?? 'is missing' };
    const source = openWithGone(name, blob);
    for (const note of gone)
      if (note < source.segment.notes && source.gone[note] === 0) removeNote(source, note);
    opened.push(source);
  }
  return { index: indexOver(opened, next) };
}

/** So many tokens wait at most: then a segment is built of them. Smaller ones are more often merged. */
const MOST_WAITING = 64_000;

/** A segment that is being built, of documents that are neither waiting any more nor in a segment yet. */
interface Building {
  readonly keys: ReadonlySet<string>;
  readonly steps: Generator<undefined, Uint8Array<ArrayBuffer>>;
}

function indexOver(opened: OpenSegment[], nextNumber: number): SearchIndex {
  const memtable = createMemtable();
  let segments = opened;
  let next = nextNumber;
  const kept = new Set(opened.map(({ name }) => name));

  const openBlob = (blob: Uint8Array<ArrayBuffer>, keys?: ReadonlySet<string>) =>
    openWithGone(`segment-${next++}`, blob, keys);
  let building: Building | undefined;
  /** One step of what is being built. */
  const buildOn = ({ keys, steps }: Building) => {
    const step = steps.next();
    if (!step.done) return;
    segments = [...segments, openBlob(step.value, keys)];
    building = undefined;
  };
  /** Builds a segment of what waits now; what comes meanwhile waits for the next. */
  const sealSteps = function* (): Generator<undefined, void> {
    for (let own = building; own && building === own;) {
      buildOn(own);
      yield;
    }
    if (building || memtable.size() === 0) return;
    const own: Building = { keys: new Set(memtable.keys()), steps: memtable.build() };
    building = own;
    while (building === own) {
      buildOn(own);
      yield;
    }
  };
  const finishBuilding = () => {
    while (building) buildOn(building);
  };
  const seal = () => runSteps(sealSteps());
  const find = (key: string) => {
    if (building?.keys.has(key)) finishBuilding();
    let bytes: Uint8Array | undefined;
    for (let at = segments.length - 1; at >= 0; at--) {
      const source = segments[at]!;
      if (source.keys?.has(key) === false) continue;
      const note = findLiving(source, (bytes ??= textToBytes(key)));
      if (note >= 0) return { source, note };
    }
    return undefined;
  };
  const remove = (key: string) => {
    if (memtable.remove(key)) return true;
    const found = find(key);
    if (found) removeNote(found.source, found.note);
    return found !== undefined;
  };
  const hashOf = (key: string): readonly [number, number] | undefined => {
    const waiting = memtable.hashOf(key);
    if (waiting) return waiting;
    const found = find(key);
    if (!found) return undefined;
    const { noteHash } = found.source.segment;
    return [noteHash[found.note * 2]!, noteHash[found.note * 2 + 1]!];
  };
  const searchSteps = (query: string, options?: SearchOptions) => {
    seal();
    segments = segments.filter(({ counts }) => counts.notes > 0);
    return search(segments, query, options);
  };

  const putSteps = function* (document: SearchDocument): Generator<undefined, boolean> {
    const known = hashOf(document.key);
    if (known && known[0] === document.hash[0] && known[1] === document.hash[1]) return false;
    const [segmentsThen, buildingThen] = [segments, building];
    yield* memtable.putSteps(document);
    // Where it was nowhere, and nothing was built meanwhile, it still is nowhere.
    const mayBeThere =
      known !== undefined || segments !== segmentsThen || building !== buildingThen;
    const before = mayBeThere ? find(document.key) : undefined;
    if (before) removeNote(before.source, before.note);
    if (memtable.tokens() > MOST_WAITING) yield* sealSteps();
    return true;
  };

  return {
    put: (document) => runSteps(putSteps(document)),
    putSteps,
    remove,
    hashOf,
    keys() {
      finishBuilding();
      return [...memtable.keys(), ...segments.flatMap(livingKeys)];
    },
    size: () =>
      segments.reduce(
        (sum, { counts }) => sum + counts.notes,
        memtable.size() + (building?.keys.size ?? 0),
      ),
    search: (query, options) => runSteps(searchSteps(query, options)),
    searchSteps,
    *mergeSteps() {
      yield* sealSteps();
      for (;;) {
        const sources = chooseMerge(segments);
        if (sources.length === 0) return;
        const before = sources.map(({ gone }) => gone.slice());
        const blob = yield* mergeSegments(
          sources.map(({ segment }, at) => ({ segment, gone: before[at]! })),
        );
        const merged = openBlob(blob);
        sources.forEach((source, at) => {
          // What was changed or removed while the merge went on.
          source.gone.forEach((isGone, note) => {
            if (!isGone || before[at]![note]) return;
            const place = findLiving(merged, textToBytes(keyOf(source.segment, note)));
            if (place >= 0) removeNote(merged, place);
          });
        });
        segments = [...segments.filter((source) => !sources.includes(source)), merged];
        yield;
      }
    },
    flush() {
      seal();
      segments = segments.filter(({ counts }) => counts.notes > 0);
      const names = new Set(segments.map(({ name }) => name));
      const blobs = segments
        .filter(({ name }) => !kept.has(name))
        .map(({ name, segment }) => ({ name, bytes: segment.blob as Uint8Array<ArrayBuffer> }));
      const obsolete = [...kept].filter((name) => !names.has(name));
      for (const name of obsolete) kept.delete(name);
      for (const { name } of blobs) kept.add(name);
      const listed = segments.map(({ name, gone }) => ({
        name,
        gone: [...gone.keys()].filter((note) => gone[note] === 1),
      }));
      return { manifest: { format: FORMAT_VERSION, next, segments: listed }, blobs, obsolete };
    },
  };
}

/** In the order of their bytes. */
function livingKeys({ segment, gone }: OpenSegment): string[] {
  const keys: string[] = [];
  const cursor = createKeyCursor(segment);
  while (cursor.next())
    if (gone[cursor.note()] === 0)
      keys.push(bytesToText(cursor.bytes().subarray(0, cursor.length())));
  return keys;
}

/** So many segments of about one size become one: each passage is written again once for each such step in size. */
const FAN = 3;
/** More are not merged in one go: each term is looked for in all of them. */
const MOST_AT_ONCE = 32;
const SMALLEST = 64;
const MOST_GONE = 0.3;

/** The segments to make one of now: enough of about the same size, or one of which too much is gone; none if neither. */
function chooseMerge(segments: readonly OpenSegment[]): readonly OpenSegment[] {
  const tiers = new Map<number, OpenSegment[]>();
  for (const source of segments) {
    const tier = Math.floor(
      Math.log(Math.max(SMALLEST, source.counts.passages) / SMALLEST) / Math.log(FAN),
    );
    tiers.set(tier, [...(tiers.get(tier) ?? []), source]);
  }
  for (const [, same] of [...tiers].sort(([a], [b]) => a - b))
    if (same.length >= FAN) return same.slice(0, MOST_AT_ONCE);
  return segments
    .filter(({ counts, segment }) => counts.notes < segment.notes * (1 - MOST_GONE))
    .slice(0, 1);
}
