import type { LogEvent } from '../../model/event.js';
import { emptyMemory, fold, type Memory } from '../../model/memory.js';
import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { Holdings } from './writer-index.js';
import { LANES, type Lane } from '../format/lanes.js';
import type { Pause } from '../../platform/scheduler.js';
import { createReader } from './reader.js';
import { segmentBytes, type LineProblem } from '../format/segment.js';

/** An event, the very bytes of its line (its newline aside), and where they stand. */
export interface LogLine {
  readonly event: LogEvent;
  readonly bytes: Uint8Array;
  readonly lane: Lane;
  readonly path: VaultPath;
  /** Byte offset in the file. */
  readonly from: number;
}

/** Something in a file of the log that is not an event. */
export interface LogProblem extends LineProblem {
  readonly path: VaultPath;
}

/** All that a vault holds of its log. */
export interface HeldLines {
  /** Each event once, in no order that means anything. */
  readonly lines: readonly LogLine[];
  readonly holdings: Holdings;
  readonly problems: readonly LogProblem[];
  /** Files that cannot be read now, or are not downloaded yet. */
  readonly waiting: readonly VaultPath[];
}

/** Reads every lane afresh, with its bytes. Writes nothing. `pause` comes between two segments. */
export async function readLines(files: Files, root: VaultPath, pause?: Pause): Promise<HeldLines> {
  const holdings: Holdings = new Map();
  const lines: LogLine[] = [];
  const problems: LogProblem[] = [];
  const waiting: VaultPath[] = [];
  for (const lane of LANES) {
    const contents = new Map<VaultPath, Uint8Array>();
    const reader = createReader(keepingContents(files, contents), root, lane, holdings, { pause });
    for (const { event, path, from, to } of await reader.scan())
      lines.push({ event, lane, path, from, bytes: bytesAt(contents, path, from, to) });
    for (const [path, found] of reader.problems())
      for (const { kind, from } of found) problems.push({ kind, path, from });
    waiting.push(...reader.waiting());
  }
  return { lines, holdings, problems, waiting };
}

/** The memory that lines make: as in a log, those of the core lane. */
export function memoryOf(lines: readonly LogLine[]): Memory {
  return fold(
    emptyMemory,
    lines.filter(({ lane }) => lane === 'core').map(({ event }) => event),
  );
}

/** The same files, where what is read of each stays at hand: an event and its bytes must come from one reading. */
function keepingContents(files: Files, contents: Map<VaultPath, Uint8Array>): Files {
  return {
    ...files,
    async read(path, from) {
      const bytes = await files.read(path, from);
      if (bytes && !from) contents.set(path, segmentBytes(bytes));
      return bytes;
    },
  };
}

function bytesAt(
  contents: Map<VaultPath, Uint8Array>,
  path: VaultPath,
  from: number,
  to: number,
): Uint8Array {
  const content = contents.get(path);
  if (!content) throw new Error(`${path} was read in parts`);
  return content.subarray(from, to);
}
