import type { Memory } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import { entryCount, isOpenRequest } from './forget/forget-decisions.js';
import type { Forgets } from './forget/forgets.js';
import type { ForgottenLines } from './forget/forgotten-lines.js';
import { namedSegment } from './format/lanes.js';
import type { Healer } from './integrity/healer.js';
import { isPossibleNumber } from './integrity/writer-reports.js';
import type { Watermarks } from './integrity/watermarks.js';
import type { LogTrouble } from './log.js';
import { gapsBetween, isInRanges, type NumberRange } from './format/number-ranges.js';
import { gapsOf, knowsSegment, stubsOf, type WriterIndex } from './read/writer-index.js';

/** Describes what is wrong. `waiting`: the core segments that cannot be read at present. */
export function troubleOf(
  healer: Healer | undefined,
  waiting: readonly VaultPath[],
  watermarks: Watermarks,
  writers: WriterIndex,
  forgets: Forgets,
  memory: Memory,
  siblings: readonly VaultPath[] = [],
): LogTrouble {
  const asked = forgets.list().filter(isOpenRequest);
  const lacks = waiting.map((path) => {
    const named = namedSegment(path);
    if (!named) return 'unnamed';
    const announced = watermarks.announced(named.writer)?.n ?? 0;
    const isBehind = (writers.get(named.writer)?.lastNumber ?? 0) < announced;
    return isBehind || !knowsSegment(writers, named) ? 'named' : undefined;
  });
  return {
    isCopyFailing: healer?.isCopyFailing === true,
    asked,
    askedCount: asked.reduce((sum, each) => sum + entryCount(each, memory), 0),
    missing: healer?.missing ?? 0,
    waiting,
    siblings,
    lacksLines: lacks.some((each) => each !== undefined),
    lacksSegment: lacks.includes('named'),
    gaps: () => gapsIn(watermarks, writers, forgets.lines, healer?.dismissed ?? new Map()),
  };
}

function gapsIn(
  watermarks: Watermarks,
  writers: WriterIndex,
  forgotten: ForgottenLines,
  dismissed: ReadonlyMap<string, readonly NumberRange[]>,
): string {
  const here = [...writers].flatMap(([writer, { lane }]) => (lane === 'core' ? [writer] : []));
  const gaps = [...new Set([...here, ...watermarks.announcedIn('core')])].flatMap((writer) => {
    const state = writers.get(writer);
    const last = state?.lastNumber ?? 0;
    const announced = watermarks.announced(writer)?.n ?? 0;
    const end = isPossibleNumber(announced, last) ? Math.max(last, announced) : last;
    const known = dismissed.get(writer) ?? [];
    const ranges = state ? gapsOf(state, end, known) : gapsBetween(known, end);
    // a stub that nobody has asked for stands for a missing line
    const lost = (state ? stubsOf(state) : []).filter(
      (n) => !forgotten.hasNumber({ w: writer, n }) && !isInRanges(known, n),
    );
    const all = [...ranges, ...lost];
    return all.length > 0 ? [`${writer} ${all.join()}`] : [];
  });
  return gaps.sort().join('; ');
}
