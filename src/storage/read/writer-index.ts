import type { LogEvent } from '../../model/event.js';
import { gapsBetween, type NumberRange } from '../format/number-ranges.js';
import { laneOf, type LaneName, type NamedSegment } from '../format/lanes.js';
import { STUB_TYPE } from '../format/stub.js';

/** The known events of one writer. */
export interface WriterState {
  lane: LaneName;
  /** CRCs of the events 1, 2, 3 ... up to the first gap; empty for one with only a stub here. */
  readonly crcs: string[];
  /** CRCs received past the first gap, by sequence number. */
  readonly outOfOrder: Map<number, string>;
  /** Known line hashes by number: of lines before `log.*` events and open segments' last lines. */
  readonly hashes: Map<number, string>;
  /** Further events with a sequence number that another event has, as `n c`. */
  readonly forks: Set<string>;
  /** The highest sequence number. */
  lastNumber: number;
  /** The highest sequence number of an event that is not `log.*`. */
  lastDataNumber: number;
  /** Number of segments whose first line is known. */
  segments: number;
}

/** By writer id. */
export type WriterIndex = Map<string, WriterState>;

/** Indexes an event read from a lane's folder. `fork`: another has its number; both are kept. */
export function indexEvent(
  writers: WriterIndex,
  folder: LaneName,
  event: LogEvent,
): 'new' | 'known' | 'fork' {
  let state = writers.get(event.w);
  if (!state) {
    state = {
      lane: folder,
      crcs: [],
      outOfOrder: new Map(),
      hashes: new Map(),
      forks: new Set(),
      lastNumber: 0,
      lastDataNumber: 0,
      segments: 0,
    };
    writers.set(event.w, state);
  }
  const known = crcOf(state, event.n);
  if (known === undefined) {
    addCrc(state, event);
    const lane = laneOf(event, folder);
    if (lane !== folder) state.lane = lane;
    if (event.t.startsWith('log.') && event.n > 1) state.hashes.set(event.n - 1, event.p);
    if (event.n > state.lastNumber) state.lastNumber = event.n;
    if (event.t === 'log.seg') state.segments++;
    if (event.n > state.lastDataNumber && !event.t.startsWith('log.'))
      state.lastDataNumber = event.n;
    return 'new';
  }
  if (known === event.c || event.t === STUB_TYPE || isFork(writers, event)) return 'known';
  if (known === '') {
    // the original of a stub
    if (event.n <= state.crcs.length) state.crcs[event.n - 1] = event.c;
    else state.outOfOrder.set(event.n, event.c);
    return 'new';
  }
  state.forks.add(forkKey(event));
  return 'fork';
}

function addCrc({ crcs, outOfOrder }: WriterState, event: LogEvent): void {
  const { n } = event;
  const c = event.t === STUB_TYPE ? '' : event.c;
  if (n !== crcs.length + 1) {
    outOfOrder.set(n, c);
    return;
  }
  crcs.push(c);
  for (
    let next = outOfOrder.get(crcs.length + 1);
    next !== undefined;
    next = outOfOrder.get(crcs.length + 1)
  ) {
    crcs.push(next);
    outOfOrder.delete(crcs.length);
  }
}

/** Returns the numbers of the events that are missing, up to the writer's last one or `end`. */
export function gapsOf(
  { crcs, outOfOrder, lastNumber }: WriterState,
  end = lastNumber,
  dismissed: readonly NumberRange[] = [],
): NumberRange[] {
  const later = [...outOfOrder.keys()].map((n): NumberRange => [n, n]);
  return gapsBetween([[1, crcs.length], ...later, ...dismissed], end);
}

/** Returns the numbers of the events of which only stubs are here. */
export function stubsOf({ crcs, outOfOrder }: WriterState): number[] {
  const later = [...outOfOrder].flatMap(([n, c]) => (c === '' ? n : []));
  return [...crcs.flatMap((c, at) => (c === '' ? at + 1 : [])), ...later];
}

/** Returns true if a segment has begun for certain, and no line is known to be missing of it. */
export function knowsSegment(writers: WriterIndex, { writer, number }: NamedSegment): boolean {
  const state = writers.get(writer);
  return state !== undefined && state.segments >= number && gapsOf(state).length === 0;
}

/** Returns true if the index has this very event. */
export function hasEvent(writers: WriterIndex, event: LogEvent): boolean {
  const state = writers.get(event.w);
  const known = state && crcOf(state, event.n);
  return (
    (event.t === STUB_TYPE && known !== undefined) || known === event.c || isFork(writers, event)
  );
}

function crcOf({ crcs, outOfOrder }: WriterState, n: number): string | undefined {
  return crcs[n - 1] ?? outOfOrder.get(n);
}

/** Returns true if a writer has written more than is known. */
export function isBehind(
  writers: WriterIndex,
  { writer = '', lastNumber }: { writer: string | undefined; lastNumber: number },
): boolean {
  return (writers.get(writer)?.lastNumber ?? 0) < lastNumber;
}

/** Returns true if another event of the same number came before this one. */
export function isFork(writers: WriterIndex, event: LogEvent): boolean {
  return writers.get(event.w)?.forks.has(forkKey(event)) === true;
}

function forkKey({ n, c }: LogEvent): string {
  return `${n} ${c}`;
}
