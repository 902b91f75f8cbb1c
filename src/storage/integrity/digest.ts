import type { PlacedEvent } from '../read/reader.js';
import { isIn, type Range } from './retirements.js';
import { sha256 } from '../../platform/sha256.js';

/** SHA-256 over what is held and not retired, whatever the order. Two devices with the same digest hold the same. */
export function digestOf(
  lines: readonly Pick<PlacedEvent, 'event'>[],
  retired: ReadonlyMap<string, readonly Range[]>,
): Promise<string> {
  const kept = lines.filter(({ event: { w, n } }) => !isIn(retired.get(w) ?? [], n));
  const keys = kept.map(({ event: { w, n, c } }) => `${w} ${String(n).padStart(12, '0')} ${c}`);
  return sha256(keys.sort().join('\n'));
}
