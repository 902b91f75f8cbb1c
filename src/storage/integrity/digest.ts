import { sha256 } from '../../platform/sha256.js';
import { isRetirable } from '../format/lanes.js';
import { isInRanges, type NumberRange } from '../format/number-ranges.js';
import type { LogLine } from '../log-lines.js';

/** Number of digits of a sequence number in the digest, so that texts sort like numbers. */
export const NUMBER_DIGITS = 12;

/** Returns the SHA-256 over the sorted `w n hash` of all lines that are not retired. */
export function digestOf(
  lines: readonly Pick<LogLine, 'event' | 'hash' | 'lane'>[],
  retired: ReadonlyMap<string, readonly NumberRange[]>,
): Promise<string> {
  const live = lines.filter(
    ({ event: { w, n }, lane }) => !isRetirable(lane) || !isInRanges(retired.get(w) ?? [], n),
  );
  const keys = live.map(
    ({ event: { w, n }, hash }) => `${w} ${String(n).padStart(NUMBER_DIGITS, '0')} ${hash}`,
  );
  return sha256(keys.sort().join('\n'));
}
