import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allWorkspaces } from '../../src/model/lookup.js';
import type { Memory } from '../../src/model/memory.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { FolderCopies } from '../../src/node/ports/folder-copies.js';
import { createFolderIdentities } from '../../src/node/ports/state-folder.js';
import type { Log } from '../../src/storage/vault-log.js';
import { createLog } from '../../src/storage/vault-log.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { canonicalMemory } from '../fakes/canonical.js';
import { createTestClock } from '../fakes/deterministic.js';
import { workspaceDraft } from '../fakes/events.js';
import { node } from '../node/folders.js';
import {
  createFaultyDisk,
  DISK_CALLS,
  diskError,
  type DiskCall,
  type DiskFault,
  type FaultyDisk,
} from './faulty-disk.js';
import { findingsAfter } from './script.js';
import { struckCalls } from './struck-calls.js';
import { someOf } from '../tier.js';

const ROOT = 'Savepoint';
const DAY = 86_400_000;

/** Waits for a lock without the delays, which a fault would otherwise have each scene sit out. */
const timers = {
  ...node.timers,
  setTimeout: (task: () => void) => node.timers.setTimeout(task, 1),
} as typeof node.timers;

/** In memory if possible, since no test here cuts the power. */
const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

interface Scene {
  readonly disk: FaultyDisk;
  readonly clock: ReturnType<typeof createTestClock>;
  /** True for each name whose write was acknowledged. */
  readonly told: Map<string, boolean>;
  readonly open: () => Log;
  /** Opens a log on the same disk without faults or stored writers. */
  readonly openFresh: () => Log;
  verify(): ReturnType<typeof verify>;
}

