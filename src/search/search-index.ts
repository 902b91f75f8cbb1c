import { runToEnd } from '../platform/run-sliced.js';
import { takeChanges, type BlobChanges } from './blob-changes.js';
import type { SearchDocument } from './documents/documents.js';
import { variantOf } from './query/expand.js';
import type { SearchHit } from './query/hits.js';
import { isWritten } from './query/filter.js';
import { operatorsIn, parseQuery, wantedText } from './query/parse-query.js';
import { languagesOf, search, syntaxOf, type SearchOptions } from './query/search.js';
import { KeyCursor, keyOf } from './segment/dictionary.js';
import { createMemtable } from './segment/memtable.js';
import { mergeSegments } from './segment/merge.js';
import { chooseMerge } from './segment/merge-policy.js';
import { findDamage } from './segment/segment.js';
import { FORMAT_VERSION } from './segment/segment-format.js';
import {
  deleteDoc,
  findLiveDoc,
  openSegmentReader,
  type SegmentReader,
} from './segment/segment-reader.js';
import { splitExclusions } from './text/excluded-words.js';
import { languageCode, stemsOf, type LanguageCode } from './text/languages.js';
import { encodeUtf8 } from './text/utf8.js';

/** Persisted description of an index: its blobs, with the deleted documents of each. */
export interface IndexManifest {
  readonly format: number;
  /** Number of the next blob. */
  readonly next: number;
  readonly segments: readonly { readonly name: string; readonly deleted: readonly number[] }[];
}

export interface Exclusion {
  readonly excluded: string;
  /** A query that finds what is excluded as well. */
  readonly inclusive: string;
}

export function createIndex(next = 0): SearchIndex {
  return new SearchIndex([], next);
}

/**
 * Opens a flushed index, or returns the name of the damaged blob (or `manifest`) and what is wrong
 * with it. Each blob must begin at a multiple of eight bytes in its buffer.
 */
export function openIndex(
  { format, next, segments }: IndexManifest,
  blobs: ReadonlyMap<string, Uint8Array>,
): { index: SearchIndex } | { damaged: string; problem: string } {
  if (format !== FORMAT_VERSION)
    return { damaged: 'manifest', problem: 'has another format version' };
  const opened: SegmentReader[] = [];
  for (const { name, deleted } of segments) {
    const blob = blobs.get(name);
    const problem = blob ? findDamage(blob) : 'is missing';
    if (!blob || problem) return { damaged: name, problem: problem ?? 'is missing' };
    const reader = openSegmentReader(name, blob);
    for (const doc of deleted)
      if (doc < reader.segment.docs && reader.deleted[doc] === 0) deleteDoc(reader, doc);
    opened.push(reader);
  }
  return { index: new SearchIndex(opened, next) };
}

/** A segment is built from a memtable with more tokens than this. */
const MAX_MEMTABLE_TOKENS = 64_000;

/** Segment under construction; its documents are neither in the memtable nor in a segment. */
interface SegmentBuild {
  readonly keys: ReadonlySet<string>;
  readonly steps: Generator<undefined, Uint8Array<ArrayBuffer>>;
}

/** A memtable, and immutable segments merged in the background (log-structured merge). */
export class SearchIndex {
  readonly #memtable = createMemtable();
  /** Names of the persisted segments. */
  readonly #persisted: Set<string>;
  #segments: readonly SegmentReader[];
  #next: number;
  #build: SegmentBuild | undefined;

  constructor(segments: readonly SegmentReader[], next: number) {
    this.#segments = segments;
    this.#next = next;
    this.#persisted = new Set(segments.map(({ name }) => name));
  }

  /** Adds or replaces a document. Returns false if the existing one has the same hash. */
  put(document: SearchDocument): boolean {
    return runToEnd(this.putSteps(document));
  }

