import type { EncodedLine } from '../../../src/storage/format/line.js';
import { encodeStub } from '../../../src/storage/format/stub.js';
import { forgetDrafts, forgetOf } from '../../../src/storage/forget/forget-event.js';
import type { HashedLine } from '../../../src/storage/forget/forget-event.js';
import { lineOf, linesOf, recordDraft, WRITER_A, WRITER_B } from '../../fakes/events.js';

/** Returns the first lines of a writer, each of which creates a record: a1, a2 and so on. */
export function lineRun(count: number, w = WRITER_A): EncodedLine[] {
  const ids = Array.from({ length: count }, (_, at) => `${w.slice(0, 1)}${at + 1}`);
  return linesOf(
    ids.map((id) => recordDraft(`Title of ${id}`, id)),
    w,
  );
}

/** Returns the line by which `device` forgets lines, which are of one writer. */
export function forgetLine(lines: readonly HashedLine[], device = 'phone'): EncodedLine {
  const [draft] = forgetDrafts(lines, device);
  return lineOf({ ...draft!, w: WRITER_B });
}

/** Returns a line that forgets lines by the hash of others, as a forged one does. */
export function forgedForget(named: readonly HashedLine[], proof: readonly HashedLine[]) {
  const { d } = forgetLine(named).event;
  const [{ hash } = { hash: '' }] = forgetOf(forgetLine(proof).event)!.ranges;
  const ranges = (d['ranges'] as object[]).map((range) => ({ ...range, hash }));
  return lineOf({ t: 'log.forget', w: WRITER_B, d: { ...d, ranges } });
}

/** Returns the stub of a line, with the hash of the line. */
export function stubOf({ event, hash }: HashedLine): HashedLine {
  return { event: encodeStub(event, hash).event, hash };
}
