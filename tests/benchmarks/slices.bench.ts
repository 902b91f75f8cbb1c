import * as crypto from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as timers from 'node:timers';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { createNodeClock, createNodeRandom } from '../../src/node/ports/host-ports.js';
import type { Files, FolderEntry } from '../../src/platform/files.js';
import { createLog } from '../../src/storage/vault-log.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import { collectGarbage, inFolder, median, perForm, timeOf, type Figure } from './lib.js';
import { fillWithStates, node, TOOLKIT } from './vault.js';

export const question =
  'How long is a page blocked while 50,000 core events are read, with and without yielding?';
export const measures = TOOLKIT;

const EVENTS = perForm(50_000, 1000);
const ROUNDS = perForm(9, 2);

export async function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    await fillWithStates(vault, path.join(folder, 'state'), EVENTS);
    const files = await loadedFiles(vault);
    const [whole, sliced] = [
      await rounds(() => start(files)),
      await rounds(() => start(files, nextTurn)),
    ];
    return [
      {
        what: 'a segment of 64 KB, median',
        value: await segmentTime(path.join(vault, 'Savepoint', 'core')),
        unit: ' ms',
      },
      {
        what: 'longest turn without yielding, median',
        value: median(whole.map(({ longest }) => longest)),
        unit: ' ms',
      },
      {
        what: 'longest turn with yielding, median',
        value: median(sliced.map(({ longest }) => longest)),
        unit: ' ms',
      },
      {
        what: 'start-up with yielding, relative to one without',
        value: medianTime(sliced) / medianTime(whole),
      },
    ];
  });
}

interface Start {
  readonly time: number;
  /** The longest turn of the event loop, in milliseconds of CPU time. */
  readonly longest: number;
}

function medianTime(starts: readonly Start[]): number {
  return median(starts.map(({ time }) => time));
}

async function rounds(task: () => Promise<Start>): Promise<Start[]> {
  const done: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    collectGarbage();
    done.push(await task());
  }
  return done;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function start(files: Files, yieldToHost?: () => Promise<void>): Promise<Start> {
  const [clock, random] = [createNodeClock(timers), createNodeRandom(crypto)];
  const identities = {
    acquire: () => Promise.resolve(undefined),
    release: () => Promise.resolve(),
  };
  const log = createLog({
    files,
    root: 'Savepoint',
    identities,
    clock,
    random,
    app: 'bench',
    device: 'bench',
    warn: () => undefined,
    ...(yieldToHost && { yieldToHost }),
  });
  let longest = 0;
  let last = cpuTime();
  let isOver = false;
  const look = () => {
    longest = Math.max(longest, cpuTime() - last);
    last = cpuTime();
    if (!isOver) setImmediate(look);
  };
  look();
  const time = await timeOf(() => log.memory());
  look();
  isOver = true;
  await log.close();
  return { time, longest };
}

/** CPU time of this process in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns a vault's files, whose reads all finish in one turn, so that only yielding lets the page
 * run.
 */
async function loadedFiles(vault: string): Promise<Files> {
  const files = createFolderFiles(node, vault);
  const contents = new Map<string, Uint8Array>();
  const listings = new Map<string, FolderEntry[]>();
  for (const folders = ['Savepoint/core']; folders.length > 0;) {
    const folder = folders.pop()!;
    const entries = await files.list(folder);
    listings.set(folder, entries);
    for (const { name, kind } of entries) {
      if (kind === 'folder') folders.push(`${folder}/${name}`);
      else if (kind === 'file')
        contents.set(
          `${folder}/${name}`,
          new Uint8Array((await files.read(`${folder}/${name}`)) ?? []),
        );
    }
  }
  return {
    ...files,
    list: (folder) => Promise.resolve(listings.get(folder) ?? []),
    read: (file, from = 0, length = Infinity) =>
      Promise.resolve(contents.get(file)?.subarray(from, from + length)),
    stat: (file) =>
      Promise.resolve({ kind: 'file', size: contents.get(file)?.length ?? 0, mtime: 0 }),
  };
}

/** Returns the median time to parse a segment, in milliseconds. */
async function segmentTime(core: string): Promise<number> {
  const names = (await fs.readdir(core, { recursive: true })).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const times: number[] = [];
  for (const name of names) {
    const bytes = new Uint8Array(await fs.readFile(path.join(core, name)));
    const started = performance.now();
    parseSegment(bytes);
    times.push(performance.now() - started);
  }
  return median(times);
}
