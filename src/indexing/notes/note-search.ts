import { isHidden, isWithin, type VaultPath } from '../../model/paths.js';
import { withDeadline } from '../../platform/deadline.js';
import { runSliced } from '../../platform/run-sliced.js';
import {
  decodePlace,
  embedQuerySteps,
  explainPassage,
  MAX_SEARCHED_LENGTH,
  MIN_SIMILARITY,
  noteTitle,
  periodAsked,
  placeOf,
  rankPaths,
  searchedTextsOf,
  tagLabel,
  type EmbedderSource,
  type Exclusion,
  type PlacedPassage,
  type SearchHit,
  type SearchOptions,
  type SemanticScores,
  type Span,
  writtenForms,
} from '../../search/index.js';
import type { IndexStage } from '../index-progress.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { isUnlimited, nearestLimit, type SearchResult, type TimeRange } from '../search-result.js';
import { excerptLength, shorterLength, tokensOfHit } from './hit-tokens.js';
import type { NoteIndex, NoteIndexOptions, UnreadNote } from './note-index.js';
import { listPeriod } from './period-hits.js';
import type { RemoteEmbeddings } from './remote-embeddings.js';

export const SEARCH_MODES = ['hybrid', 'keyword', 'semantic'] as const;

export interface NoteQuery {
  readonly query: string;
  /** Searches only notes in this folder; empty for the whole vault. */
  readonly folder: VaultPath;
  readonly mode: (typeof SEARCH_MODES)[number];
  /** A note must have all of them. */
  readonly tags: readonly string[];
  /** Searches only notes last changed in this range. */
  readonly range: TimeRange;
  readonly limit: number;
  /** Tokens of all hits, by estimate: excerpts are shortened to that. */
  readonly maxTokens?: number;
  /** True while the last word is still being typed. */
  readonly isTyping?: boolean;
  /** Cancels the search, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface NoteHit {
  readonly path: VaultPath;
  readonly heading?: string | undefined;
  /** From 1. */
  readonly line: number;
  /** Part of the note's text to show. */
  readonly excerpt: string;
  /** Words of the query in the excerpt. */
  readonly matches: readonly Span[];
  readonly score: number;
  /** Reason for the hit, such as `title, 2 headings; meaning`. */
  readonly why: string;
  /** Notes whose matching passage is nearly the same text, mostly versions of this note. */
  readonly also: readonly VaultPath[];
}

/** Why a query has no semantic scores: there is no embedder, or the query is not English. */
export type SemanticProblem = 'noMeaning' | 'notEnglish';

/** How long a search waits for the notes to be indexed, in milliseconds. */
export interface SearchWaits {
  readonly words: number;
  readonly embeddings: number;
}

export interface NoteSearchOptions extends Pick<
  NoteIndexOptions,
  'source' | 'skippedFolders' | 'scheduler' | 'clock'
> {
  readonly index: NoteIndex;
  /** The built-in embedder. Without one, there is only keyword search. */
  readonly embedder: EmbedderSource | undefined;
  /** Embeddings from the server that the user has set up; undefined if there is none. */
  readonly remoteEmbeddings: () => RemoteEmbeddings | undefined;
  readonly maxWaitMs: SearchWaits;
}

/** `isUnclear`: it cannot be told whether the query is English, which search by meaning needs. */
type QueryScores = SemanticScores & { readonly isUnclear?: true };

export interface NoteSearchResult extends SearchResult<readonly NoteHit[]> {
  /** True if search by meaning was used although the language of the query cannot be told. */
  readonly isUnclear: boolean;
  /** Operators in the query, if nothing was found by them and they were then read as words. */
  readonly unmatched: readonly string[];
  /** Words that the query excludes; notes about these come last. */
  readonly exclusion: Exclusion | undefined;
  /** True if no word of the query occurs, and the notes found only mean something similar. */
  readonly isSimilarOnly: boolean;
  /** Notes in the folder of which only the names were searched. */
  readonly unread: readonly UnreadNote[];
}

/** Options of a second search; only the words without operators were embedded. */
const AS_WORDS: SearchOptions = { isLiteral: true, semanticScores: undefined };
/** Code units. The first hit is the one that is read; its excerpt is of the whole note. */
const FIRST_EXCERPT_LENGTH = 480;
/** Nearest notes that are reported as found by meaning. */
const REPORTED_NEAREST = 20;
/** Extra candidates fetched to replace hits whose note was deleted in the meantime. */
const OVERFETCH = 5;

interface ExplainOptions {
  readonly isNearest: boolean;
  readonly length: number;
  readonly isLimited: boolean;
}

/** Searches notes, and files and folders by name. */
export class NoteSearch {
  readonly #options: NoteSearchOptions;

