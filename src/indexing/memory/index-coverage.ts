import { isJsonObject, type Json } from '../../model/event.js';
import { runOfJson, runToJson, type CallRun } from './call-list.js';

/** What is in the index of a workspace: how many states, and which calls. */
export interface Tally {
  readonly states: number;
  readonly runs: readonly CallRun[];
}

/** How many states and calls are in the index. */
export function heldIn({ states, runs }: Tally): number {
  return runs.reduce((sum, { count, passed }) => sum + count - passed.length, states);
}

/** How many are done with: in the index, or left out of it. */
export function takenIn({ states, runs }: Tally): number {
  return runs.reduce((sum, { count }) => sum + count, states);
}

export function talliesToJson(tallies: ReadonlyMap<string, Tally>): Json {
  return Object.fromEntries(
    [...tallies].map(([id, { states, runs }]) => [id, { states, runs: runs.map(runToJson) }]),
  );
}

/** By workspace; none where nothing was kept, undefined where it is not known what was. */
export function readTallies(value: Json): Map<string, Tally> | undefined {
  if (value === null) return new Map();
  if (!isJsonObject(value)) return undefined;
  const tallies = new Map<string, Tally>();
  for (const [id, tally] of Object.entries(value)) {
    if (
      !isJsonObject(tally) ||
      typeof tally['states'] !== 'number' ||
      !Array.isArray(tally['runs'])
    )
      return undefined;
    tallies.set(id, {
      states: tally['states'],
      runs: tally['runs'].flatMap((run) => runOfJson(run) ?? []),
    });
  }
  return tallies;
}
