import { compareText } from '../../model/event.js';
import type { Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { mapEntries } from '../../model/persistent-map.js';
import type { Workspace } from '../../model/workspace.js';
import { compareNames } from '../ui/natural-order.js';

const known = new WeakMap<Memory, ReadonlyMap<string, string>>();

/** Returns the workspaces with the newest states first, then those without states by name. */
export function lastUsedFirst(
  memory: Memory,
  workspaces: readonly Named<Workspace>[],
): Named<Workspace>[] {
  const times = newestStates(memory);
  return [...workspaces].sort(
    (a, b) =>
      compareText(times.get(b.item.id) ?? '', times.get(a.item.id) ?? '') ||
      compareNames(a.displayName, b.displayName),
  );
}

/** Newest state's timestamp by workspace, computed once per memory without parsing states. */
function newestStates(memory: Memory): ReadonlyMap<string, string> {
  const held = known.get(memory);
  if (held) return held;
  const times = new Map<string, string>();
  for (const [, { created }] of mapEntries(memory.entities)) {
    if (created?.t !== 'state.new') continue;
    const id = created.head?.ws ?? created.d['ws'];
    if (typeof id === 'string' && created.h > (times.get(id) ?? '')) times.set(id, created.h);
  }
  known.set(memory, times);
  return times;
}
