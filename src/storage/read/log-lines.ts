import type { LogEvent } from '../../model/event.js';
import { emptyMemory, fold, type Memory } from '../../model/memory.js';
import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { WriterIndex } from './writer-index.js';
import { LANES, laneOf, type LaneName } from '../format/lanes.js';
import { lineHash } from '../format/line-hash.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { LaneReader } from './reader.js';
import { RecordedReads } from './recorded-reads.js';
import type { LineProblem } from '../format/segment.js';

/** An event, and the bytes and location of its line without the newline. */
export interface LogLine {
  readonly event: LogEvent;
  readonly bytes: Uint8Array;
  /** `lineHash` of the bytes. */
  readonly hash: string;
  /** The lane that the event belongs to, whatever folder it is in. */
  readonly lane: LaneName;
  readonly path: VaultPath;
  /** Byte offset in the file. */
  readonly from: number;
}

/** A part of a segment that is not an event. */
export interface LogProblem extends LineProblem {
  readonly path: VaultPath;
}

/** The whole log of a vault. */
export interface LogContents {
  /** Each line once, in arbitrary order. */
  readonly lines: readonly LogLine[];
  readonly writers: WriterIndex;
  readonly problems: readonly LogProblem[];
  /** Files that cannot be read at present, or are not downloaded yet. */
  readonly unreadable: readonly VaultPath[];
}

/**
 * Reads every lane from the disk, with the bytes of each line. Writes nothing; yields between two
 * segments.
 */
export async function readLogLines(
  files: Files,
  root: VaultPath,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<LogContents> {
  const writers: WriterIndex = new Map();
  const lines: LogLine[] = [];
  const problems: LogProblem[] = [];
  const unreadable: VaultPath[] = [];
  const hashes = new Set<string>();
  for (const folder of LANES) {
    const reads = new RecordedReads(files);
    const reader = new LaneReader(reads.files, root, folder, writers, {
      scheduler,
      onLines(path, found) {
        for (const { event, from, to } of found) {
          const bytes = reads.bytesAt(path, from, to);
          const hash = lineHash(bytes);
          if (hashes.has(hash)) continue;
          hashes.add(hash);
          lines.push({ event, bytes, hash, lane: laneOf(event, folder), path, from });
        }
      },
    });
    await reader.scan();
    for (const [path, found] of reader.problems())
      for (const { kind, from } of found) problems.push({ kind, path, from });
    unreadable.push(...reader.unreadable());
  }
  return { lines, writers, problems, unreadable };
}

/** Folds the lines of the core lane. */
export function memoryOf(lines: readonly LogLine[]): Memory {
  return fold(
    emptyMemory,
    lines.filter(({ lane }) => lane === 'core').map(({ event }) => event),
  );
}