async function withScene(task: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(PLACE, 'savepoint-faults-'));
  const [vault, state, elsewhere] = ['vault', 'state', 'elsewhere'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await node.fs.mkdir(vault);
  const disk = createFaultyDisk();
  const clock = createTestClock();
  const open = (fs: typeof node.fs, own: string) =>
    createLog({
      files: createFolderFiles({ ...node, fs, timers }, vault),
      root: ROOT,
      clock,
      app: 'test',
      device: 'test',
      warn: () => undefined,
      identities: createFolderIdentities({ ...node, fs }, own),
      copies: new FolderCopies(
        { ...node, fs, timers },
        { stateFolder: own, deviceFolder: join(own, 'vault'), vault },
      ),
      random: { bytes: (count) => node.crypto.randomBytes(count) },
    });
  const fresh: Log[] = [];
  const openFresh = () => {
    const log = open(node.fs, elsewhere);
    fresh.push(log);
    return log;
  };
  try {
    await task({
      disk,
      clock,
      told: new Map(),
      open: () => open(disk.fs, state),
      openFresh,
      verify: () => verify(createFolderFiles(node, vault), ROOT, { now: clock.now() }),
    });
  } finally {
    await Promise.all(fresh.map((log) => log.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Three processes of one device: the second continues with the writers of the first, the third runs
 * at the same time.
 */
async function play({ disk, clock, told, open }: Scene): Promise<Log[]> {
  const put = async (log: Log, name: string, padding = 0) => {
    const draft = workspaceDraft(name, `ws-${name}`, { purpose: 'x'.repeat(padding) });
    const write = log.write(() => ({ drafts: [draft], answer: true }));
    told.set(
      name,
      (await write.catch((error: unknown) => (expect(String(error)).toMatch(/\S/), false))) ===
        true,
    );
  };
  const trace = (log: Log, e: string) =>
    log.writeTrace({ t: 'trace.new', e, d: { ws: 'default', tool: 't' } }).catch(() => undefined);
  const first = open();
  await put(first, 'A');
  await Promise.all([put(first, 'B'), put(first, 'C'), trace(first, 'x')]);
  await first.close();
  const [second, third] = [open(), open()];
  await put(second, 'D', 66_000);
  await trace(second, 'y');
  await put(third, 'E');
  await put(second, 'F');
  clock.advance(DAY);
  await put(third, 'G');
  await disk.settle();
  return [second, third];
}

async function check(scene: Scene, logs: readonly Log[], isUnclean: boolean): Promise<void> {
  const { disk, told, open, openFresh } = scene;
  disk.disarm();
  for (const log of logs)
    expect(canonicalMemory(await log.memory()), 'memory is disk').toEqual(
      canonicalMemory(await openFresh().memory()),
    );
  const last = open();
  for (const [index, log] of [...logs, last].entries()) {
    const name = `Last ${index}`;
    await log.write(() => ({ drafts: [workspaceDraft(name)], answer: undefined }));
    told.set(name, true);
  }
  const memory = await openFresh().memory();
  for (const log of [...logs, last])
    expect(canonicalMemory(await log.memory()), 'memory is disk').toEqual(canonicalMemory(memory));
  const there = namesIn(memory);
  expect(
    [...told].filter(([name, isSaved]) => isSaved && !there.has(name)),
    'nothing acknowledged is lost',
  ).toEqual([]);
  if (!isUnclean)
    expect(
      [...told].filter(([name, isSaved]) => !isSaved && there.has(name)),
      'nothing refused is there',
    ).toEqual([]);
  await Promise.all([...logs, last].map((log) => log.close()));
  const found = findingsAfter(await scene.verify(), isUnclean);
  expect(found, 'verify finds nothing wrong').toEqual([]);
}

function namesIn(memory: Memory): Set<string> {
  return new Set(allWorkspaces(memory).map(({ item }) => item.name));
}

function failing(call: DiskCall, code: string, lasts = false): DiskFault {
  return {
    name: `${call} fails with ${code}${lasts ? ' every time' : ''}`,
    call,
    lasts,
    strike: () => Promise.reject(diskError(code, call)),
  };
}

/** Performs the call, but then reports an error. */
function failingLate(call: DiskCall, code: string): DiskFault {
  return {
    name: `${call} succeeds, but reports ${code}`,
    call,
    async strike(run, args) {
      const answer = await run(...(args as never[]));
      if (call === 'open') await (answer as FileHandle).close();
      throw diskError(code, call);
    },
  };
}

const shortWrite: DiskFault = {
  name: 'handle.write writes half, then fails with ENOSPC',
  call: 'handle.write',
  async strike(run, [bytes, from]) {
    await (run as (bytes: Uint8Array, from: unknown) => Promise<unknown>)(
      (bytes as Uint8Array).subarray(0, (bytes as Uint8Array).length >> 1),
      from,
    );
    throw diskError('ENOSPC', 'handle.write');
  },
};

const FAULTS: readonly DiskFault[] = [
  ...DISK_CALLS.filter((call) => call !== 'handle.close').map((call) => failing(call, 'EIO')),
  ...DISK_CALLS.map((call) => failingLate(call, 'EIO')),
  ...(['handle.write', 'handle.datasync', 'writeFile', 'appendFile', 'mkdir'] as const).map(
    (call) => failing(call, 'ENOSPC'),
  ),
  ...(['rename', 'open', 'rm'] as const).map((call) => failing(call, 'EBUSY')),
  failing('rename', 'EPERM'),
  failing('rename', 'EBUSY', true),
  failing('readdir', 'EMFILE'),
  failing('stat', 'EACCES'),
  shortWrite,
];

/**
 * Runs the script once per affected call, and with the first one if none of these was made: their
 * number differs a little between runs. `further` faults apply throughout. Returns how often it
 * struck.
 */
async function strikeEach(
  fault: DiskFault,
  counts: Record<DiskCall, number>,
  further: readonly DiskFault[] = [],
): Promise<number> {
  let struck = 0;
  for (const at of [...struckCalls(counts[fault.call], 1), 1]) {
    if (at === 1 && struck > 0) break;
    await withScene(async (scene) => {
      scene.disk.arm(fault, at);
      for (const each of further) scene.disk.arm(each, 1);
      const logs = await play(scene);
      if (scene.disk.hasStruck()) struck++;
      await check(scene, logs, further.length > 0);
    }).catch((error: unknown) => {
      throw new Error(`struck at call ${at}`, { cause: error });
    });
  }
  return struck;
}

describe('a disk fault', async () => {
  let counts: Record<DiskCall, number> | undefined;
  await withScene(async (scene) => {
    const logs = await play(scene);
    counts = { ...scene.disk.counts };
    await check(scene, logs, false);
  });

  it.each(someOf(FAULTS, 8).map((fault) => [fault.name, fault] as const))(
    'leaves the log consistent: %s',
    async (_, fault) => {
      const struck = await strikeEach(fault, counts!);
      expect(struck > 0 || fault.call === 'handle.truncate').toBe(true);
    },
  );

  it.each(
    [shortWrite, failingLate('handle.write', 'EIO'), failing('handle.datasync', 'EIO')].map(
      (fault) => [fault.name, fault] as const,
    ),
  )('loses no write and blocks none if truncation fails too: %s', async (_, fault) => {
    await strikeEach(fault, counts!, [failing('handle.truncate', 'EIO', true)]);
  });
});
