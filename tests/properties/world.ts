import type { Log } from '../../src/storage/vault-log.js';
import { createLog } from '../../src/storage/vault-log.js';
import type { Files } from '../../src/platform/files.js';
import type { Draft, LogEvent } from '../../src/model/event.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import {
  createMemoryIdentities,
  createTestClock,
  createTestRandom,
  START_TIME,
  type TestClock,
} from '../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../fakes/memory-files.js';
import { watchFiles, type WatchedFiles } from '../fakes/watched-files.js';

export const ROOT = 'Savepoint';
export const DAY = 86_400_000;

/** A device with its own vault and clock. */
export interface Device {
  readonly files: MemoryFiles;
  readonly watched: WatchedFiles;
  readonly clock: TestClock;
  readonly identities: ReturnType<typeof createMemoryIdentities>;
  log: Log;
  /** Restarts the program, without closing it first if `isKilled`. */
  restart(isKilled: boolean): Promise<void>;
}

let seeds = 50_000;

/** Creates a device. `skew` is the error of its clock in milliseconds. */
export function createDevice(skew = 0): Device {
  const clock = createTestClock(START_TIME + skew);
  const files = createMemoryFiles(() => clock.now());
  const watched = watchFiles(files);
  const identities = createMemoryIdentities();
  const open = () => openLog(watched, { identities, clock });
  const device: Device = {
    files,
    watched,
    clock,
    identities,
    log: open(),
    async restart(isKilled) {
      if (!isKilled) await device.log.close();
      device.log = open();
    },
  };
  return device;
}

/** Opens a log, like another process. */
export function openLog(
  files: Files,
  { identities = createMemoryIdentities(), clock = createTestClock() } = {},
): Log {
  return createLog({
    files,
    root: ROOT,
    identities,
    clock,
    random: createTestRandom(++seeds),
    app: 'test',
    device: 'test',
    warn: () => undefined,
  });
}

/** Writes drafts as one write. Returns true if it was acknowledged. */
export function tryPut(log: Log, ...drafts: Draft[]): Promise<boolean> {
  return log
    .write(() => ({ drafts, answer: undefined }))
    .then(
      () => true,
      () => false,
    );
}

/**
 * Copies whole files, as a sync service does. Each file has one writer, so the longer version is
 * the newer one.
 */
export async function sync(from: Device, to: Device): Promise<void> {
  for (const path of from.files.paths()) {
    const [sent, held] = [(await from.files.read(path))!, await to.files.read(path)];
    if (!held || held.length < sent.length) to.files.put(path, sent);
  }
}

export async function syncAll(devices: readonly Device[]): Promise<void> {
  for (let round = 0; round < 2; round++)
    for (const from of devices) for (const to of devices) if (from !== to) await sync(from, to);
}

/** Returns the bytes of every file. */
export async function snapshot(files: MemoryFiles): Promise<[string, string][]> {
  return Promise.all(
    files
      .paths()
      .map(async (path): Promise<[string, string]> => [
        path,
        Buffer.from((await files.read(path))!).toString('latin1'),
      ]),
  );
}

/** Returns every event in the vault, in the order of the files. */
export async function eventsOf(files: MemoryFiles): Promise<LogEvent[]> {
  const read = files.paths().filter((path) => path.endsWith('.jsonl'));
  const found = await Promise.all(
    read.map(async (path) =>
      parseSegment((await files.read(path))!).lines.map(({ event }) => event),
    ),
  );
  return found.flat();
}
