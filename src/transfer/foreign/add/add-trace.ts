import { traceData } from '../../../model/trace.js';
import { retiredRanges } from '../../../storage/index.js';
import { addLeftOut, type ForeignTrace } from '../foreign-memory.js';
import { addUnlessKnown, type ImportContext, type LaneEvent } from '../import-context.js';
import { cutIntoSegments, type StampedDraft } from '../import-segments.js';

export function addTrace(
  context: ImportContext,
  id: string,
  workspaceId: string,
  { at, location, trace }: ForeignTrace,
): void {
  const draft = { t: 'trace.new', e: id, d: traceData({ ...trace, workspaceId }) };
  addUnlessKnown(context, { kind: 'traces', lane: 'trace', location, at, draft });
}

/**
 * Drops traces that were imported before and have been retired since. The same traces always form
 * the same segments, whose writers identify the retired ones.
 */
export async function withoutRetiredTraces(
  { drafts, kinds, stats, scheduler }: ImportContext,
  lines: readonly LaneEvent[],
): Promise<StampedDraft[]> {
  const retired = retiredRanges(lines);
  const traces = drafts.filter(({ lane }) => lane === 'trace');
  const segments = await cutIntoSegments(traces, scheduler);
  const retiredDrafts = new Set(
    segments.filter(({ writer }) => retired.has(writer)).flatMap((segment) => segment.drafts),
  );
  addLeftOut(stats, 'retired', retiredDrafts.size);
  kinds.traces.added -= retiredDrafts.size;
  return drafts.filter((draft) => !retiredDrafts.has(draft));
}
