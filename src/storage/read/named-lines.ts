import { versionKey, type LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { numbersOf } from '../forget/due-lines.js';
import { forgetKey } from '../forget/forget-event.js';
import type { DecidedForget } from '../forget/forgets.js';
import { numberedLines, type HashedLine, type NumberedLines } from '../forget/forgotten-lines.js';
import { LANES, laneOf } from '../format/lanes.js';
import { parseSegment } from '../format/segment.js';
import { chainHash } from '../format/stub.js';
import { LaneReader } from './reader.js';
import { RecordedReads } from './recorded-reads.js';

/** Lines with certain numbers, in the vault as it is on the disk now and in the copies. */
export interface NamedLines {
  readonly byNumber: NumberedLines;
  /** Keys (`forgetKey`) of the events in the vault that forget lines. */
  readonly asked: ReadonlySet<string>;
  /** Files that could not be read. */
  readonly waiting: readonly VaultPath[];
}

/** Reads the lines that events may name. `copied` are whole lines outside the vault. */
export async function readNamedLines(
  { files, root, scheduler }: { files: Files; root: VaultPath; scheduler: Scheduler },
  due: readonly DecidedForget[],
  copied: readonly Uint8Array[],
): Promise<NamedLines> {
  const numbers = new Set(due.flatMap(({ content }) => content.ranges.flatMap(numbersOf)));
  const lines: HashedLine[] = [];
  const asked = new Set<string>();
  const waiting: VaultPath[] = [];
  const add = (event: LogEvent, bytes: () => Uint8Array) => {
    if (numbers.has(versionKey(event))) lines.push({ event, hash: chainHash(event, bytes()) });
  };
  for (const bytes of copied)
    for (const { event, from, to } of parseSegment(bytes).lines)
      add(event, () => bytes.subarray(from, to));
  for (const folder of LANES) {
    const reads = new RecordedReads(files);
    const reader = new LaneReader(reads.files, root, folder, new Map(), {
      scheduler,
      onLines(path, found) {
        for (const { event, from, to } of found) {
          if (event.t === 'log.forget' && laneOf(event, folder) === 'core')
            asked.add(forgetKey(event));
          add(event, () => reads.bytesAt(path, from, to));
        }
        reads.forget(path);
      },
    });
    await reader.scan();
    for (const path of reader.unreadable()) waiting.push(path);
  }
  return { byNumber: numberedLines(lines), asked, waiting };
}
