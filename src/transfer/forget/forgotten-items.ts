import type { LogEvent } from '../../model/event.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import { originalHash } from '../../storage/format/stub.js';
import type { LogContents } from '../../storage/read/log-lines.js';
import { itemOf, type LogItem } from './forget-plan.js';

/** Returns what each `log.forget` removes, by its key, as far as this device still has it. */
export function forgottenItems(
  { lines, forgotten }: Pick<LogContents, 'lines' | 'forgotten'>,
  copied: Iterable<{ readonly event: LogEvent }>,
): ReadonlyMap<string, readonly LogItem[]> {
  const held = new Map<string, { readonly event: LogEvent }>();
  for (const { event } of [...lines, ...copied])
    if (originalHash(event) === undefined) held.set(`${event.w} ${event.n} ${event.c}`, { event });
  const found = new Map<string, LogItem[]>();
  for (const line of held.values())
    for (const key of forgotten.keysOf(line.event))
      // The built-in workspace has no line that creates it.
      if (line.event.t !== 'set' || line.event.e === DEFAULT_WORKSPACE)
        found.set(key, [...(found.get(key) ?? []), itemOf(line)]);
  return found;
}
