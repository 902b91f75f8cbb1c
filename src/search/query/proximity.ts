import { createTopKThreshold } from '../vectors/top-k.js';
import { eachWithPositions } from '../segment/postings/postings.js';
import { BM25_B, BM25_K1, CODE_ONCE } from '../segment/segment-format.js';
import type { TermGroup } from './posting-cursor.js';
import type { DocScore } from './ranking.js';
import { addToList } from '../../platform/lists.js';

/** Weight of proximity, relative to the words themselves. */
const PROXIMITY_WEIGHT = 0.5;
/** The same for pairs of characters, which are words only in their sequence. */
const PAIR_PROXIMITY_WEIGHT = 1.5;
/** Weight of the words of a long query in a row as typed, relative to the words themselves. */
const RUN_WEIGHT = 1.5;
/** Words farther apart than this do not count. */
const MAX_DISTANCE = 16;

/**
 * Adds a proximity score to the hits that can still be among the first `limit`. Neighbouring
 * occurrences of different words count for each, by the other's idf weight divided by the square of
 * the distance. The sum saturates as in BM25. The heaviest run of words that are as far apart as in
 * the query counts by the share of the query that it is.
 */
export function addProximity(
  hits: readonly DocScore[],
  groups: readonly TermGroup[],
  averageLength: number,
  limit: number,
): void {
  if (groups.length < 2) {
    const weight = totalOf(groups);
    for (const hit of hits) hit.found = { weight, run: weight };
    return;
  }
  const maxGain = groups.reduce(
    (sum, group) => sum + gainOf(group),
    runWeight(groups) * totalOf(groups),
  );
  const { min, add } = createTopKThreshold(limit);
  for (const { score } of hits) add(score);
  const minScore = min();
  const bySegment = new Map<number, DocScore[]>();
  for (const hit of hits) {
    if (hit.score + maxGain < minScore) continue;
    addToList(bySegment, hit.segmentNumber, hit);
  }
  for (const own of bySegment.values()) {
    own.sort((a, b) => a.passage - b.passage);
    for (let at = 0; at < own.length; at += HITS_AT_ONCE) {
      const some = own.slice(at, at + HITS_AT_ONCE);
      addInSegment(some[0]!, some, groups, averageLength);
    }
  }
}

/** Occurrences in one passage, each as its position times `MAX_GROUPS`, plus its group. */
interface Occurrences {
  keys: Int32Array;
  count: number;
}

const MAX_GROUPS = 128;
const MAX_OCCURRENCES = 1024;
/** Each needs a buffer of four kilobytes, and thousands of hits may have the same score. */
const HITS_AT_ONCE = 256;
const pool: Occurrences[] = [];
const pairWeights = new Float64Array(MAX_GROUPS);

function addInSegment(
  { reader: { segment }, segmentNumber }: DocScore,
  hits: readonly DocScore[],
  groups: readonly TermGroup[],
  averageLength: number,
): void {
  const wanted = Int32Array.from(hits, ({ passage }) => passage);
  while (pool.length < hits.length) pool.push({ keys: new Int32Array(MAX_OCCURRENCES), count: 0 });
  for (let at = 0; at < hits.length; at++) pool[at]!.count = 0;
  const total = totalOf(groups);
  const runFactor = total === 0 ? 0 : runWeight(groups) / total;
  groups.forEach(({ variants }, group) => {
    for (const { entries } of variants) {
      const entry = entries[segmentNumber];
      if (!entry?.hasPositions) continue;
      let at = 0;
      eachWithPositions(segment, entry, wanted, (passage, positions, count, code) => {
        if (code < CODE_ONCE) return; // only in a text of low weight, such as a neighbouring call
        while (wanted[at]! < passage) at++;
        const all = pool[at]!;
        for (let index = 0; index < count && all.count < MAX_OCCURRENCES; index++) {
          all.keys[all.count++] = positions[index]! * MAX_GROUPS + group;
        }
      });
    }
  });
  hits.forEach((hit, at) => {
    const length = segment.passageLength[hit.passage]!;
    const damping = BM25_K1 * (1 - BM25_B + (BM25_B * length) / averageLength);
    const { keys, count } = pool[at]!;
    const sorted = keys.subarray(0, count).sort();
    const run = heaviestRun(sorted, groups);
    hit.found = { weight: weightOf(sorted, groups), run };
    if (count < 2) return;
    hit.score += proximityScore(sorted, groups, damping) + runFactor * run ** 2;
  });
}

