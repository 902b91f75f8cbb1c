import type { LogEvent } from '../model/event.js';
import { emptyMemory, fold, type Memory } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import type { Files } from '../platform/files.js';
import { isForgettable, type HashedLine } from './forget/forget-event.js';
import { isHiddenBy, type ForgetAnswer, type MetLines } from './forget/forget-decisions.js';
import { ForgottenLines } from './forget/forgotten-lines.js';
import { encodeStub, originalHash, withoutNewline } from './format/stub.js';
import { hasEvent, type WriterIndex } from './read/writer-index.js';
import { LANES, laneOf, type LaneName } from './format/lanes.js';
import { statedCrc } from './format/line.js';
import { lineHash } from './format/line-hash.js';
import { NOOP_SCHEDULER, type Scheduler } from '../platform/scheduler.js';
import { LaneReader } from './read/reader.js';
import { RecordedReads } from './read/recorded-reads.js';
import type { LineProblem } from './format/segment.js';

/** An event with its line and location; if forgotten, as a stub with the original's hash. */
export interface LogLine extends HashedLine {
  readonly bytes: Uint8Array;
  /** The lane that the event belongs to, in any folder. */
  readonly lane: LaneName;
  readonly path: VaultPath;
  /** Byte offset in the file. */
  readonly from: number;
}

/** A part of a segment that is not an event. */
export interface LogProblem extends Omit<LineProblem, 'kind'> {
  /** `stub`: of a line that nobody has forgotten. `healed`: broken, with the original elsewhere. */
  readonly kind: LineProblem['kind'] | 'stub' | 'healed';
  readonly path: VaultPath;
}

/** The whole log of a vault. */
export interface LogContents {
  /** Each line once, in arbitrary order. */
  readonly lines: readonly LogLine[];
  readonly writers: WriterIndex;
  readonly problems: readonly LogProblem[];
  /** Files from which nothing can be read at present, or that are not downloaded yet. */
  readonly unreadable: readonly VaultPath[];
  readonly forgotten: ForgottenLines;
  /** The events because of which lines are hidden that are here. */
  readonly hiddenBy: MetLines;
}

/** Reads all lanes with the bytes of each line; hidden ones, by these choices, as stubs. */
export async function readLogLines(
  files: Files,
  root: VaultPath,
  scheduler: Scheduler = NOOP_SCHEDULER,
  choiceOf: (forgetKey: string) => ForgetAnswer | undefined = () => undefined,
): Promise<LogContents> {
  const writers: WriterIndex = new Map();
  const lines: LogLine[] = [];
  const found: (LogProblem & { readonly bytes: Uint8Array })[] = [];
  const unreadable: VaultPath[] = [];
  const hashes = new Set<string>();
  const stubs: LogLine[] = [];
  const forgotten = new ForgottenLines();
  for (const folder of LANES) {
    const reads = new RecordedReads(files);
    const reader = new LaneReader(reads.files, root, folder, writers, {
      scheduler,
      onLines(path, found) {
        for (const { event, from, to } of found) {
          const bytes = reads.bytesAt(path, from, to);
          const original = originalHash(event);
          const hash = original ?? lineHash(bytes);
          const line = { event, bytes, hash, lane: laneOf(event, folder), path, from };
          if (original !== undefined) stubs.push(line);
          else if (!hashes.has(hash)) {
            hashes.add(hash);
            lines.push(line);
            if (line.lane === 'core') forgotten.add(event);
          }
        }
      },
    });
    await reader.scan();
    for (const [path, ofFile] of reader.problems())
      for (const { kind, from } of ofFile)
        found.push({ kind, path, from, bytes: reads.lineAt(path, from) });
    for (const path of reader.waiting()) unreadable.push(path);
  }
  const byCrc = new Map(lines.map((line) => [line.event.c, line]));
  const problems = found.map(({ kind, path, from, bytes }): LogProblem => {
    const original = byCrc.get(statedCrc(bytes) ?? '');
    const isInside =
      original?.path === path && original.from >= from && original.from < from + bytes.length;
    const isHealed = (kind === 'edited' || kind === 'damaged') && original && !isInside;
    return { kind: isHealed ? 'healed' : kind, path, from };
  });
  const proved = forgotten.provedStubs(lines, stubs);
  for (const { path, from } of stubs.filter((stub) => !proved.has(stub)))
    problems.push({ kind: 'stub', path, from });
  const needed = new Map([...proved].map((stub) => [stub.hash, stub]));
  for (const hash of hashes) needed.delete(hash);
  const hiddenBy = new Map<string, Set<string>>();
  const shown = lines.map((line) => {
    const keys = isForgettable(line.event) ? forgotten.keysOf(line.event) : [];
    if (!isHiddenBy(keys, choiceOf)) return line;
    for (const key of keys) {
      const workspaces = hiddenBy.get(key) ?? new Set();
      hiddenBy.set(key, line.event.t === 'ws.new' ? workspaces.add(line.event.e) : workspaces);
    }
    const stub = encodeStub(line.event, line.hash);
    return { ...line, event: stub.event, bytes: withoutNewline(stub) };
  });
  const all = [...shown, ...needed.values()];
  return { lines: all, writers, problems, unreadable, forgotten, hiddenBy };
}

/** Returns true if a log neither has an event nor has forgotten it. */
export function isLacking({ writers, forgotten }: LogContents, event: LogEvent): boolean {
  return !hasEvent(writers, event) && forgotten.keysOf(event).length === 0;
}

/** Folds the lines of the core lane. */
export function memoryOf(lines: readonly LogLine[]): Memory {
  return fold(
    emptyMemory,
    lines.filter(({ lane }) => lane === 'core').map(({ event }) => event),
  );
}
