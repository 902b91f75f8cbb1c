import { versionKey, type LogEvent } from '../../model/event.js';
import { lineHash } from '../format/line-hash.js';
import { isForgettable, type ForgottenRange } from './forget-event.js';
import type { DecidedForget } from './forgets.js';
import {
  candidatesOf,
  isContradicted,
  linesOfRange,
  type NumberedLines,
} from './forgotten-lines.js';
import type { StubTargets } from './stub-lines.js';

/** The lines that a device has to destroy because of one event. */
export interface DueLines {
  /** `forgetKey` of the event. */
  readonly key: string;
  readonly hashes: readonly string[];
  /** `versionKey` of each line, of which there may be damaged forms. */
  readonly numbers: readonly string[];
  /** True if other lines that the event names stay, because nothing proves that it means them. */
  readonly isPartial: boolean;
}

/**
 * Returns the lines to destroy because of an event. Its hash must prove them, since the CRCs of a
 * forged one fit other lines too. Where a line is missing, this device's decision counts.
 */
export function dueLinesOf(
  { key, content, decision }: DecidedForget,
  byNumber: NumberedLines,
): DueLines {
  const isOwn = decision?.choice === 'own';
  const isDecided = isOwn || decision?.choice === 'agreed';
  const hashes: string[] = [];
  const numbers: string[] = [];
  let isPartial = false;
  for (const range of content.ranges) {
    const proved = linesOfRange(range, byNumber);
    if (!proved && !(isDecided && (isOwn || !isContradicted(range, byNumber)))) {
      isPartial = true;
      continue;
    }
    for (const { hash } of proved ?? candidatesOf(range, byNumber).flat()) hashes.push(hash);
    for (const number of numbersOf(range)) numbers.push(number);
  }
  return { key, hashes, numbers, isPartial };
}

export function stubTargets(lines: readonly DueLines[]): StubTargets {
  const hashes = new Set(lines.flatMap((each) => each.hashes));
  const numbers = new Set(lines.flatMap((each) => each.numbers));
  const hasNumber = (event: Pick<LogEvent, 'w' | 'n'>) => numbers.has(versionKey(event));
  return {
    has: (event, line) => isForgettable(event) && hasNumber(event) && hashes.has(lineHash(line)),
    hasNumber,
  };
}

/** Returns the `versionKey` of each line that a range names. */
export function numbersOf({ writer: w, from, crcs }: ForgottenRange): string[] {
  return crcs.map((_, at) => versionKey({ w, n: from + at }));
}