const seen = new Uint8Array(MAX_GROUPS);

/** Returns the weight of the groups that occur. */
function weightOf(sorted: Int32Array, groups: readonly TermGroup[]): number {
  seen.fill(0, 0, groups.length);
  for (const key of sorted) seen[key % MAX_GROUPS] = 1;
  return totalOf(groups.filter((_, group) => seen[group] === 1));
}

export function totalOf(groups: readonly TermGroup[]): number {
  return groups.reduce((sum, { edge, idfWeight }) => sum + (edge ? 0 : idfWeight), 0);
}

/** A few words in a row, such as those of a link, are common and say nothing. */
function runWeight(groups: readonly TermGroup[]): number {
  const words = 1 + Math.max(1, ...groups.flatMap(({ positions }) => positions));
  return RUN_WEIGHT * Math.max(0, 1 - 4 / words);
}

const starts = new Float64Array(MAX_OCCURRENCES);

/** Returns the weight of the words that occur at the same distances from each other as typed. */
function heaviestRun(sorted: Int32Array, groups: readonly TermGroup[]): number {
  let count = 0;
  for (const key of sorted) {
    const group = key % MAX_GROUPS;
    const position = Math.floor(key / MAX_GROUPS);
    for (const own of groups[group]!.positions) {
      if (count === starts.length) break;
      starts[count++] = (position - own) * MAX_GROUPS + group;
    }
  }
  const runs = starts.subarray(0, count).sort();
  let heaviest = 0;
  let weight = 0;
  let last = NaN;
  let start = NaN;
  for (const run of runs) {
    const own = Math.floor(run / MAX_GROUPS);
    if (own !== start) weight = 0;
    else if (run === last) continue;
    const before = weight;
    weight += groups[run - own * MAX_GROUPS]!.idfWeight;
    if (before > 0) heaviest = Math.max(heaviest, weight);
    start = own;
    last = run;
  }
  return heaviest;
}

function proximityScore(sorted: Int32Array, groups: readonly TermGroup[], damping: number): number {
  pairWeights.fill(0, 0, groups.length);
  /** The latest start of a run, and the latest occurrence that is no edge of a run. */
  let start = -1;
  let before = -1;
  for (const key of sorted) {
    const group = key % MAX_GROUPS;
    const position = Math.floor(key / MAX_GROUPS);
    const other = before % MAX_GROUPS;
    const distance = before < 0 ? Infinity : position - Math.floor(before / MAX_GROUPS);
    const { edge, pairs } = groups[group]!;
    if (edge === 'start') start = key;
    if (edge === 'end' && distance === 1) {
      pairWeights[group] = 1;
      const isWhole = start >= 0 && Math.floor(start / MAX_GROUPS) === position - pairs!;
      if (isWhole) pairWeights[start % MAX_GROUPS] = 1;
    }
    if (edge) continue;
    before = key;
    if (group === other || distance === 0 || distance > MAX_DISTANCE) continue;
    pairWeights[other]! += groups[group]!.idfWeight / distance ** 2;
    pairWeights[group]! += groups[other]!.idfWeight / distance ** 2;
  }
  let sum = 0;
  for (let group = 0; group < groups.length; group++) {
    const pairs = pairWeights[group]!;
    const share = groups[group]!.edge ? pairs : pairs / (pairs + damping);
    sum += gainOf(groups[group]!) * share;
  }
  return sum;
}

/**
 * Returns the most that a group can add. An end of a run counts in full if a text's run ends with
 * it, as it is then the clause searched for; so does the start if the run is as long as the
 * query's.
 */
function gainOf({ idfWeight, isPair, edge }: TermGroup): number {
  if (edge) return idfWeight;
  return (isPair ? PAIR_PROXIMITY_WEIGHT : PROXIMITY_WEIGHT) * Math.min(1, idfWeight);
}
