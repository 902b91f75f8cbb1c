import type { VaultPath } from '../model/paths.js';
import { isOpenRequest, type DecidedForget } from './forget/forgets.js';
import type { Healer } from './integrity/healer.js';
import { isPossibleNumber } from './integrity/writer-reports.js';
import type { Watermarks } from './integrity/watermarks.js';
import type { LogTrouble } from './log.js';
import { gapsOf, type WriterIndex } from './read/writer-index.js';

/** The writer in the name of a segment. */
const WRITER = /-([a-km-np-z2-9]{12})-/;

/** Describes what is wrong. `waiting`: the core segments that cannot be read at present. */
export function troubleOf(
  healer: Healer | undefined,
  waiting: readonly VaultPath[],
  watermarks: Watermarks,
  writers: WriterIndex,
  forgets: readonly DecidedForget[],
): LogTrouble {
  const lacks = waiting.map((path) => {
    const writer = WRITER.exec(path)?.[1] ?? '';
    const announced = watermarks.announced(writer)?.n ?? 0;
    const state = writers.get(writer);
    if (!state) return announced > 0 ? 'known' : 'unknown';
    return state.lastNumber < announced || gapsOf(state).length > 0 ? 'known' : undefined;
  });
  return {
    isCopyFailing: healer?.isCopyFailing === true,
    asked: forgets.filter(isOpenRequest),
    missing: healer?.missing ?? 0,
    waiting,
    lacksLines: lacks.some((each) => each !== undefined),
    lacksKnownLines: lacks.includes('known'),
    gaps: () => gapsIn(watermarks, writers),
  };
}

function gapsIn(watermarks: Watermarks, writers: WriterIndex): string {
  const gaps = [...writers].flatMap(([writer, state]) => {
    const { lane, lastNumber } = state;
    const announced = watermarks.announced(writer)?.n ?? 0;
    const isAhead = lastNumber < announced && isPossibleNumber(announced, lastNumber);
    const ranges = lane === 'core' ? gapsOf(state) : [];
    const isShort = lane === 'core' && isAhead;
    return ranges.length > 0 || isShort ? [`${writer} ${ranges.join()} ${lastNumber}`] : [];
  });
  return gaps.sort().join('; ');
}
