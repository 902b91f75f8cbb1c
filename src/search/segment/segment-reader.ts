import { LABEL_PREFIX, labelTerm } from '../documents/labels.js';
import { LANGUAGE_COUNT } from '../text/languages.js';
import { encodeUtf8 } from '../text/utf8.js';
import { findDoc, findTerm, seekTerm, type TermEntry } from './dictionary.js';
import { blocksOf } from './postings/posting-blocks.js';
import { eachPosting, eachWanted } from './postings/postings.js';
import { openSegment } from './segment.js';

export type SegmentReader = Readonly<ReturnType<typeof openSegmentReader>>;

interface CachedLiveDocs {
  readonly docs: number;
  readonly marks: Uint8Array | undefined;
}

export interface DocLabels {
  readonly labels: readonly string[];
  /** Index in `labels` for each document; -1 if it has none. */
  readonly ofDoc: Int32Array;
}

/** Opens a segment for use, with its deletions and caches. */
export function openSegmentReader(name: string, blob: Uint8Array, keys?: ReadonlySet<string>) {
  const segment = openSegment(blob);
  const languages = new Int32Array(LANGUAGE_COUNT);
  for (const language of segment.docLanguage) languages[language]!++;
  return {
    name,
    segment,
    /** 1 for each deleted document, which was removed, or replaced by a newer version elsewhere. */
    deleted: new Uint8Array(segment.docs),
    /** Keys of its documents; others need no lookup. Undefined if unknown when it was opened. */
    keys,
    /** Cache of documents by key, -1 for none. */
    docByKey: new Map<string, number>(),
    /** Cache of the documents' labels, by label prefix. */
    labelsByPrefix: new Map<string, DocLabels>(),
    /** Cache of live documents with all of some labels, with the number of live ones then. */
    liveByLabels: new Map<string, CachedLiveDocs>(),
    /** Counts of what is live. */
    counts: {
      docs: segment.docs,
      passages: segment.passages,
      /** Number of documents per language. */
      languages,
      /** Cache of the number of passages per term; cleared with every deletion. */
      terms: new Map<number, number>(),
      /** Cache of the passages of deleted documents; cleared with every deletion. */
      deletedPassages: undefined as Int32Array | undefined,
      /** Sum of the weighted lengths of the passages. */
      length: sum(segment.passageLength, 0, segment.passages),
    },
  };
}

/** Returns the live document of a key; -1 if there is none. */
export function findLiveDoc({ segment, deleted }: SegmentReader, key: Uint8Array): number {
  const doc = findDoc(segment, key);
  return doc >= 0 && deleted[doc] === 0 ? doc : -1;
}

const MAX_CACHED_KEYS = 20_000;

/** Like `findLiveDoc`, with a cache for keys that are likely to be looked up again. */
export function cachedLiveDoc({ segment, deleted, docByKey }: SegmentReader, key: string): number {
  let doc = docByKey.get(key);
  if (doc === undefined) {
    doc = findDoc(segment, encodeUtf8(key));
    if (docByKey.size >= MAX_CACHED_KEYS) docByKey.clear();
    docByKey.set(key, doc);
  }
  return doc >= 0 && deleted[doc] === 0 ? doc : -1;
}

export function deleteDoc(
  { segment, deleted, counts, liveByLabels }: SegmentReader,
  doc: number,
): void {
  const first = segment.docFirst[doc]!;
  const end = segment.docFirst[doc + 1]!;
  deleted[doc] = 1;
  for (const [labels, { docs, marks = new Uint8Array(segment.docs).fill(1) }] of liveByLabels) {
    if (docs !== counts.docs) continue;
    marks[doc] = 0;
    liveByLabels.set(labels, { docs: docs - 1, marks });
  }
  counts.docs--;
  counts.languages[segment.docLanguage[doc]!]!--;
  counts.passages -= end - first;
  counts.length -= sum(segment.passageLength, first, end);
  counts.terms.clear();
  counts.deletedPassages = undefined;
}

