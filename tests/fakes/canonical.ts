import type { LogEvent } from '../../src/model/event.js';
import type { Memory } from '../../src/model/memory.js';
import { mapEntries, type PersistentMap } from '../../src/model/persistent-map.js';

/** Returns a memory as plain data in a fixed order, so that equal memories compare equal. */
export function canonicalMemory(memory: Memory): unknown {
  return {
    entities: entries(memory.entities).map(([id, { created, registers }]) => ({
      id,
      created: plain(created),
      registers: entries(registers).map(([path, { value, at }]) => [path, { value, at }]),
    })),
    names: scopesOf(memory.names),
    records: scopesOf(memory.records),
    pins: scopesOf(memory.pins),
    moves: scopesOf(memory.moves),
    followers: scopesOf(memory.followers),
    calls: entries(memory.calls),
    vault: memory.vault,
  };
}

function scopesOf(index: Memory['names']): unknown[] {
  return entries(index).flatMap(([scope, names]) => {
    const borne = entries(names).filter(([, ids]) => ids.length > 0);
    return borne.length > 0 ? [[scope, borne]] : [];
  });
}

/** Returns the event as a plain object, also for a lazy state. */
function plain(event: LogEvent | undefined): LogEvent | undefined {
  if (!event) return undefined;
  const { v, w, n, p, h, t, e, d, c } = event;
  return { v, w, n, p, h, t, e, d, c };
}

function entries<V>(map: PersistentMap<V>): [string, V][] {
  return [...mapEntries(map)].sort(([a], [b]) => (a < b ? -1 : 1));
}
