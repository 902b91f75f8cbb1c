import { versionKey, type JsonObject } from '../event.js';
import type { Memory } from '../memory.js';
import type { VaultPath } from '../paths.js';
import { textsIn } from '../text/json-fields.js';
import { moveEvents } from './path-moves.js';

/** Returns the data of a `path.moved` event, which names the latest moves known to its writer. */
export function moveData(
  memory: Memory,
  { from, to }: { readonly from: VaultPath; readonly to: VaultPath | undefined },
): JsonObject {
  const events = moveEvents(memory);
  const named = new Set(events.flatMap(({ d }) => textsIn(d['after'])));
  const after = events.map(versionKey).filter((key) => !named.has(key));
  return {
    from,
    ...(to !== undefined && { to }),
    ...(after.length > 0 && { after: after.sort() }),
  };
}
