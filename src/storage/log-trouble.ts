import { entryCount, isOpenRequest } from './forget/forget-decisions.js';
import { namedSegment } from './format/lanes.js';
import { isPossibleNumber } from './integrity/writer-reports.js';
import type { LogParts } from './log-parts.js';
import type { LogTrouble } from './log.js';
import { gapsBetween, isInRanges } from './format/number-ranges.js';
import { gapsOf, knowsSegment, stubsOf } from './read/writer-index.js';

/** Describes what is wrong. */
export function troubleOf(parts: LogParts): LogTrouble {
  const { healer, core, watermarks, writers, forgets, siblings } = parts;
  const { memory, waiting } = core;
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
    gaps: () => gapsIn(parts),
  };
}

function gapsIn({ watermarks, writers, forgets, healer }: LogParts): string {
  const here = [...writers].flatMap(([writer, { lane }]) => (lane === 'core' ? [writer] : []));
  const gaps = [...new Set([...here, ...watermarks.announcedIn('core')])].flatMap((writer) => {
    const state = writers.get(writer);
    const last = state?.lastNumber ?? 0;
    const announced = watermarks.announced(writer)?.n ?? 0;
    const end = isPossibleNumber(announced, last) ? Math.max(last, announced) : last;
    const known = healer?.dismissed.get(writer) ?? [];
    const ranges = state ? gapsOf(state, end, known) : gapsBetween(known, end);
    // a stub that nobody has asked for stands for a missing line
    const lost = (state ? stubsOf(state) : []).filter(
      (n) => !forgets.lines.hasNumber({ w: writer, n }) && !isInRanges(known, n),
    );
    const all = [...ranges, ...lost];
    return all.length > 0 ? [`${writer} ${all.join()}`] : [];
  });
  return gaps.sort().join('; ');
}
