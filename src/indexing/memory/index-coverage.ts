import { isJsonObject, type Json } from '../../model/event.js';
import type { StateHash } from './state-list.js';
import { runFromJson, runToJson, type CallRun } from './call-runs.js';

/**
 * The indexed content of a workspace: the number of its states with their digest, and the runs of
 * its calls.
 */
export interface IndexCoverage {
  readonly states: number;
  readonly digest: StateHash | undefined;
  readonly runs: readonly CallRun[];
}

/** Returns the number of states and calls in the index. */
export function indexedCount({ states, runs }: IndexCoverage): number {
  return runs.reduce((sum, { count, skipped }) => sum + count - skipped.length, states);
}

/** Returns the number of states and calls that are in the index or deliberately left out of it. */
export function processedCount({ states, runs }: IndexCoverage): number {
  return runs.reduce((sum, { count }) => sum + count, states);
}

export function coverageToJson(coverage: ReadonlyMap<string, IndexCoverage>): Json {
  return Object.fromEntries(
    [...coverage].map(([id, { states, digest, runs }]) => [
      id,
      { states, ...(digest && { digest: [...digest] }), runs: runs.map(runToJson) },
    ]),
  );
}

/**
 * Returns the coverage by workspace id: empty if nothing was persisted, undefined if it cannot be
 * read.
 */
export function coverageFromJson(value: Json): Map<string, IndexCoverage> | undefined {
  if (value === null) return new Map();
  if (!isJsonObject(value)) return undefined;
  const coverage = new Map<string, IndexCoverage>();
  for (const [id, entry] of Object.entries(value)) {
    if (
      !isJsonObject(entry) ||
      typeof entry['states'] !== 'number' ||
      !Array.isArray(entry['runs'])
    )
      return undefined;
    const runs = entry['runs'].flatMap((run) => runFromJson(run) ?? []);
    coverage.set(id, { states: entry['states'], digest: digestFromJson(entry['digest']), runs });
  }
  return coverage;
}

function digestFromJson(value: Json | undefined): StateHash | undefined {
  const [low, high] = Array.isArray(value) ? value : [];
  return typeof low === 'number' && typeof high === 'number' ? [low, high] : undefined;
}
