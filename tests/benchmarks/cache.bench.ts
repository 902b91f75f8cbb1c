import * as crypto from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as timers from 'node:timers';
import { traceData } from '../../src/model/trace.js';
import { FolderCache } from '../../src/node/ports/folder-cache.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { createNodeClock, createNodeRandom } from '../../src/node/ports/host-ports.js';
import type { Cache } from '../../src/storage/read/cache.js';
import type { Files } from '../../src/platform/files.js';
import { createEntityId } from '../../src/platform/random.js';
import { MAX_SEGMENT_BYTES, segmentPath } from '../../src/storage/format/lanes.js';
import { encodeLine } from '../../src/storage/format/line.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import type { Log } from '../../src/storage/vault-log.js';
import { createLog } from '../../src/storage/vault-log.js';
import { collectGarbage, counted, inFolder, median, perForm, timeOf, type Figure } from './lib.js';
import { fillWithStates, node, TOOLKIT } from './vault.js';

export const question = 'How much faster is a start with cached segments, per lane?';
export const measures = TOOLKIT;

const STATES = perForm(50_000, 500);
const [TRACES, MANY_TRACES] = [perForm(100_000, 6000), perForm(950_000, 12_000)];
const ROUNDS = perForm(5, 2);
const SLOW_ROUNDS = perForm(3, 1);
/**
 * Assumed latencies of a phone for a read, and for a stat or list call, which all run one after the
 * other.
 */
const READ_MS = 5;
const LOOK_MS = 1;

export async function answer(): Promise<Figure[]> {
  return [
    ...(await inFolder(coreLane)),
    ...(await inFolder((folder) => traceLane(folder, TRACES, ROUNDS))),
    ...(await inFolder((folder) => traceLane(folder, MANY_TRACES, SLOW_ROUNDS))),
  ];
}

async function coreLane(folder: string): Promise<Figure[]> {
  const vault = path.join(folder, 'vault');
  await fs.mkdir(vault);
  await fillWithStates(vault, path.join(folder, 'state'), STATES);
  const read = (log: Log) => log.memory();
  const files = createFolderFiles(node, vault);
  const disk = await compare(files, path.join(folder, 'read'), read, ROUNDS);
  const phone = await compare(overBridge(files), path.join(folder, 'read'), read, SLOW_ROUNDS);
  return [
    { what: `core, ${counted(STATES)} states, from files`, value: disk.without, unit: ' ms' },
    { what: 'core from the cache, ratio', value: disk.ratio },
    { what: 'core over a slow bridge, from files', value: phone.without, unit: ' ms' },
    { what: 'core over a slow bridge from the cache, ratio', value: phone.ratio },
  ];
}

async function traceLane(folder: string, count: number, rounds: number): Promise<Figure[]> {
  const vault = path.join(folder, 'vault');
  await fillWithTraces(vault, count);
  const read = async (log: Log) => {
    const { length } = await log.traceEntries('default');
    if (length !== count) throw new Error(`${length} of ${count} traces were read.`);
  };
  const disk = await compare(
    createFolderFiles(node, vault),
    path.join(folder, 'read'),
    read,
    rounds,
  );
  return [
    {
      what: `first list of ${counted(count)} traces, from files`,
      value: disk.without,
      unit: ' ms',
    },
    {
      what: `first list of ${counted(count)} traces, from the cache, ratio`,
      value: disk.ratio,
      limit: 0.5,
    },
    { what: `saving them at the first start, ratio`, value: disk.keeping },
  ];
}

/** Measures the same start, alternating between files and a cache filled by an earlier start. */
async function compare(
  files: Files,
  folder: string,
  read: (log: Log) => Promise<unknown>,
  rounds: number,
) {
  const cache = new FolderCache(node, folder);
  const keeping = await start(files, read, cache);
  const [without, within]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    without.push(await start(files, read));
    within.push(await start(files, read, cache));
  }
  return {
    without: median(without),
    ratio: median(within) / median(without),
    keeping: keeping / median(without),
  };
}

async function start(
  files: Files,
  read: (log: Log) => Promise<unknown>,
  cache?: Cache,
): Promise<number> {
  const [clock, random] = [createNodeClock(timers), createNodeRandom(crypto)];
  const identities = {
    acquire: () => Promise.resolve(undefined),
    release: () => Promise.resolve(),
  };
  const warn = (message: string) => {
    throw new Error(message);
  };
  const log = createLog({
    files,
    root: 'Savepoint',
    identities,
    clock,
    random,
    app: 'bench',
    device: 'bench',
    warn,
    ...(cache && { cache }),
  });
  collectGarbage();
  const time = await timeOf(() => read(log));
  await log.close();
  return time;
}

/** Simulates a phone, where all calls share one bridge. */
function overBridge(files: Files): Files {
  let last = Promise.resolve();
  const cross = (ms: number) =>
    (last = last.then(() => new Promise<void>((resolve) => void setTimeout(resolve, ms))));
  return {
    ...files,
    read: (at, from, length) => cross(READ_MS).then(() => files.read(at, from, length)),
    stat: (at) => cross(LOOK_MS).then(() => files.stat(at)),
    list: (at) => cross(LOOK_MS).then(() => files.list(at)),
  };
}

/** Builds segments like a writer's, without the writer. */
async function fillWithTraces(vault: string, count: number): Promise<void> {
  const random = createNodeRandom(crypto);
  const writer = 'kkkkkkkkkkkk';
  const began = Date.UTC(2026, 8, 1);
  let [number, size, p] = [1, 0, CHAIN_START];
  let lines: Uint8Array[] = [];
  const write = async () => {
    const file = path.join(
      vault,
      segmentPath('Savepoint', 'trace', '2026-09-01', writer, number++),
    );
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, Buffer.concat(lines));
    [lines, size] = [[], 0];
  };
  const add = (n: number, t: string, d: Parameters<typeof encodeLine>[0]['d']) => {
    const h = `${new Date(began + n * 1000).toISOString()}.0000`;
    const line = encodeLine({
      v: 1,
      w: writer,
      n,
      p,
      h,
      t,
      e: t === 'trace.new' ? createEntityId(random) : '',
      d,
    });
    lines.push(line.bytes);
    size += line.bytes.length;
    p = line.hash;
  };
  for (let n = 1, made = 0; made < count; n++) {
    if (size === 0) add(n, 'log.seg', { fmt: 1, app: 'bench', device: 'bench' });
    else if (size > MAX_SEGMENT_BYTES.trace - 1000) {
      add(n, 'log.seal', { count: lines.length, sha256: '0' });
      await write();
    } else {
      add(n, 'trace.new', traceData(TRACE));
      made++;
    }
  }
  await write();
}

const TRACE: Parameters<typeof traceData>[0] = {
  workspaceId: 'default',
  sessionId: 'bench',
  toolset: 'memoryManager',
  tool: 'createState',
  isSuccess: true,
  outcome: 'ok',
  input:
    '{"name":"Plan","conversationContext":"We decided on JWT tokens for auth and set up the structure.","activeTask":"Refresh"}',
};
