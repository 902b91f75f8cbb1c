import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { VerifyReport } from '../../src/storage/integrity/verify-report.js';
import { filesOf, type KeptVersion, type SyncedPair } from './pair.js';

const CORE = /^Savepoint\/core\/.*\.jsonl$/;

/** Returns the core segments of a vault, by path. */
export function coreSegments(vault: string): Map<string, Buffer> {
  return new Map([...filesOf(vault)].filter(([path]) => CORE.test(path)));
}

/** Returns the open core segment of a vault with a single writer: the last by name. */
export function lastCoreSegment(vault: string): string {
  const path = [...coreSegments(vault).keys()].sort().at(-1);
  if (path === undefined) throw new Error('There is no segment');
  return path;
}

/** Position of an event in the log, with the workspace id if it is a state. */
export interface Place {
  readonly writer: string;
  readonly n: number;
  readonly ws: string | undefined;
}

/**
 * Returns the positions of all states and workspaces by description and by id, without incomplete
 * lines.
 */
export function placesIn(vault: string): Map<string, Place> {
  const lines = [...coreSegments(vault).values()].flatMap((bytes) => bytes.toString().split('\n'));
  const created = lines.filter((line) => /^\{"v":1,.*"t":"(state|ws)\.new".*\}$/.test(line));
  return new Map(
    created.flatMap((line) => {
      const { w, n, e, d } = JSON.parse(line) as {
        w: string;
        n: number;
        e: string;
        d: { description: string; ws?: string };
      };
      const place: Place = { writer: w, n, ws: d.ws };
      return [[d.description, place] as const, [e, place] as const];
    }),
  );
}

/** Returns true if a report lists the creation of an item, or of its workspace, as missing. */
export function isToldMissing(
  report: VerifyReport,
  places: ReadonlyMap<string, Place>,
  key: string,
): boolean {
  const place = places.get(key);
  if (!place) return false;
  const missing = report.writers.find(({ writer }) => writer === place.writer)?.missing ?? [];
  const isItself = missing.some(([from, to]) => from <= place.n && place.n <= to);
  return isItself || (place.ws !== undefined && isToldMissing(report, places, place.ws));
}

/**
 * Restores kept versions as `verify` advises: copies the longest version of each file, if it is
 * longer than the current file, into the first vault under another name. Returns the number of
 * copies.
 */
export async function bringBackKeptVersions(pair: SyncedPair): Promise<number> {
  const longest = new Map<string, KeptVersion>();
  for (const version of await pair.keptVersions()) {
    const isLonger = version.bytes.length > (longest.get(version.path)?.bytes.length ?? 0);
    if (version.path.endsWith('.jsonl') && isLonger) longest.set(version.path, version);
  }
  const [vault] = pair.vaults;
  const useful = [...longest.values()].filter(
    ({ path, bytes }) => bytes.length > sizeOf(join(vault, path)),
  );
  for (const { path, bytes } of useful) {
    const target = join(vault, dirname(path), `back-${basename(path)}`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
  return useful.length;
}

function sizeOf(path: string): number {
  return existsSync(path) ? readFileSync(path).length : 0;
}
