import { labelTerm, propertyLabel } from '../documents/labels.js';
import type { SegmentReader } from '../segment/segment-reader.js';
import { LANGUAGE_COUNT } from '../text/languages.js';
import { nameQueries, type NameQuery } from '../text/name-terms.js';
import type { SemanticScores } from '../vectors/semantic-scores.js';
import { allowedDocs, hasPath, isWritten, type SearchScope } from './filter.js';
import { fuse, keywordCandidate, numberDocs } from './fusion.js';
import { variantOf } from './expand.js';
import { demote, docsAbout } from './demotion.js';
import type { DateMatcher } from '../text/dates.js';
import { splitExclusions } from '../text/excluded-words.js';
import { addGroupBoost } from './group-boost.js';
import { bestHits, bestByScore, type Candidate, type SearchHit } from './hits.js';
import {
  parseAsWords,
  parseQuery,
  unquote,
  type KnownSyntax,
  type QueryBranch,
} from './parse-query.js';
import { addNameBonus, isNamed } from './name-bonus.js';
import { addProximity, totalOf } from './proximity.js';
import { rankDocs, type DocScore } from './ranking.js';
import { termGroups } from './term-groups.js';

export interface SearchOptions extends SearchScope {
  /** Maximum number of hits; 20 by default. */
  readonly limit?: number | undefined;
  /** True while the last word is being typed, which then matches longer words, too. */
  readonly isTyping?: boolean | undefined;
  /** Orders hits with equal scores by time, the newest first. */
  readonly newestFirst?: boolean | undefined;
  readonly semanticScores?: SemanticScores | undefined;
  /** Keeps the best of hits with nearly the same passage; not if a query has only conditions. */
  readonly isDeduplicated?: boolean | undefined;
  /** Documents of the times that the query mentions rank higher. */
  readonly mentionedDates?: DateMatcher | undefined;
  /** Factor for a lower-case word; with it, semantic scores make up for words that do not occur. */
  readonly weightOf?: ((word: string) => number) | undefined;
  /** Returns all documents within the conditions, and ignores the words of the query. */
  readonly isListed?: boolean | undefined;
  /** Reads operators as words. */
  readonly isLiteral?: boolean | undefined;
  /** Prefix of labels. Hits that have the same label with this prefix raise each other's scores. */
  readonly groupedBy?: string | undefined;
}

const DEFAULT_LIMIT = 20;
const NO_GROUPS: ReturnType<typeof termGroups> = { groups: [], missingWeight: 0 };
/** Minimum number of documents that are ranked and scored for proximity. */
const MIN_RESCORED = 100;
/** For grouped hits, so that a group's score does not depend on the requested number of hits. */
const MIN_RESCORED_IN_GROUPS = 300;
/** While deduplication leaves too few hits, ranks this many times more, until over `MAX_RANKED`. */
const GROWTH_FACTOR = 4;
const MAX_RANKED = 1000;

/** Yields after some milliseconds of work. To cancel, stop iterating. */
export function* search(
  segments: readonly SegmentReader[],
  query: string,
  options: SearchOptions = {},
): Generator<undefined, SearchHit[]> {
  const { limit = DEFAULT_LIMIT } = options;
  const min = options.groupedBy === undefined ? MIN_RESCORED : MIN_RESCORED_IN_GROUPS;
  for (let ranked = Math.max(min, limit); ; ranked *= GROWTH_FACTOR) {
    const { hits, hasMore } = yield* searchAmong(segments, query, options, ranked);
    if (hits.length >= limit || !hasMore || ranked > MAX_RANKED) return hits;
  }
}

