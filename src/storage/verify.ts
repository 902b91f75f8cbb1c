import { compareText, isJsonObject, type LogEvent } from '../model/event.js';
import { apply, emptyMemory, entityOf } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import { stateOf, stateText } from '../model/state.js';
import type { Files } from './files.js';
import type { Holding, Holdings } from './holdings.js';
import { isWriterId } from './ids.js';
import { LANES, type Lane } from './lanes.js';
import { createReader, eachInParallel, PARALLEL_READS, type PlacedEvent } from './reader.js';
import { isCount } from './line.js';
import { isIn, retiredRanges, type Range } from './retired.js';
import { segmentBytes, type LineProblem } from './segment.js';
import { sha256 } from './sha256.js';

export interface WriterReport {
  readonly writer: string;
  readonly lane: Lane;
  /** As the writer itself called its device. */
  readonly device: string;
  /** Events held. */
  readonly held: number;
  /** The highest sequence number that anybody tells of. */
  readonly claimed: number;
  readonly missing: readonly Range[];
  /** Events taken out on purpose (`log.retire`). */
  readonly retired: number;
  /** Events that bear a sequence number a second time; all of them count. */
  readonly forks: number;
}

export interface VerifyProblem {
  /** `seal`: a finished segment has changed. `content`: a state does not match its hash. `waiting`: cannot be read now. */
  readonly kind: LineProblem['kind'] | 'seal' | 'content' | 'waiting';
  readonly path: VaultPath;
  /** Byte offset in the file. */
  readonly from: number;
}

export interface VerifyReport {
  /** SHA-256 over what is held and not retired. Two devices with the same digest hold the same. */
  readonly digest: string;
  readonly events: number;
  readonly writers: readonly WriterReport[];
  readonly problems: readonly VerifyProblem[];
  /** Nothing that anybody tells of is missing, and every state is as it was saved. */
  readonly isWhole: boolean;
}

/** Reads the whole log afresh and says what is held, what is missing and what is damaged. Writes nothing. */
export async function verify(files: Files, root: VaultPath): Promise<VerifyReport> {
  const holdings: Holdings = new Map();
  const events: PlacedEvent[] = [];
  const problems: VerifyProblem[] = [];
  for (const lane of LANES) {
    const reader = createReader(files, root, lane, holdings);
    for (const event of await reader.scan()) events.push(event);
    for (const path of reader.waiting()) problems.push({ kind: 'waiting', path, from: 0 });
    for (const [path, found] of reader.problems()) for (const { kind, from } of found) problems.push({ kind, path, from });
  }
  const judged = events.filter(({ event }) => event.v === 1);
  problems.push(...(await brokenSeals(files, judged)), ...(await brokenStates(judged)));
  const retired = retiredRanges(judged);
  const claims = claimsIn(judged);
  const devices = devicesIn(judged);
  const writers = [...new Set([...holdings.keys(), ...claims.keys(), ...retired.keys()])].map((writer) =>
    reportWriter({
      writer,
      holding: holdings.get(writer),
      device: devices.get(writer) ?? '',
      claim: claims.get(writer) ?? 0,
      retired: retired.get(writer) ?? [],
    }),
  );
  return {
    digest: await digestOf(events, retired),
    events: events.length,
    writers: writers.sort((a, b) => compareText(a.writer, b.writer)),
    problems: problems.sort((a, b) => compareText(a.path, b.path) || a.from - b.from),
    isWhole: writers.every(({ missing }) => missing.length === 0) && problems.every(({ kind }) => kind !== 'content'),
  };
}

interface WriterFacts {
  readonly writer: string;
  readonly holding: Holding | undefined;
  readonly device: string;
  readonly claim: number;
  readonly retired: readonly Range[];
}

function reportWriter({ writer, holding, device, claim, retired }: WriterFacts): WriterReport {
  const [whole, beyond, forks] = [holding?.crcs.length ?? 0, holding?.beyond ?? new Map<number, string>(), holding?.forks.size ?? 0];
  const claimed = retired.reduce((highest, [, to]) => Math.max(highest, to), Math.max(claim, holding?.last ?? 0));
  const notRetired = gaps(retired, claimed).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return {
    ...{ writer, lane: holding?.lane ?? 'core', device, held: whole + beyond.size + forks, claimed, forks },
    missing: gaps([[1, whole], ...[...beyond.keys()].map((n): Range => [n, n]), ...retired], claimed),
    retired: claimed - notRetired,
  };
}

/** What of 1 to `end` lies in none of the ranges; none of them goes beyond `end`. */
function gaps(ranges: readonly Range[], end: number): Range[] {
  const found: Range[] = [];
  let next = 1;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > next) found.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= end) found.push([next, end]);
  return found;
}

/** By writer, the highest sequence number that a mark tells of. */
function claimsIn(events: readonly PlacedEvent[]): Map<string, number> {
  const claims = new Map<string, number>();
  for (const { event } of events) {
    const { seen } = event.d;
    if (event.t !== 'log.mark' || !isJsonObject(seen)) continue;
    for (const [writer, n] of Object.entries(seen))
      if (isWriterId(writer) && isCount(n)) claims.set(writer, Math.max(claims.get(writer) ?? 0, n));
  }
  return claims;
}

function devicesIn(events: readonly PlacedEvent[]): Map<string, string> {
  const devices = new Map<string, string>();
  for (const { event } of events) {
    const { device } = event.d;
    if (event.t === 'log.seg' && typeof device === 'string') devices.set(event.w, device);
  }
  return devices;
}

async function digestOf(events: readonly PlacedEvent[], retired: Map<string, Range[]>): Promise<string> {
  const held = events.filter(({ event }) => !isIn(retired.get(event.w) ?? [], event.n));
  const keys = held.map(({ event: { w, n, c } }) => `${w} ${String(n).padStart(12, '0')} ${c}`);
  return sha256(keys.sort().join('\n'));
}

async function brokenSeals(files: Files, events: readonly PlacedEvent[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  const seals = events.filter(({ event }) => event.t === 'log.seal');
  await eachInParallel(seals, PARALLEL_READS, async ({ event, path, from }) => {
    const bytes = await files.read(path);
    const sha = bytes && (await sha256(segmentBytes(bytes).subarray(0, from)));
    if (sha !== event.d['sha256']) found.push({ kind: 'seal', path, from });
  });
  return found;
}

async function brokenStates(events: readonly PlacedEvent[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  for (const { event, path, from } of events) {
    if (event.t === 'state.new' && !(await isStateWhole(event))) found.push({ kind: 'content', path, from });
  }
  return found;
}

async function isStateWhole(event: LogEvent): Promise<boolean> {
  const state = stateOf(entityOf(apply(emptyMemory, event), event.e));
  return state !== undefined && (await sha256(stateText(state))) === state.sha;
}
