import { versionKey, type LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { LANES, laneOf } from '../format/lanes.js';
import { lineHash } from '../format/line-hash.js';
import { parseSegment } from '../format/segment.js';
import { chainHash, originalHash } from '../format/stub.js';
import { LaneReader } from '../read/reader.js';
import { RecordedReads } from '../read/recorded-reads.js';
import { forgetKey, isForgettable, type HashedLine } from './forget-event.js';
import { textFinder } from './forget-mentions.js';
import type { DecidedForget } from './forget-decisions.js';
import {
  isForged,
  linesOfRange,
  namedLines,
  numberedLines,
  numbersOf,
  type NumberedLines,
} from './forgotten-lines.js';
import type { StubTargets } from './stub-lines.js';

/** Lines with certain numbers, in the vault as it is on the disk now and in the copies. */
export interface NamedLines {
  readonly byNumber: NumberedLines;
  /** Ids of items that lines with other numbers create. */
  readonly createdElsewhere: ReadonlySet<string>;
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
  const createdElsewhere = new Set<string>();
  const waiting: VaultPath[] = [];
  const add = (event: LogEvent, bytes: () => Uint8Array) => {
    if (numbers.has(versionKey(event))) lines.push({ event, hash: chainHash(event, bytes()) });
    else if (isCreation(event)) createdElsewhere.add(event.e);
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
  return { byNumber: numberedLines(lines), createdElsewhere, asked, waiting };
}

function isCreation({ t, e }: LogEvent): boolean {
  return e !== '' && t !== 'set' && isForgettable({ t });
}

/** What a device removes for good because of one event. */
export interface Removal {
  /** Hashes of the lines. */
  readonly hashes: ReadonlySet<string>;
  /** Ids of the items that no other line creates; none if only messages are forgotten. */
  readonly ids: readonly string[];
  /** The only messages that are forgotten of the sessions in the lines, see `turnKey`. */
  readonly turns: readonly string[];
  /** Returns true for a text that contains one that people or models wrote in the lines. */
  readonly isIn: (text: string) => boolean;
}

/** The lines that a device has to destroy because of one event. */
export interface DueLines extends Removal {
  /** `forgetKey` of the event. */
  readonly key: string;
  /** `versionKey` of each line, of which there may be damaged forms. */
  readonly numbers: readonly string[];
  /** True if other lines that the event names stay, because nothing proves that it means them. */
  readonly isPartial: boolean;
}

/**
 * Returns the lines to destroy because of each event. Its hash must prove them, since the CRCs of a
 * forged one fit other lines too. Where a line is missing, this device's decision counts. Lines
 * that are shown, because the user has refused to forget them, stay.
 */
export function dueLines(
  due: readonly DecidedForget[],
  { byNumber, createdElsewhere, waiting }: Omit<NamedLines, 'asked'>,
  isHidden: (event: LogEvent) => boolean,
): DueLines[] {
  const found = due.map((forget) => ({ forget, ...linesToDestroy(forget, byNumber, isHidden) }));
  const destroyed = new Set(found.flatMap(({ lines }) => lines.map(({ hash }) => hash)));
  const others = new Set(createdElsewhere);
  for (const byHash of byNumber.values())
    for (const [hash, lines] of byHash)
      if (!destroyed.has(hash))
        for (const { event } of lines) if (isCreation(event)) others.add(event.e);
  return found.map(({ forget: { key, content, decision }, lines, numbers, isPartial }) => {
    // a file that cannot be read may create the same
    const isUnsure = waiting.length > 0 && decision?.choice !== 'own';
    const created = content.turns.length > 0 || isUnsure ? [] : lines.map(({ event }) => event);
    const ids = created.filter((event) => isCreation(event) && !others.has(event.e));
    return {
      key,
      hashes: new Set(lines.map(({ hash }) => hash)),
      ids: [...new Set(ids.map(({ e }) => e))],
      turns: content.turns,
      isIn: textFinder(lines.map(({ event }) => event)),
      numbers,
      isPartial: isPartial || isUnsure,
    };
  });
}

function linesToDestroy(
  { content, decision }: DecidedForget,
  byNumber: NumberedLines,
  isHidden: (event: LogEvent) => boolean,
): Pick<DueLines, 'numbers' | 'isPartial'> & { readonly lines: readonly HashedLine[] } {
  const isOwn = decision?.choice === 'own';
  const isDecided = isOwn || decision?.choice === 'agreed';
  const lines: HashedLine[] = [];
  const numbers: string[] = [];
  let isPartial = false;
  for (const range of content.ranges) {
    const proved = linesOfRange(range, byNumber);
    if (!(proved ?? isDecided) || !(isOwn || !isForged(range, byNumber))) {
      isPartial = true;
      continue;
    }
    const kept = new Set<string>();
    for (const line of namedLines(range, byNumber))
      if (originalHash(line.event) !== undefined || isHidden(line.event)) lines.push(line);
      else kept.add(versionKey(line.event));
    for (const number of numbersOf(range)) if (!kept.has(number)) numbers.push(number);
  }
  return { lines, numbers, isPartial };
}

export function stubTargets(lines: readonly DueLines[]): StubTargets {
  const hashes = new Set(lines.flatMap((each) => [...each.hashes]));
  const numbers = new Set(lines.flatMap((each) => each.numbers));
  const hasNumber = (event: Pick<LogEvent, 'w' | 'n'>) => numbers.has(versionKey(event));
  return {
    has: (event, line) => isForgettable(event) && hasNumber(event) && hashes.has(lineHash(line)),
    hasNumber,
  };
}