  constructor(options: NoteSearchOptions) {
    this.#options = options;
  }

  /** Returns a problem only if the mode is `semantic` and the query cannot be embedded. */
  async search(
    query: NoteQuery,
  ): Promise<NoteSearchResult | { readonly problem: SemanticProblem }> {
    const { index, maxWaitMs, scheduler } = this.#options;
    const { mode, limit, signal } = query;
    await this.#waitFor('words');
    const folder = query.folder === '' ? '' : this.#actualFolder(query.folder);
    if (mode === 'semantic' || (mode === 'hybrid' && maxWaitMs.embeddings > 0))
      await this.#waitFor('embeddings');
    signal?.throwIfAborted();
    const opened = await index.open();
    const scores =
      mode === 'keyword' ? undefined : await this.#semanticScores({ ...query, folder }, opened);
    if (mode === 'semantic' && scores && 'problem' in scores) return scores;
    const semanticScores = scores && 'nearest' in scores ? scores : undefined;
    const words = mode === 'semantic' ? '' : query.query;
    const scope = scopeOf({ ...query, folder }, semanticScores);
    const searchAs = (more: SearchOptions, text = words) =>
      runSliced(opened.index.searchSteps(text, { ...scope, ...more }), { scheduler, signal });
    const asked = isUnlimited(query.range)
      ? periodAsked(words, this.#options.clock.now())
      : undefined;
    const forms = asked ? writtenForms(words, asked, opened.index.languages()) : [];
    let hits = asked ? await listPeriod(asked, forms, searchAs) : await searchAs({});
    const unmatched = hits.length === 0 ? opened.index.operatorsIn(words) : [];
    if (unmatched.length > 0) hits = await searchAs(AS_WORDS);
    const nearest = semanticScores?.nearest.slice(0, REPORTED_NEAREST).map(({ key }) => key);
    const found: NoteHit[] = [];
    let room = query.maxTokens ?? Infinity;
    for (const hit of hits) {
      if (found.length === limit) break;
      const share = room / (Math.min(limit, hits.length) - found.length);
      const isNearest = nearest?.includes(hit.key) === true;
      const isWhole = found.length === 0 && query.isTyping !== true && hasShortNote(hit);
      const length = isWhole ? FIRST_EXCERPT_LENGTH : excerptLength(hit, share);
      const shown = await this.#explain(hit, query.query, {
        isNearest,
        length,
        isLimited: query.maxTokens !== undefined,
      });
      signal?.throwIfAborted();
      if (!shown) {
        index.invalidate(hit.key);
        continue;
      }
      found.push(shown);
      room -= tokensOfHit(hit, shown);
    }
    const progress = index.progress(mode === 'semantic' ? 'embeddings' : 'words');
    const isUnclear = scores !== undefined && 'isUnclear' in scores;
    const isSimilarOnly = mode === 'hybrid' && hits.every(({ isKeywordMatch }) => !isKeywordMatch);
    const exclusion = opened.index.exclusionIn(words);
    const unread = index.unread(folder);
    return { found, progress, isUnclear, unmatched, exclusion, isSimilarOnly, unread };
  }

  /** Finds files and folders by name, the best first; folders end with a slash. */
  async searchNames(
    query: string,
    folder: VaultPath,
    limit: number,
  ): Promise<SearchResult<readonly VaultPath[]>> {
    const { index, skippedFolders } = this.#options;
    await this.#waitFor('names');
    const parent = this.#actualFolder(folder);
    const { files, folders } = index.listing;
    const skipped = await skippedFolders();
    const isSearched = (path: VaultPath) =>
      isWithin(path, parent) &&
      path.length > parent.length &&
      !isHidden(path) &&
      !skipped.some((other) => isWithin(path, other));
    const paths = [
      ...files.filter(isSearched),
      ...folders.filter(isSearched).map((path) => `${path}/`),
    ];
    return { found: rankPaths(query, paths, limit), progress: undefined };
  }

  async #waitFor(stage: IndexStage): Promise<void> {
    const { index, clock, maxWaitMs } = this.#options;
    index.catchUp(stage);
    const ms = stage === 'embeddings' ? maxWaitMs.embeddings : maxWaitMs.words;
    await withDeadline((signal) => index.ready(stage, signal), { clock, ms });
  }

  /** Returns the spelling on disk: notes match by the exact path, file systems may ignore case. */
  #actualFolder(folder: VaultPath): VaultPath {
    const { folders } = this.#options.index.listing;
    return folders.find((other) => other.toLowerCase() === folder.toLowerCase()) ?? folder;
  }

  /** Returns undefined for a hybrid search while the notes are not embedded yet. */
  async #semanticScores(
    { query, mode, folder, tags, range, isTyping }: NoteQuery,
    { index: searched, vectors }: PersistentIndex,
  ): Promise<QueryScores | { readonly problem: SemanticProblem } | undefined> {
    const { index, embedder, remoteEmbeddings, scheduler } = this.#options;
    const options = {
      limit: nearestLimit(tags.length > 0 || !isUnlimited(range)),
      minSimilarity: mode === 'semantic' ? 0 : MIN_SIMILARITY,
      isAllowed: folder === '' ? undefined : (key: string) => key.startsWith(`${folder}/`),
    };
    // Not while typing: each letter would cause a request.
    const remoteScores = isTyping ? undefined : await remoteEmbeddings()?.nearest(query, options);
    if (remoteScores) return remoteScores;
    if (mode === 'hybrid' && index.progress('embeddings') !== undefined) return undefined;
    if (!embedder) return { problem: 'noMeaning' };
    const steps = embedQuerySteps(embedder, query, searchedTextsOf(searched));
    const embedded = await runSliced(steps, { scheduler });
    if (!embedded) return { problem: 'notEnglish' };
    const scores = await runSliced(vectors.nearestSteps(embedded.vector, options), { scheduler });
    return embedded.isUnclear ? { ...scores, isUnclear: true } : scores;
  }

  /** Returns undefined if the note no longer has the passage. */
  async #explain(
    hit: SearchHit,
    query: string,
    { isNearest, length, isLimited }: ExplainOptions,
  ): Promise<NoteHit | undefined> {
    const { key, passage, score, isKeywordMatch, language, duplicateKeys } = hit;
    const isWhole = length === FIRST_EXCERPT_LENGTH;
    const range: PassageRange = isWhole ? [0, Infinity] : [passage];
    const found = (await this.#readPassages(hit, range)) ?? (await this.#findPassages(key, range));
    await this.#options.scheduler.yieldIfDue();
    if (!found) return undefined;
    const title = noteTitle(key);
    const explainIn = (units: number) =>
      explainPassage({ ...found, title }, query, units, language);
    let explained = explainIn(length);
    const shorter = isLimited ? shorterLength(explained.excerpt, length) : undefined;
    if (shorter !== undefined) explained = explainIn(shorter);
    const { excerpt, heading, line, matches } = explained;
    const why = [
      isKeywordMatch ? explained.why : '',
      isNearest || !isKeywordMatch ? 'meaning' : '',
    ];
    return {
      path: key,
      line,
      score,
      also: duplicateKeys,
      ...(heading !== undefined && { heading }),
      excerpt,
      matches,
      why: why.filter(Boolean).join('; '),
    };
  }

  /** Reads only the passages, at their place in the index; undefined if the note has changed. */
  async #readPassages(
    { key, stored }: SearchHit,
    range: PassageRange,
  ): Promise<FoundPassage | undefined> {
    const { source, index } = this.#options;
    const place = decodePlace(stored, ...range);
    if (!place || !source.readPassage) return undefined;
    try {
      const note = await source.stat(key);
      if (note?.size !== place.noteBytes || !index.isIndexed(note)) return undefined;
      const text = await source.readPassage(key, place);
      return text === undefined ? undefined : { place, text };
    } catch {
      // the whole note is read instead, and a failure is reported when it is indexed again
      return undefined;
    }
  }

  /** Reads the whole note to find the passages in it. */
  async #findPassages(key: VaultPath, range: PassageRange): Promise<FoundPassage | undefined> {
    // the index reports it when it reads the note again
    const text = await this.#options.index.read(key).catch(() => undefined);
    const place = text === undefined ? undefined : placeOf(key, text, ...range);
    return place && text !== undefined
      ? { place, text: text.slice(place.start, place.end) }
      : undefined;
  }
}

/** The first and the last of some passages, or a single one. */
type PassageRange = readonly [first: number, last?: number];

/** Returns true if a word matches and the note is short enough to look at all of it. */
function hasShortNote({ stored, isKeywordMatch }: SearchHit): boolean {
  const place = isKeywordMatch ? decodePlace(stored, 0, Infinity) : undefined;
  return place !== undefined && place.end - place.start <= MAX_SEARCHED_LENGTH;
}

type FoundPassage = Pick<PlacedPassage, 'place' | 'text'>;

function scopeOf(
  { folder, tags, range, limit, isTyping }: NoteQuery,
  semanticScores: SemanticScores | undefined,
): SearchOptions {
  return {
    labels: tags.map(tagLabel),
    limit: limit + OVERFETCH,
    semanticScores,
    isTyping,
    isDeduplicated: true,
    ...(folder !== '' && { keyPrefix: `${folder}/` }),
    ...range,
  };
}
