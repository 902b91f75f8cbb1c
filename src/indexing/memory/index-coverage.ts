import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import type { EntityHash, EntityList } from './entity-list.js';
import { runFromJson, runToJson, type CallRun } from './call-runs.js';

/** Number of indexed states, or records, of a workspace, and the digest of their list. */
export interface EntityCoverage {
  readonly count: number;
  readonly digest: EntityHash | undefined;
}

/** Indexed content of a workspace. */
export interface IndexCoverage {
  readonly states: EntityCoverage;
  readonly records: EntityCoverage;
  readonly runs: readonly CallRun[];
}

export function indexedCount({ states, records, runs }: IndexCoverage): number {
  const entities = states.count + records.count;
  return runs.reduce((sum, { count, skipped }) => sum + count - skipped.length, entities);
}

/** Returns the number of states and calls that are in the index or deliberately left out of it. */
export function processedCount({ states, runs }: IndexCoverage): number {
  return runs.reduce((sum, { count }) => sum + count, states.count);
}

/** Returns the coverage of a list, or the persisted one if there is no list yet. */
export function entityCoverage<T>(
  entries: EntityList<T> | undefined,
  persisted: EntityCoverage | undefined,
): EntityCoverage {
  if (entries) return { count: entries.size, digest: entries.digest };
  return persisted ?? { count: 0, digest: undefined };
}

export function coverageToJson(coverage: ReadonlyMap<string, IndexCoverage>): Json {
  return Object.fromEntries(
    [...coverage].map(([id, { states, records, runs }]) => [
      id,
      { states: entityToJson(states), records: entityToJson(records), runs: runs.map(runToJson) },
    ]),
  );
}

function entityToJson({ count, digest }: EntityCoverage): JsonObject {
  return { count, ...(digest && { digest: [...digest] }) };
}

/** Returns the coverage by workspace id: empty if none was persisted, undefined if unreadable. */
export function coverageFromJson(value: Json): Map<string, IndexCoverage> | undefined {
  if (value === null) return new Map();
  if (!isJsonObject(value)) return undefined;
  const coverage = new Map<string, IndexCoverage>();
  for (const [id, entry] of Object.entries(value)) {
    const [states, records, list] = isJsonObject(entry)
      ? [entityFromJson(entry['states']), entityFromJson(entry['records']), entry['runs']]
      : [];
    if (!states || !records || !Array.isArray(list)) return undefined;
    coverage.set(id, { states, records, runs: list.flatMap((run) => runFromJson(run) ?? []) });
  }
  return coverage;
}

function entityFromJson(value: Json | undefined): EntityCoverage | undefined {
  if (!isJsonObject(value) || typeof value['count'] !== 'number') return undefined;
  const [low, high] = Array.isArray(value['digest']) ? value['digest'] : [];
  const hasDigest = typeof low === 'number' && typeof high === 'number';
  return { count: value['count'], digest: hasDigest ? [low, high] : undefined };
}