  /** Like `put`, one slice per step. Searches find the previous document until the last step. */
  *putSteps(document: SearchDocument): Generator<undefined, boolean> {
    const { key, hash } = document;
    const known = this.hashOf(key);
    if (known && known[0] === hash[0] && known[1] === hash[1]) return false;
    const segmentsBefore = this.#segments;
    const buildBefore = this.#build;
    yield* this.#memtable.putSteps(document);
    // A key that did not exist before still does not, unless a segment was built in the meantime.
    const mayExist =
      known !== undefined || this.#segments !== segmentsBefore || this.#build !== buildBefore;
    const previous = mayExist ? this.#find(key) : undefined;
    if (previous) deleteDoc(previous.reader, previous.doc);
    if (this.#memtable.tokens() > MAX_MEMTABLE_TOKENS) yield* this.#sealSteps();
    return true;
  }

  /** Returns false if there is no such document. */
  remove(key: string): boolean {
    if (this.#memtable.remove(key)) return true;
    const found = this.#find(key);
    if (found) deleteDoc(found.reader, found.doc);
    return found !== undefined;
  }

  /** Returns the hash of a document; undefined if there is none. */
  hashOf(key: string): readonly [number, number] | undefined {
    const inMemtable = this.#memtable.hashOf(key);
    if (inMemtable) return inMemtable;
    const found = this.#find(key);
    if (!found) return undefined;
    const { docHash } = found.reader.segment;
    return [docHash[found.doc * 2]!, docHash[found.doc * 2 + 1]!];
  }

  keys(): string[] {
    this.#finishBuild();
    return [...this.#memtable.keys(), ...this.#segments.flatMap(liveKeys)];
  }

  size(): number {
    return this.#segments.reduce(
      (sum, { counts }) => sum + counts.docs,
      this.#memtable.size() + (this.#build?.keys.size ?? 0),
    );
  }

  /** Returns true if a document contains the word, or another form of it in that language. */
  hasWord(word: string, language: number): boolean {
    this.#seal();
    return stemsOf(word, language).some((stem) => variantOf(stem, 1, this.#segments) !== undefined);
  }

  /** Returns the two most frequent languages of the documents. */
  languages(): LanguageCode[] {
    this.#seal();
    return languagesOf(this.#segments).slice(0, 2).map(languageCode);
  }

  /** Returns true if more than half of the documents are in that language, or if there are none. */
  isMostlyIn(language: number): boolean {
    this.#seal();
    const docs = this.#segments.reduce((sum, { counts }) => sum + counts.docs, 0);
    const own = this.#segments.reduce((sum, { counts }) => sum + counts.languages[language]!, 0);
    return docs === 0 || own > docs / 2;
  }

  /** Returns the best hits of a query, in the syntax of `parseQuery`. */
  search(query: string, options?: SearchOptions): SearchHit[] {
    return runToEnd(this.searchSteps(query, options));
  }

  /** Like `search`, with some milliseconds of work per step. To cancel, stop iterating. */
  searchSteps(query: string, options?: SearchOptions): Generator<undefined, SearchHit[]> {
    this.#seal();
    this.#dropEmptySegments();
    return search(this.#segments, query, options);
  }

  /** Returns the words and phrases that a query in a language asks for. */
  wantedText(query: string, language: number): string {
    this.#seal();
    return wantedText(query, [language], (phrase) => isWritten(phrase, this.#segments, [language]));
  }

  /** Returns what a query excludes in words, with a query for all; undefined if it does not. */
  exclusionIn(query: string): Exclusion | undefined {
    this.#seal();
    const languages = languagesOf(this.#segments);
    const written = (phrase: string) => isWritten(phrase, this.#segments, languages);
    return parseQuery(query, syntaxOf(this.#segments)).flatMap((branch): Exclusion[] => {
      const { wanted, excluded } = splitExclusions(branch, languages, written);
      return excluded === '' ? [] : [{ excluded, inclusive: `${wanted} ${excluded}` }];
    })[0];
  }

  /** Returns the operators of a query, as a search reads it, such as `-oak` and `tag:bed`. */
  operatorsIn(query: string): string[] {
    this.#seal();
    return operatorsIn(query, syntaxOf(this.#segments));
  }

  /** Seals the memtable, then merges segments while that pays off; about a millisecond per step. */
  *mergeSteps(): Generator<undefined, void> {
    yield* this.#sealSteps();
    for (;;) {
      const sources = chooseMerge(this.#segments);
      if (sources.length === 0) return;
      const before = sources.map(({ deleted }) => deleted.slice());
      const blob = yield* mergeSegments(
        sources.map(({ segment }, at) => ({ segment, deleted: before[at]! })),
      );
      const merged = this.#openBlob(blob);
      sources.forEach((source, at) => applyLaterDeletions(source, before[at]!, merged));
      this.#segments = [...this.#segments.filter((reader) => !sources.includes(reader)), merged];
      yield;
    }
  }

  /** Returns the changes: write the blobs, then the manifest, then delete `obsolete`. */
  flush(): BlobChanges & { readonly manifest: IndexManifest } {
    this.#seal();
    this.#dropEmptySegments();
    const changes = takeChanges(
      this.#persisted,
      this.#segments,
      ({ segment }) => segment.blob as Uint8Array<ArrayBuffer>,
    );
    const segments = this.#segments.map(({ name, deleted }) => ({
      name,
      deleted: [...deleted.keys()].filter((doc) => deleted[doc] === 1),
    }));
    const manifest = { format: FORMAT_VERSION, next: this.#next, segments };
    return { manifest, ...changes };
  }

  #openBlob(blob: Uint8Array<ArrayBuffer>, keys?: ReadonlySet<string>): SegmentReader {
    return openSegmentReader(`segment-${this.#next++}`, blob, keys);
  }

  #dropEmptySegments(): void {
    this.#segments = this.#segments.filter(({ counts }) => counts.docs > 0);
  }

  /** Builds a segment of the memtable's documents. Those added in the meantime stay there. */
  *#sealSteps(): Generator<undefined, void> {
    for (const own = this.#build; own && this.#build === own;) {
      this.#continueBuild(own);
      yield;
    }
    if (this.#build || this.#memtable.size() === 0) return;
    const own: SegmentBuild = {
      keys: new Set(this.#memtable.keys()),
      steps: this.#memtable.build(),
    };
    this.#build = own;
    while (this.#build === own) {
      this.#continueBuild(own);
      yield;
    }
  }

  #seal(): void {
    runToEnd(this.#sealSteps());
  }

  #continueBuild({ keys, steps }: SegmentBuild): void {
    const step = steps.next();
    if (!step.done) return;
    this.#segments = [...this.#segments, this.#openBlob(step.value, keys)];
    this.#build = undefined;
  }

  #finishBuild(): void {
    while (this.#build) this.#continueBuild(this.#build);
  }

  #find(key: string): { readonly reader: SegmentReader; readonly doc: number } | undefined {
    if (this.#build?.keys.has(key)) this.#finishBuild();
    let bytes: Uint8Array | undefined;
    for (let at = this.#segments.length - 1; at >= 0; at--) {
      const reader = this.#segments[at]!;
      if (reader.keys?.has(key) === false) continue;
      bytes ??= encodeUtf8(key);
      const doc = findLiveDoc(reader, bytes);
      if (doc >= 0) return { reader, doc };
    }
    return undefined;
  }
}

/** Deletes from a merged segment what was deleted from a source after the merge began. */
function applyLaterDeletions(
  { segment, deleted }: SegmentReader,
  before: Uint8Array,
  merged: SegmentReader,
): void {
  for (let doc = 0; doc < deleted.length; doc++) {
    if (deleted[doc] === before[doc]) continue;
    const inMerged = findLiveDoc(merged, encodeUtf8(keyOf(segment, doc)));
    if (inMerged >= 0) deleteDoc(merged, inMerged);
  }
}

/** Returns the live keys of a segment in byte order. */
function liveKeys({ segment, deleted }: SegmentReader): string[] {
  const live: string[] = [];
  for (const keys = new KeyCursor(segment); keys.next();)
    if (deleted[keys.doc()] === 0) live.push(keys.text());
  return live;
}
