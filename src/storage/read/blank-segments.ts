import type { VaultPath } from '../../model/paths.js';
import { namedSegment, type LaneName } from '../format/lanes.js';
import type { SegmentRecord } from './segment-record.js';
import { knowsSegment, type WriterIndex } from './writer-index.js';

/** Age up to which a file without a whole line may be one that a program is just creating. */
const CREATION_MS = 250;

/** The segments of a lane without any event: their lines are lost, or have not come yet. */
export class BlankSegments {
  readonly #lane: LaneName;
  readonly #records = new Map<VaultPath, SegmentRecord>();

  constructor(lane: LaneName) {
    this.#lane = lane;
  }

  set(path: VaultPath, record: SegmentRecord): void {
    this.delete(path);
    // a power cut may take traces
    if (!record.hasEvents && this.#lane !== 'trace') this.#records.set(path, record);
  }

  delete(path: VaultPath): void {
    this.#records.delete(path);
  }

  /** Returns those that by their names must have events, unless these are known from elsewhere. */
  missedAt(now: number, writers: WriterIndex): VaultPath[] {
    return [...this.#records].flatMap(([path, record]) => {
      const named = namedSegment(path);
      const isMissed = named && !knowsSegment(writers, named) && !mayBeCreated(record, now);
      return isMissed ? [path] : [];
    });
  }
}

function mayBeCreated({ size, info, problems }: SegmentRecord, now: number): boolean {
  const isBeginning = size === 0 || problems.some(({ kind }) => kind === 'pending');
  return isBeginning && (!info || Math.abs(now - info.mtime) < CREATION_MS);
}
