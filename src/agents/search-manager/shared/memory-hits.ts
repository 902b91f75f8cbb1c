import type { FoundEntity } from '../../../indexing/memory/memory-search.js';
import { newestFirst, statesNamed, type Named } from '../../../model/lookup.js';
import { entityOf, type Memory } from '../../../model/memory.js';
import { nameKey } from '../../../model/names.js';
import { earlierStates, newerStates } from '../../../model/states/pieces.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { successorOf } from '../../../model/records/record-outcome.js';
import { stateOf, type State } from '../../../model/state.js';
import {
  BY_WORDS,
  QueryTerms,
  weightOf,
  wordsOf,
  type QueryTerm,
  type QueryWord,
  type Relevance,
} from '../../../search/index.js';
import { WorkGuesses } from '../../shared/same-work.js';

/** Share of a query's rare words; if no hit has it, the query counts as not found by words. */
const MIN_MATCHED_SHARE = 0.5;
/** Share of an older state's match that a newer one needs to precede it. */
const MIN_FIT = 0.3;
/** Maximum number of older states of a work that have rows. */
const MAX_OLDER = 2;

/** A state that a search found. */
export interface StateHit {
  readonly state: Named<State>;
  /** The newest state of the same work, if it is another one. */
  readonly newest?: Named<State> | undefined;
  /** True if the newest state is only perhaps of the same work. */
  readonly isPerhaps?: boolean;
  /** True if the query asks for this state, and not for a newer one. */
  readonly isNamed?: boolean;
  /** Number of earlier states of the work. */
  readonly earlier: number;
  /** Its records that the search found, the best first. */
  readonly records: readonly ProjectRecord[];
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

export type EntityHit = StateHit | RecordHit;

interface Wanted {
  readonly query: string;
  /** True if only states of some dates are wanted, so no newer ones. */
  readonly isDated: boolean;
  /** True if states are wanted, which show their own records. */
  readonly hasStates: boolean;
}

/**
 * Returns the hits as found, each once, with the newest state of each work. Successors replace
 * their records, and states replace records that were saved with them.
 */
export function groupHits(
  memory: Memory,
  found: readonly { readonly item: FoundEntity }[],
  wanted: Wanted,
): EntityHit[] {
  const hits = new Map<string, EntityHit>();
  const pieces = new Pieces(memory);
  const addState = (state: Named<State>, record?: ProjectRecord) => {
    for (const hit of stateHits(pieces, state, wanted)) {
      const { id } = hit.state.entity;
      const known = hits.get(id) ?? hit;
      const isOfRecord = record && hit.state === state && 'state' in known;
      hits.set(id, isOfRecord ? { ...known, records: [...known.records, record] } : known);
    }
  };
  for (const { item } of found) {
    if ('state' in item) {
      addState(item.state);
      continue;
    }
    const record = successorOf(memory, item.record) ?? item.record;
    const state =
      wanted.hasStates && record === item.record ? stateShown(memory, record) : undefined;
    if (state) {
      addState(state, record);
      continue;
    }
    const known = hits.get(record.id);
    const hit = known && 'record' in known ? known : { record, insteadOf: [] };
    if (record !== item.record) hit.insteadOf.push(item.record);
    hits.set(record.id, hit);
  }
  return withoutMany([...hits.values()]);
}

function stateHits(pieces: Pieces, state: Named<State>, { query, isDated }: Wanted): StateHit[] {
  const newest = pieces.newestOfWork(state);
  const earlier = pieces.earlierStates(newest).filter(pieces.sameWorkAs(newest)).length;
  const isNamed = isDated || isNamedIn(query, state);
  if (newest === state) return [{ state, isNamed, earlier, records: [] }];
  const isPerhaps = !pieces.isClearlySameWork(state, newest);
  const older = { state, newest, isPerhaps, isNamed, earlier: 0, records: [] };
  return isNamed || isPerhaps ? [older] : [{ state: newest, earlier, records: [] }, older];
}

/** Leaves out further older states of a work, which `earlier` counts. */
function withoutMany(hits: readonly EntityHit[]): EntityHit[] {
  const counts = new Map<string, number>();
  return hits.filter((hit) => {
    if (!('state' in hit) || !hit.newest) return true;
    const { id } = hit.newest.entity;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count <= MAX_OLDER;
  });
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
  sameWorkAs(state: Named<State>): (other: Named<State>) => boolean {
    const words = new QueryTerms(state.displayName, BY_WORDS);
    return (other) =>
      sharesFile(state, other) || words.among(this.#wordsOf(other.displayName)).size > 0;
  }

  /**
   * Returns true if two states share a file, or if their names begin with the same word or share
   * most words of the shorter one. Any word is not enough: by default, a session that names no
   * files chains all that it saves.
   */
  isClearlySameWork(a: Named<State>, b: Named<State>): boolean {
    if (sharesFile(a, b)) return true;
    const [own, others] = [namingTerms(a.displayName), namingTerms(b.displayName)];
    const terms = new QueryTerms(a.displayName, BY_WORDS);
    const shared = [...terms.among(this.#wordsOf(b.displayName))].filter(isNaming);
    const isFirstShared = own[0] !== undefined && own[0].stems[0] === others[0]?.stems[0];
    return isFirstShared || shared.length > Math.min(own.length, others.length) / 2;
  }

  #wordsOf(name: string): readonly QueryWord[] {
    const known = this.#words.get(name) ?? wordsOf(name);
    this.#words.set(name, known);
    return known;
  }
}

function sharesFile({ item }: Named<State>, { item: other }: Named<State>): boolean {
  return item.activeFiles.some((file) => other.activeFiles.includes(file));
}

function namingTerms(name: string): QueryTerm[] {
  return new QueryTerms(name, BY_WORDS).terms.filter(isNaming);
}

/** Returns false for a number, which mostly counts the states of a work. */
function isNaming({ word }: QueryTerm): boolean {
  return !/^\p{N}+$/u.test(word);
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

/**
 * Moves states before older ones that are perhaps of the same work, unless they match less, and
 * adds the newest state of the best hit's work.
 * @param recent Further states of the workspaces, which are compared.
 * @param termsIn Returns the terms of the query that a hit contains.
 */
export function newestFirstOfWork(
  memory: Memory,
  hits: readonly EntityHit[],
  recent: readonly Named<State>[],
  termsIn: (hit: EntityHit) => ReadonlySet<QueryTerm>,
): EntityHit[] {
  const found = hits.flatMap((hit) => ('state' in hit ? hit.state : []));
  const states = [...new Map([...recent, ...found].map((each) => [each.entity.id, each])).values()];
  const guesses = new WorkGuesses(states.map(({ item }) => item));
  let sorted: EntityHit[] = [];
  for (const each of hits) {
    const hit = 'state' in each ? withNewest(each) : each;
    const older = 'state' in hit ? sorted.findIndex((other) => isOlder(other, hit)) : -1;
    const [before, after] =
      older < 0 ? [sorted, []] : [sorted.slice(0, older), sorted.slice(older)];
    // of three states, the guess may link the middle one with both others, but not those
    const isNewer = (other: EntityHit) => 'state' in other && isOlder(hit, other);
    const newer = after.filter(isNewer);
    sorted = [...before, ...newer, hit, ...after.filter((other) => !newer.includes(other))];
  }
  const [best] = sorted;
  const newest = best && 'state' in best ? newestBefore(best) : undefined;
  const isFound = found.some(({ entity }) => entity.id === newest?.entity.id);
  return newest && !isFound ? [{ state: newest, earlier: 0, records: [] }, ...sorted] : sorted;

  function newestBefore({ state, newest: other, isNamed, isPerhaps }: StateHit) {
    if (isNamed || !other) return undefined;
    return isPerhaps && !isNewerOfWork(other, state) ? undefined : other;
  }

  function isOlder(other: EntityHit, hit: StateHit): boolean {
    if (!('state' in other) || other.isNamed) return false;
    if (other.newest?.entity.id === hit.state.entity.id && !other.isPerhaps) return true;
    return isNewerOfWork(hit.state, other.state) && fitsAsWell(termsIn(hit), termsIn(other));
  }

  function withNewest(hit: StateHit): StateHit {
    if (hit.newest) return hit;
    const [newest] = states.filter((other) => isNewerOfWork(other, hit.state)).sort(newestFirst);
    return newest ? { ...hit, newest, isPerhaps: true } : hit;
  }

  function isNewerOfWork({ item }: Named<State>, { item: other }: Named<State>): boolean {
    return item.createdAt > other.createdAt && guesses.isSameWork(memory, item, other);
  }
}

/** A number names one thing, so a hit without it does not fit as well. */
function fitsAsWell(terms: ReadonlySet<QueryTerm>, others: ReadonlySet<QueryTerm>): boolean {
  const hasNumbers = [...others].every((term) => !/\d/.test(term.word) || terms.has(term));
  return hasNumbers && weightOf(terms) >= MIN_FIT * weightOf(others);
}

function stateShown(memory: Memory, { stateId, workspaceId }: ProjectRecord) {
  const state = stateId === undefined ? undefined : stateOf(entityOf(memory, stateId));
  const named = state ? statesNamed(memory, workspaceId, state.name) : [];
  return named.find(({ item }) => item.sha === state?.sha && !item.isArchived);
}
