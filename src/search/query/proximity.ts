import type { Group } from './posting-cursor.js';
import { eachWithPositions } from '../segment/postings.js';
import type { NoteScore } from './ranking.js';
import { LENGTH_EFFECT, ONCE, SATURATION } from '../segment/segment-format.js';

/** How much the nearness of words counts beside the words. */
const SHARE = 0.5;
/** Words farther apart than this say nothing of each other. */
const FARTHEST = 16;

/**
 * Adds to the score of each note for words of the query that stand near each other in its passage: each pair of
 * neighbouring occurrences counts by the other word's worth and the square of the distance, saturating as BM25 does.
 * Only the first `wanted` notes will then be right.
 */
export function addProximity(
  hits: readonly NoteScore[],
  groups: readonly Group[],
  averageLength: number,
  wanted: number,
): void {
  if (groups.length < 2) return;
  const most = SHARE * groups.reduce((sum, { worth }) => sum + Math.min(1, worth), 0);
  const last =
    Float64Array.from(hits, ({ score }) => score)
      .sort()
      .at(-wanted) ?? 0;
  const byPlace = new Map<number, NoteScore[]>();
  for (const hit of hits) {
    if (hit.score + most < last) continue; // not even the nearest words could lift it so far
    const same = byPlace.get(hit.place);
    if (same) same.push(hit);
    else byPlace.set(hit.place, [hit]);
  }
  for (const own of byPlace.values()) addInSegment(own[0]!, own, groups, averageLength);
}

/** The occurrences in one passage: the position, times `MOST_GROUPS`, and which group. */
interface Occurrences {
  keys: Int32Array;
  count: number;
}

const MOST_GROUPS = 128;
const MOST_OCCURRENCES = 1024;
const pool: Occurrences[] = [];
const near = new Float64Array(MOST_GROUPS);

function addInSegment(
  { source: { segment }, place }: NoteScore,
  hits: NoteScore[],
  groups: readonly Group[],
  averageLength: number,
): void {
  hits.sort((a, b) => a.passage - b.passage);
  const wanted = Int32Array.from(hits, ({ passage }) => passage);
  while (pool.length < hits.length) pool.push({ keys: new Int32Array(MOST_OCCURRENCES), count: 0 });
  for (let at = 0; at < hits.length; at++) pool[at]!.count = 0;
  groups.forEach(({ variants }, group) => {
    for (const { entries } of variants) {
      const entry = entries[place];
      if (!entry?.hasPositions) continue;
      let at = 0;
      eachWithPositions(segment, entry, wanted, (passage, positions, count, code) => {
        if (code < ONCE) return; // it stands only in what was before or after
        while (wanted[at]! < passage) at++;
        const all = pool[at]!;
        for (let index = 0; index < count && all.count < MOST_OCCURRENCES; index++) {
          all.keys[all.count++] = positions[index]! * MOST_GROUPS + group;
        }
      });
    }
  });
  hits.forEach((hit, at) => {
    const length = segment.passageLength[hit.passage]!;
    const damping = SATURATION * (1 - LENGTH_EFFECT + (LENGTH_EFFECT * length) / averageLength);
    hit.score += SHARE * nearness(pool[at]!, groups, damping);
  });
}

function nearness({ keys, count }: Occurrences, groups: readonly Group[], damping: number): number {
  const sorted = keys.subarray(0, count).sort();
  near.fill(0, 0, groups.length);
  for (let at = 1; at < count; at++) {
    const [one, other] = [sorted[at - 1]! % MOST_GROUPS, sorted[at]! % MOST_GROUPS];
    const distance =
      Math.floor(sorted[at]! / MOST_GROUPS) - Math.floor(sorted[at - 1]! / MOST_GROUPS);
    if (one === other || distance === 0 || distance > FARTHEST) continue;
    near[one]! += groups[other]!.worth / distance ** 2;
    near[other]! += groups[one]!.worth / distance ** 2;
  }
  let sum = 0;
  for (let group = 0; group < groups.length; group++) {
    sum += (Math.min(1, groups[group]!.worth) * near[group]!) / (near[group]! + damping);
  }
  return sum;
}
