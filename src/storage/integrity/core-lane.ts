import { versionKey } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { CoreLines, type CoreLine } from '../copies/core-copies.js';
import { isForgettable } from '../forget/forget-event.js';
import { ForgottenLines, linesOfRange, numberedLines } from '../forget/forgotten-lines.js';
import { laneOf } from '../format/lanes.js';
import { lineHash } from '../format/line-hash.js';
import { chainHash, originalHash, STUB_TYPE } from '../format/stub.js';
import { LaneReader } from '../read/reader.js';
import { RecordedReads } from '../read/recorded-reads.js';
import { vaultIdsByOrigin } from '../data-folder/vault-identity.js';

/** Maximum time for which an unreadable file may explain missing lines. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

/** The core lane as it is on the disk now. */
export interface CoreLane {
  readonly lines: CoreLines;
  /** The ids that `log.vault` events give to the vault, the one in force first. */
  readonly namedIds: readonly string[];
  /** The ids that segments repeat, latest first. */
  readonly repeatedIds: readonly string[];
  /** Files that could not be read. */
  readonly waiting: readonly VaultPath[];
}

/** Reads all lines of the core lane with their bytes. */
export async function readCoreLane(
  files: Files,
  root: VaultPath,
  scheduler: Scheduler,
): Promise<CoreLane> {
  const reads = new RecordedReads(files);
  const lines = new CoreLines();
  const reader = new LaneReader(reads.files, root, 'core', new Map(), {
    scheduler,
    onLines(path, found) {
      for (const { event, from, to } of found)
        if (laneOf(event, 'core') === 'core')
          lines.add({ event, bytes: reads.bytesAt(path, from, to) });
      reads.forget(path);
    },
  });
  await reader.scan();
  const events = [...lines].map(({ event }) => event);
  return { lines, ...vaultIdsByOrigin(events), waiting: reader.unreadable() };
}

/** Returns copied lines that forget others and that the vault has lost, as after a backup. */
export function lostRemovals(
  { lines }: CoreLane,
  copied: CoreLines,
  waitingSince: Readonly<Record<string, number>> | undefined,
  now: number,
): CoreLine[] {
  return copied
    .without(lines)
    .filter((line) => line.event.t === 'log.forget' && !isWaiting(line, waitingSince, now));
}

/** Returns the lines to restore. A lost event forgets nothing unless an unread file may have it. */
export function restorableIn(
  { lines, waiting }: CoreLane,
  copied: CoreLines,
  read: ForgottenLines,
): CoreLine[] {
  const forgotten = new ForgottenLines();
  for (const { event } of [...lines, ...copied]) forgotten.add(event);
  for (const { event } of read.forgets)
    if (waiting.some((path) => path.includes(event.w))) forgotten.add(event);
  return restorableLines(copied, lines, forgotten);
}

/**
 * Returns the copied lines that the vault lacks and that may be restored: no forgotten ones, and no
 * stub while the vault has the line itself. A clone's line can have a stub's number.
 */
export function restorableLines(
  copied: CoreLines,
  held: CoreLines,
  forgotten: ForgottenLines,
): CoreLine[] {
  const lines = copied.without(held);
  const stubs = lines.filter(({ event }) => event.t === STUB_TYPE);
  const numbers = new Set(stubs.map(({ event }) => versionKey(event)));
  const hashes = new Set<string>();
  for (const { event, bytes } of stubs.length > 0 ? held : [])
    if (numbers.has(versionKey(event))) hashes.add(chainHash(event, bytes));
  const isNamed = ({ event }: CoreLine) =>
    isForgettable(event) && forgotten.keysOf(event).length > 0;
  const gone = lines.some(isNamed) ? forgottenHashes(copied, held, forgotten) : undefined;
  return lines.filter((line) =>
    line.event.t === STUB_TYPE
      ? !hashes.has(chainHash(line.event, line.bytes))
      : !isNamed(line) || gone?.has(lineHash(line.bytes)) !== true,
  );
}

/** Returns the hashes of forgotten lines, proved by a range or a stub: an event may be forged. */
function forgottenHashes(
  copied: CoreLines,
  held: CoreLines,
  forgotten: ForgottenLines,
): ReadonlySet<string> {
  const hashed = [...copied, ...held].map(({ event, bytes }) => ({
    event,
    hash: chainHash(event, bytes),
  }));
  const byNumber = numberedLines(hashed);
  const ranges = forgotten.forgets.flatMap(({ content }) => content.ranges);
  const proved = ranges.flatMap((range) => linesOfRange(range, byNumber) ?? []);
  const stubs = [...held].flatMap(({ event }) => originalHash(event) ?? []);
  return new Set([...proved.map(({ hash }) => hash), ...stubs]);
}

/** Returns since when each unreadable file has been one, by path; undefined without any. */
export function waitingTimes(
  { waiting }: CoreLane,
  before: Readonly<Record<string, number>> = {},
  now: number,
): Record<string, number> | undefined {
  if (waiting.length === 0) return undefined;
  return Object.fromEntries(waiting.map((path) => [path, Math.min(before[path] ?? now, now)]));
}

/** Returns true if an unreadable file may hold the line: its name contains the writer. */
export function isWaiting(
  { event }: CoreLine,
  waitingSince: Readonly<Record<string, number>> | undefined,
  now: number,
): boolean {
  return Object.entries(waitingSince ?? {}).some(
    ([path, since]) => path.includes(event.w) && now - since < MAX_WAIT_MS,
  );
}
