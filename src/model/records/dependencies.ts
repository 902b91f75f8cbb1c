import type { ProjectRecord } from './record.js';
import { isOpenRecord } from './lookup-record.js';

type Needing = Pick<ProjectRecord, 'id' | 'needs'>;

/**
 * Returns the cycle that would arise if `from` needed `to`: `from`, `to`, up to the last one before
 * `from`; undefined if there would be none. `get` returns a record by id.
 */
export function findCycle<T extends Needing>(
  from: T,
  to: T,
  get: (id: string) => T | undefined,
): T[] | undefined {
  if (from.id === to.id) return [from];
  const cameFrom = new Map<string, T>([[to.id, from]]);
  const queue = [to];
  for (const current of queue) {
    for (const id of current.needs) {
      if (id === from.id) return pathTo(current, from, cameFrom);
      const next = get(id);
      if (!next || cameFrom.has(id)) continue;
      cameFrom.set(id, current);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo<T extends Needing>(last: T, first: T, cameFrom: ReadonlyMap<string, T>): T[] {
  const path = [last];
  for (let node = cameFrom.get(last.id); node && node.id !== first.id; node = cameFrom.get(node.id))
    path.unshift(node);
  return [first, ...path];
}

/**
 * Returns the known records that must be done before this one can start. A decision holds once it
 * is recorded, and what was dropped, superseded or archived is no longer waited for.
 */
export function blockersOf(
  { needs }: Pick<ProjectRecord, 'needs'>,
  get: (id: string) => ProjectRecord | undefined,
): ProjectRecord[] {
  return needs
    .flatMap((id) => get(id) ?? [])
    .filter((need) => need.kind !== 'decision' && isOpenRecord(need));
}

/** Returns true if a record is open and waits for none. A need not yet synced keeps it waiting. */
export function isReady(
  record: ProjectRecord,
  get: (id: string) => ProjectRecord | undefined,
): boolean {
  return (
    isOpenRecord(record) &&
    record.needs.every((id) => get(id) !== undefined) &&
    blockersOf(record, get).length === 0
  );
}