/** Searches the `ranked` best keyword results. `hasMore`: more of them may yield distinct hits. */
function* searchAmong(
  segments: readonly SegmentReader[],
  query: string,
  options: SearchOptions,
  ranked: number,
): Generator<undefined, { hits: SearchHit[]; hasMore: boolean }> {
  const averageLength = averageLengthOf(segments);
  const languages = languagesOf(segments);
  const foundPerBranch: (readonly DocScore[])[] = [];
  const allowedPerBranch: (Uint8Array | undefined)[][] = [];
  const { semanticScores, groupedBy, limit = DEFAULT_LIMIT } = options;
  const { isListed = false, isTyping = false, weightOf } = options;
  const isGrouped = groupedBy !== undefined;
  const names: NameQuery[] = [];
  /** Documents about what the query excludes. */
  const demoted: DocScore[] = [];
  let isRanked = semanticScores !== undefined;
  let hasMore = false;
  let keywordShare = weightOf ? 0 : 1;
  const parse = options.isLiteral ? parseAsWords : parseQuery;
  let certainty = 0;
  let total = 0;
  for (const parsed of parse(query, syntaxOf(segments))) {
    let branch = parsed;
    let allowed = yield* allowedPerSegment(segments, branch, options, languages);
    if (branch.phrases.length > 0 && allowed.every((docs) => docs && !docs.includes(1))) {
      branch = unquote(branch); // no exact match, and a near one is better than none
      allowed = yield* allowedPerSegment(segments, branch, options, languages);
    }
    allowedPerBranch.push(allowed);
    names.push(...nameQueries([branch.words, ...branch.phrases].join(' '), languages));
    const { wanted, excluded } = splitExclusions(branch, languages, (phrase) =>
      isWritten(phrase, segments, languages),
    );
    branch = { ...branch, words: wanted };
    if (excluded !== '')
      demoted.push(...(yield* docsAbout(excluded, segments, languages, averageLength)));
    const { groups: all, missingWeight } = isListed
      ? NO_GROUPS
      : termGroups(branch, segments, languages, isTyping, weightOf);
    const groups = all.filter(({ edge }) => !edge);
    /** Highest possible score. */
    const possible = missingWeight + totalOf(groups);
    if (weightOf && possible > 0) keywordShare = Math.max(keywordShare, totalOf(groups) / possible);
    yield;
    const hits =
      groups.length > 0
        ? yield* rankDocs(segments, groups, allowed, averageLength, ranked)
        : listDocs(branch, segments, allowed, isListed);
    isRanked ||= groups.length > 0;
    hasMore ||= groups.length > 0 && hits.length >= ranked;
    const rescored = isGrouped ? bestByScore(hits, Math.max(MIN_RESCORED, limit)) : hits;
    const isReordered = semanticScores !== undefined || options.isDeduplicated || isGrouped;
    addProximity(rescored, all, averageLength, isReordered ? ranked : limit);
    total = Math.max(total, possible);
    // one word is never a copy
    if (groups.length > 1)
      certainty = hits.reduce((max, { score }) => Math.max(max, score / possible), certainty);
    foundPerBranch.push(hits);
    yield;
  }
  const found = bestOfEach(foundPerBranch, numberDocs(segments));
  const candidates = semanticScores
    ? fuse(found, semanticScores, segments, allowedPerBranch, { keywordShare, certainty, total })
    : found.map((hit) => keywordCandidate(hit, total));
  const hasName = (hit: Candidate) => isNamed(hit, names);
  const others = demoted.length > 0 ? candidates.filter((hit) => !hasName(hit)) : [];
  demote(others, demoted);
  const isDeduplicated = isRanked && options.isDeduplicated === true;
  if (isRanked && isGrouped) addGroupBoost(candidates, groupedBy);
  if (isRanked) addNameBonus(candidates, names);
  if (options.mentionedDates) addDateBonus(candidates, options.mentionedDates);
  const { newestFirst = false } = options;
  return {
    hits: bestHits(candidates, { limit, newestFirst, isDeduplicated, isNamed: hasName }),
    hasMore: isDeduplicated && hasMore,
  };
}

/** Returns each document once, from the branch that gives it the highest score. */
function bestOfEach(
  branches: readonly (readonly DocScore[])[],
  numberOf: (hit: DocScore) => number,
): readonly DocScore[] {
  if (branches.length === 1) return branches[0]!;
  const best = new Map<number, DocScore>();
  for (const hit of branches.flat()) {
    const number = numberOf(hit);
    if (hit.score > (best.get(number)?.score ?? -1)) best.set(number, hit);
  }
  return [...best.values()];
}

/** Returns what the documents decide about operators. */
export function syntaxOf(segments: readonly SegmentReader[]): KnownSyntax {
  const has = (term: string) => variantOf(term, 1, segments) !== undefined;
  return {
    isOption: (option) => has(option.toLowerCase()),
    isProperty: (name) => has(labelTerm(propertyLabel(name, undefined))),
    isPath: (path) => hasPath(path, segments),
  };
}

const DATE_BONUS = 0.1;

function addDateBonus(hits: readonly Candidate[], isMentioned: DateMatcher): void {
  for (const hit of hits)
    if (isMentioned(hit.reader.segment.docTime[hit.doc]!)) hit.score += DATE_BONUS;
}

function* allowedPerSegment(
  segments: readonly SegmentReader[],
  branch: QueryBranch,
  scope: SearchScope,
  languages: readonly number[],
): Generator<undefined, (Uint8Array | undefined)[]> {
  const allowed: (Uint8Array | undefined)[] = [];
  for (const reader of segments) {
    allowed.push(allowedDocs(reader, branch, scope, languages));
    yield;
  }
  return allowed;
}

/** Returns the average weighted length of the live passages, at least 1. */
function averageLengthOf(segments: readonly SegmentReader[]): number {
  const length = segments.reduce((sum, { counts }) => sum + counts.length, 0);
  const passages = segments.reduce((sum, { counts }) => sum + counts.passages, 0);
  return Math.max(1, length / Math.max(1, passages));
}

/** Returns the languages of the live documents, the most frequent first. */
export function languagesOf(segments: readonly SegmentReader[]): number[] {
  const docs = new Int32Array(LANGUAGE_COUNT);
  for (const { counts } of segments) {
    counts.languages.forEach((count, language) => {
      docs[language]! += count;
    });
  }
  return [...docs.keys()]
    .filter((language) => docs[language]! > 0)
    .sort((a, b) => docs[b]! - docs[a]! || a - b);
}

function listDocs(
  { conditions, unwanted }: QueryBranch,
  segments: readonly SegmentReader[],
  allowed: readonly (Uint8Array | undefined)[],
  isListed: boolean,
): DocScore[] {
  if (conditions.length + unwanted.length === 0 && !isListed) return [];
  return segments.flatMap((reader, segmentNumber) => {
    const own = allowed[segmentNumber];
    const docs: DocScore[] = [];
    for (let doc = 0; doc < reader.segment.docs; doc++) {
      if (own && own[doc] !== 1) continue;
      docs.push({ reader, segmentNumber, doc, passage: reader.segment.docFirst[doc]!, score: 1 });
    }
    return docs;
  });
}
