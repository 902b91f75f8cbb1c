import { sha256 } from '../../platform/sha256.js';
import type { LogLine } from '../log-lines.js';

/** Number of digits of a sequence number in the digest, so that texts sort like numbers. */
export const NUMBER_DIGITS = 12;

/** Returns the SHA-256 over the sorted `w n hash` of all lines. */
export function digestOf(lines: readonly Pick<LogLine, 'event' | 'hash'>[]): Promise<string> {
  const keys = lines.map(
    ({ event: { w, n }, hash }) => `${w} ${String(n).padStart(NUMBER_DIGITS, '0')} ${hash}`,
  );
  return sha256(keys.sort().join('\n'));
}
