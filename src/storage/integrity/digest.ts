import type { LocatedEvent } from '../read/reader.js';
import { isInRanges, type NumberRange } from './retirements.js';
import { sha256 } from '../../platform/sha256.js';

/** Returns the SHA-256 over all lines that are not retired, in any order. Two devices with the same digest have the same events. */
export function digestOf(
  lines: readonly Pick<LocatedEvent, 'event'>[],
  retired: ReadonlyMap<string, readonly NumberRange[]>,
): Promise<string> {
  const live = lines.filter(({ event: { w, n } }) => !isInRanges(retired.get(w) ?? [], n));
  const keys = live.map(({ event: { w, n, c } }) => `${w} ${String(n).padStart(12, '0')} ${c}`);
  return sha256(keys.sort().join('\n'));
}
