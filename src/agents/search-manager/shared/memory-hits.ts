import type { FoundEntity } from '../../../indexing/memory/memory-search.js';
import type { Named } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { nameKey } from '../../../model/names.js';
import { earlierStates, newerStates } from '../../../model/states/pieces.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { successorOf } from '../../../model/records/record-outcome.js';
import type { State } from '../../../model/state.js';
import {
  BY_WORDS,
  QueryTerms,
  wordsOf,
  type QueryWord,
  type Relevance,
} from '../../../search/index.js';

/** Share of a query's rare words; if no hit has it, the query counts as not found by words. */
const MIN_MATCHED_SHARE = 0.5;

/** A piece of work that a search found. */
export interface PieceHit {
  /** The state to resume: the newest of the piece, or an earlier one that the query names. */
  readonly state: Named<State>;
  /** The newest state, if it is another one. */
  readonly newer?: Named<State> | undefined;
  /** Number of earlier states of the piece. */
  readonly earlier: number;
  /** The states of the piece that match, the best first. */
  readonly matching: Named<State>[];
}

/** A record that a search found. */
export interface RecordHit {
  /** The record that holds now. */
  readonly record: ProjectRecord;
  /** The matching records that it has superseded. */
  readonly insteadOf: ProjectRecord[];
}

/** States of a chain to look at for each hit: a session may have saved thousands. */
const MAX_LOOKED_AT = 100;

export type EntityHit = PieceHit | RecordHit;

interface Wanted {
  readonly query: string;
  /** True if only states of some dates are wanted, so no newer ones. */
  readonly isDated: boolean;
}

/** Returns one hit per piece of work and record, as found. Successors replace their records. */
export function groupHits(
  memory: Memory,
  found: readonly { readonly item: FoundEntity }[],
  wanted: Wanted,
): EntityHit[] {
  const hits = new Map<string, EntityHit>();
  const pieces = new Pieces(memory);
  for (const { item } of found) {
    if ('state' in item) {
      const hit = pieceHit(pieces, item.state, wanted);
      const known = hits.get(hit.state.entity.id);
      if (known && 'matching' in known) known.matching.push(item.state);
      else hits.set(hit.state.entity.id, hit);
      continue;
    }
    const record = successorOf(memory, item.record) ?? item.record;
    const known = hits.get(record.id);
    const hit = known && 'record' in known ? known : { record, insteadOf: [] };
    if (record !== item.record) hit.insteadOf.push(item.record);
    hits.set(record.id, hit);
  }
  return [...hits.values()];
}

function pieceHit(pieces: Pieces, state: Named<State>, { query, isDated }: Wanted): PieceHit {
  const newest = pieces.newestOfWork(state);
  if (newest !== state && (isDated || isNamedIn(query, state)))
    return { state, newer: newest, earlier: 0, matching: [state] };
  const count = pieces.earlierStates(newest).filter(pieces.sameWorkAs(newest)).length;
  return { state: newest, earlier: count, matching: [state] };
}

/** Returns true if the query is the name of a state, or has it in quotation marks. */
function isNamedIn(query: string, { displayName }: Named<State>): boolean {
  const [whole, name] = [nameKey(query), nameKey(displayName)];
  return whole === name || whole.includes(`"${name}"`);
}

/** Follows the pieces of work of one search's hits. Many hits may be of the same piece. */
class Pieces {
  readonly #memory: Memory;
  /** By id of a state. */
  readonly #earlier = new Map<string, readonly Named<State>[]>();
  /** By display name. */
  readonly #words = new Map<string, readonly QueryWord[]>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Returns the newest `MAX_LOOKED_AT` of the states that a state continues, newest first. */
  earlierStates({ item }: Named<State>): readonly Named<State>[] {
    const known = this.#earlier.get(item.id) ?? earlierStates(this.#memory, item, MAX_LOOKED_AT);
    this.#earlier.set(item.id, known);
    return known;
  }

  /**
   * Returns the newest state that continues this one and is about the same work. A session may save
   * several pieces of work, each of which continues the one before.
   */
  newestOfWork(state: Named<State>): Named<State> {
    const isSameWork = this.sameWorkAs(state);
    for (const newest of newerStates(this.#memory, state.item)) {
      for (const other of [newest, ...this.earlierStates(newest)]) {
        if (other.entity.id === state.entity.id) break;
        if (isSameWork(other)) return other;
      }
    }
    return state;
  }

  /** Returns a test for states with a file of this one, or with a distinctive word of its name. */
  sameWorkAs({ item, displayName }: Named<State>): (other: Named<State>) => boolean {
    const words = new QueryTerms(displayName, BY_WORDS);
    return (other) =>
      item.activeFiles.some((file) => other.item.activeFiles.includes(file)) ||
      words.among(this.#wordsOf(other.displayName)).size > 0;
  }

  #wordsOf(name: string): readonly QueryWord[] {
    const known = this.#words.get(name) ?? wordsOf(name);
    this.#words.set(name, known);
    return known;
  }
}

/**
 * Moves a record before the piece of work that it was saved with if it matches as well, because a
 * decision is shorter than its state.
 * @param matchOf Returns how much of the query a hit contains.
 */
export function recordsBeforePieces(
  hits: readonly EntityHit[],
  matchOf: (hit: EntityHit) => number,
): EntityHit[] {
  const sorted = [...hits];
  for (const hit of hits) {
    if (!('record' in hit)) continue;
    const from = sorted.indexOf(hit);
    const to = sorted.findIndex((other) => 'matching' in other && isSavedWith(hit, other));
    if (to < 0 || to > from || matchOf(hit) < matchOf(sorted[to]!)) continue;
    sorted.splice(from, 1);
    sorted.splice(to, 0, hit);
  }
  return sorted;
}

/**
 * Sorts hits by meaning if no hit has enough of the query's words, so that common words do not win.
 * @param shareOf Returns the share of the query's rare words that a hit contains.
 */
export function byMeaningIfUnmatched(
  hits: readonly EntityHit[],
  { similarityOf }: Pick<Relevance, 'similarityOf'>,
  shareOf: (hit: EntityHit) => number,
): readonly EntityHit[] {
  if (hits.some((hit) => shareOf(hit) >= MIN_MATCHED_SHARE)) return hits;
  return hits
    .map((hit) => ({ hit, similarity: similarityOf(headOf(hit)) }))
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ hit }) => hit);
}

/** Returns the texts that say in short what a hit is about. */
function headOf(hit: EntityHit): string {
  if ('record' in hit) return `${hit.record.title}\n${hit.record.body ?? ''}`;
  const { displayName, item } = hit.state;
  return [displayName, item.description ?? '', item.activeTask].join('\n');
}

function isSavedWith({ record, insteadOf }: RecordHit, { state, matching }: PieceHit): boolean {
  const ids = [record, ...insteadOf].map(({ stateId }) => stateId);
  return [state, ...matching].some(({ item }) => ids.includes(item.id));
}
