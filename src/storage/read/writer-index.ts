import type { LogEvent } from '../../model/event.js';
import type { Lane } from '../format/lanes.js';

/** What is held of one writer's events. */
export interface Holding {
  readonly lane: Lane;
  /** The CRCs of the writer's events 1, 2, 3 ..., as far as they are held without a hole. */
  readonly crcs: string[];
  /** The CRC of each event held beyond a hole, by sequence number. */
  readonly beyond: Map<number, string>;
  /** Further events that bear a sequence number twice, as `n c`. */
  readonly forks: Set<string>;
  last: number;
  /** The last that is no `log.*`, which the log writes for itself. */
  lastOfSubstance: number;
}

/** By writer. */
export type Holdings = Map<string, Holding>;

/** Takes an event in: `known` when this very one is held already, `fork` when another has its place; both it and the other stay. */
export function hold(holdings: Holdings, lane: Lane, event: LogEvent): 'new' | 'known' | 'fork' {
  let holding = holdings.get(event.w);
  if (!holding) {
    holding = { lane, crcs: [], beyond: new Map(), forks: new Set(), last: 0, lastOfSubstance: 0 };
    holdings.set(event.w, holding);
  }
  const held = crcOf(holding, event.n);
  if (held === undefined) {
    addCrc(holding, event);
    if (event.n > holding.last) holding.last = event.n;
    if (event.n > holding.lastOfSubstance && !event.t.startsWith('log.'))
      holding.lastOfSubstance = event.n;
    return 'new';
  }
  if (held === event.c || isFork(holdings, event)) return 'known';
  holding.forks.add(forkKey(event));
  return 'fork';
}

function addCrc({ crcs, beyond }: Holding, { n, c }: LogEvent): void {
  if (n !== crcs.length + 1) return void beyond.set(n, c);
  crcs.push(c);
  for (
    let next = beyond.get(crcs.length + 1);
    next !== undefined;
    next = beyond.get(crcs.length + 1)
  ) {
    crcs.push(next);
    beyond.delete(crcs.length);
  }
}

/** Whether this very event is held. */
export function isHeld(holdings: Holdings, event: LogEvent): boolean {
  const holding = holdings.get(event.w);
  return (holding && crcOf(holding, event.n)) === event.c || isFork(holdings, event);
}

function crcOf({ crcs, beyond }: Holding, n: number): string | undefined {
  return crcs[n - 1] ?? beyond.get(n);
}

/** Whether another event came first under this one's number. */
export function isFork(holdings: Holdings, event: LogEvent): boolean {
  return holdings.get(event.w)?.forks.has(forkKey(event)) === true;
}

function forkKey({ n, c }: LogEvent): string {
  return `${n} ${c}`;
}