/** Returns the number of live passages that contain a term. */
export function liveCount(reader: SegmentReader, entry: TermEntry): number {
  const { segment, deleted, counts } = reader;
  if (counts.docs === segment.docs) return entry.count;
  const cached = counts.terms.get(entry.postingsStart);
  if (cached !== undefined) return cached;
  let live = 0;
  if (segment.passages - counts.passages < entry.count) {
    // Few passages are deleted: decode only the blocks that may contain them.
    live = entry.count;
    eachWanted(segment, blocksOf(segment, entry), deletedPassages(reader), () => live--);
  } else {
    eachPosting(segment, entry, (passage) => {
      if (deleted[segment.docOf[passage]!] === 0) live++;
    });
  }
  counts.terms.set(entry.postingsStart, live);
  return live;
}

function deletedPassages({ segment, deleted, counts }: SegmentReader): Int32Array {
  if (counts.deletedPassages) return counts.deletedPassages;
  const all = new Int32Array(segment.passages - counts.passages);
  let count = 0;
  for (let doc = deleted.indexOf(1); doc >= 0; doc = deleted.indexOf(1, doc + 1)) {
    for (let passage = segment.docFirst[doc]!; passage < segment.docFirst[doc + 1]!; passage++)
      all[count++] = passage;
  }
  counts.deletedPassages = all;
  return all;
}

const MAX_CACHED_LABEL_SETS = 16;

/** Returns 1 for each live document with all labels; undefined for all. It must not be changed. */
export function liveDocsWithLabels(
  reader: SegmentReader,
  labels: readonly string[],
): Uint8Array | undefined {
  const { segment, deleted, counts, liveByLabels } = reader;
  if (labels.length === 0 && counts.docs === segment.docs) return undefined;
  const cacheKey = labels.join('\n');
  const cached = liveByLabels.get(cacheKey);
  if (cached?.docs === counts.docs) return cached.marks;
  const live = Uint8Array.from(deleted);
  for (let doc = 0; doc < live.length; doc++) live[doc]! ^= 1;
  for (const label of labels) {
    const labelled = new Uint8Array(segment.docs);
    markLabelled(reader, label, labelled);
    for (let doc = 0; doc < live.length; doc++) live[doc]! &= labelled[doc]!;
  }
  const marks = live.includes(0) ? live : undefined;
  if (liveByLabels.size >= MAX_CACHED_LABEL_SETS) liveByLabels.clear();
  liveByLabels.set(cacheKey, { docs: counts.docs, marks });
  return marks;
}

/** Sets `marks` to 1 for each document that has the label, and leaves the others unchanged. */
export function markLabelled({ segment }: SegmentReader, label: string, marks: Uint8Array): void {
  const entry = findTerm(segment, encodeUtf8(labelTerm(label)));
  if (!entry) return;
  eachPosting(segment, entry, (passage) => {
    marks[segment.docOf[passage]!] = 1;
  });
}

export function labelsWithPrefix(
  { segment, labelsByPrefix }: SegmentReader,
  prefix: string,
): DocLabels {
  const cached = labelsByPrefix.get(prefix);
  if (cached) return cached;
  const labels: string[] = [];
  const ofDoc = new Int32Array(segment.docs).fill(-1);
  const wanted = encodeUtf8(LABEL_PREFIX + prefix);
  const terms = seekTerm(segment, wanted);
  if (terms) {
    do {
      if (!terms.startsWith(wanted)) break;
      const label = labels.push(terms.text().slice(LABEL_PREFIX.length)) - 1;
      eachPosting(segment, terms.entry(), (passage) => {
        ofDoc[segment.docOf[passage]!] = label;
      });
    } while (terms.next());
  }
  const read = { labels, ofDoc };
  labelsByPrefix.set(prefix, read);
  return read;
}

function sum(values: Uint16Array, from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at++) total += values[at]!;
  return total;
}
