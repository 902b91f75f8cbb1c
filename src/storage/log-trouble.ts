import type { VaultPath } from '../model/paths.js';
import { isOpenRequest, type DecidedForget } from './forget/forget-decisions.js';
import { namedSegment } from './format/lanes.js';
import type { Healer } from './integrity/healer.js';
import { isPossibleNumber } from './integrity/writer-reports.js';
import type { Watermarks } from './integrity/watermarks.js';
import type { LogTrouble } from './log.js';
import { gapsBetween, type NumberRange } from './format/number-ranges.js';
import { gapsOf, knowsSegment, type WriterIndex } from './read/writer-index.js';

/** Describes what is wrong. `waiting`: the core segments that cannot be read at present. */
export function troubleOf(
  healer: Healer | undefined,
  waiting: readonly VaultPath[],
  watermarks: Watermarks,
  writers: WriterIndex,
  forgets: readonly DecidedForget[],
  siblings: readonly VaultPath[] = [],
): LogTrouble {
  const lacks = waiting.map((path) => {
    const named = namedSegment(path);
    if (!named) return 'unnamed';
    const announced = watermarks.announced(named.writer)?.n ?? 0;
    const isBehind = (writers.get(named.writer)?.lastNumber ?? 0) < announced;
    return isBehind || !knowsSegment(writers, named) ? 'named' : undefined;
  });
  return {
    isCopyFailing: healer?.isCopyFailing === true,
    asked: forgets.filter(isOpenRequest),
    missing: healer?.missing ?? 0,
    waiting,
    siblings,
    lacksLines: lacks.some((each) => each !== undefined),
    lacksSegment: lacks.includes('named'),
    gaps: () => gapsIn(watermarks, writers, healer?.dismissed ?? new Map()),
  };
}

function gapsIn(
  watermarks: Watermarks,
  writers: WriterIndex,
  dismissed: ReadonlyMap<string, readonly NumberRange[]>,
): string {
  const known = [...writers].flatMap(([writer, { lane }]) => (lane === 'core' ? [writer] : []));
  const gaps = [...new Set([...known, ...watermarks.announcedIn('core')])].flatMap((writer) => {
    const state = writers.get(writer);
    const last = state?.lastNumber ?? 0;
    const announced = watermarks.announced(writer)?.n ?? 0;
    const end = isPossibleNumber(announced, last) ? Math.max(last, announced) : last;
    const ranges = state
      ? gapsOf(state, end, dismissed.get(writer))
      : gapsBetween(dismissed.get(writer) ?? [], end);
    return ranges.length > 0 ? [`${writer} ${ranges.join()}`] : [];
  });
  return gaps.sort().join('; ');
}
