import type { FoundEntity } from '../../../indexing/memory/memory-search.js';
import type { Named } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { nameKey } from '../../../model/names.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { successorOf } from '../../../model/records/record-outcome.js';
import type { State } from '../../../model/state.js';
import { pieceOf } from './pieces.js';

/** A piece of work that a search has found. */
export interface PieceHit {
  /** The state to resume: the newest of the piece, or an earlier one that the query names. */
  readonly state: Named<State>;
  /** The newest state, if it is another one. */
  readonly newer?: Named<State> | undefined;
  /** Number of earlier states of the piece. */
  readonly earlier: number;
  /** The states of the piece that match, the best first. */
  readonly matching: Named<State>[];
}

/** A record that a search has found. */
export interface RecordHit {
  /** The record that holds now. */
  readonly record: ProjectRecord;
  /** The records that match and that it has superseded. */
  readonly insteadOf: ProjectRecord[];
}

export type EntityHit = PieceHit | RecordHit;

/**
 * Returns one hit per piece of work and per record that holds, in the order in which they were
 * found. A superseded record gives its place to its successor.
 */
export function groupHits(
  memory: Memory,
  found: readonly { readonly item: FoundEntity }[],
  query: string,
): EntityHit[] {
  const hits = new Map<string, EntityHit>();
  for (const { item } of found) {
    if ('state' in item) {
      const hit = pieceHit(memory, item.state, query);
      const known = hits.get(hit.state.entity.id);
      if (known && 'matching' in known) known.matching.push(item.state);
      else hits.set(hit.state.entity.id, hit);
      continue;
    }
    const record = successorOf(memory, item.record) ?? item.record;
    const known = hits.get(record.id);
    const hit = known && 'record' in known ? known : { record, insteadOf: [] };
    if (record !== item.record) hit.insteadOf.push(item.record);
    hits.set(record.id, hit);
  }
  return [...hits.values()];
}

function pieceHit(memory: Memory, state: Named<State>, query: string): PieceHit {
  const { newest, earlier } = pieceOf(memory, state);
  const isNamed = nameKey(query).includes(nameKey(state.displayName));
  if (!isNamed || newest.entity.id === state.entity.id)
    return { state: newest, earlier, matching: [state] };
  return { state, newer: newest, earlier: 0, matching: [state] };
}
