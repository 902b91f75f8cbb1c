import type { Memory } from '../../src/model/memory.js';
import { mapEntries, type PersistentMap } from '../../src/model/persistent-map.js';

/** A memory as plain data in a fixed order: two memories that say the same look the same. */
export function canonicalMemory(memory: Memory): unknown {
  return {
    entities: entries(memory.entities).map(([id, { created, registers }]) => ({ id, created, registers: entries(registers) })),
    names: entries(memory.names).flatMap(([scope, names]) => {
      const borne = entries(names).filter(([, ids]) => ids.length > 0);
      return borne.length > 0 ? [[scope, borne]] : [];
    }),
    calls: entries(memory.calls),
    vault: memory.vault,
  };
}

function entries<V>(map: PersistentMap<V>): [string, V][] {
  const all = [...mapEntries(map)].sort(([a], [b]) => (a < b ? -1 : 1));
  if (all.length !== map.size) throw new Error(`The map says ${map.size} and holds ${all.length}`);
  return all;
}
