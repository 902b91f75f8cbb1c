import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine } from '../../src/storage/format/line.js';
import { inFolder, median, perForm, stateParams, timeOf, type Figure } from './lib.js';
import { fillWithStates, openVault, type OpenVault } from './vault.js';

export const question = 'Does a hostile file in the data folder slow down calls?';
export const measures = ['src'];

const STATES = perForm(1000, 50);
const ROUNDS = perForm(60, 2);
const PROCESS_ROUNDS = perForm(7, 1);
const NAME = 'The state to load';
const PROGRAM = fileURLToPath(new URL('../../main.js', import.meta.url));
const LATEST = '2199-12-31T23:59:59.999Z.ffff';
const EARLIEST = '2020-01-01T00:00:00.000Z.0000';

const run = promisify(execFile);

type Line = Parameters<typeof encodeLine>[0];

/** Adds a file at a path below the core lane. */
const HOSTILE: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  'a link to /dev/zero': (file) => fs.symlink('/dev/zero', file),
  'a pipe': (file) => run('mkfifo', [file]),
  '500 MB of NULs': async (file) => {
    await fs.writeFile(file, '');
    await fs.truncate(file, 500 * 1024 * 1024);
  },
  'a line dated to 2199': (file) =>
    forge(file, { h: LATEST, t: 'set', e: 'default', d: { '/isArchived': true } }),
  'a giant vault id': (file) =>
    forge(file, { h: EARLIEST, t: 'log.vault', e: '', d: { id: 'x'.repeat(900_000) } }),
  'a retirement of the core lane': (file) =>
    forge(file, {
      h: EARLIEST,
      t: 'log.retire',
      e: '',
      d: { lane: 'core', file: 'x', w: 'x', from: 1, to: 1e9, count: 1e9, sha256: '', why: 'age' },
    }),
};

function forge(file: string, { h, t, e, d }: Pick<Line, 'h' | 't' | 'e' | 'd'>): Promise<void> {
  const { bytes } = encodeLine({ v: 1, w: 'qqqqqqqqqqqq', n: 1, p: CHAIN_START, h, t, e, d });
  return fs.writeFile(file, bytes);
}

/** Calls in an open vault. `at` makes names unique. */
const CALLS: Readonly<Record<string, (at: number) => [string, Record<string, unknown>]>> = {
  createState: (at) => ['createState', stateParams(`New ${at}`)],
  loadState: () => ['loadState', { name: NAME }],
  listStates: () => ['listStates', { limit: 20 }],
  loadWorkspace: () => ['loadWorkspace', { name: 'Default' }],
  searchMemory: () => ['searchMemory', { query: 'refresh tokens', memoryTypes: ['states'] }],
};

export function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const clean = await createVault(path.join(folder, 'clean'));
    const figures: Figure[] = [];
    for (const [kind, add] of Object.entries(HOSTILE)) {
      const hostile = await createVault(path.join(folder, kind.replace(/\W+/g, ' ')));
      await add(path.join(hostile.lane, 'hostile.jsonl'));
      figures.push(
        {
          what: `${kind}: the slowest of five calls in an open vault, relative to one without it`,
          value: await slowestCall(clean, hostile),
          limit: 3,
        },
        {
          what: `${kind}: a process that makes one call`,
          value: await processRatio(clean, hostile),
          limit: 3,
        },
      );
      await fs.rm(hostile.folder, { recursive: true });
    }
    return figures;
  });
}

interface Place {
  readonly folder: string;
  readonly vault: string;
  readonly state: string;
  /** A folder of the core lane. */
  readonly lane: string;
}

async function createVault(folder: string): Promise<Place> {
  const [vault, state] = [path.join(folder, 'vault'), path.join(folder, 'state')];
  await fs.mkdir(path.join(vault, '.obsidian'), { recursive: true });
  await fs.mkdir(state, { mode: 0o700 });
  await fillWithStates(vault, state, STATES);
  const { call, close } = openVault(vault, state);
  await call('createState', stateParams(NAME));
  await close();
  const core = path.join(vault, 'Savepoint/core');
  const [month = ''] = await fs.readdir(core);
  return { folder, vault, state, lane: path.join(core, month) };
}

/** Returns the highest ratio of medians among the calls. */
async function slowestCall(clean: Place, hostile: Place): Promise<number> {
  const [ours, theirs] = [clean, hostile].map(({ vault, state }) => openVault(vault, state)) as [
    OpenVault,
    OpenVault,
  ];
  const ratios: number[] = [];
  for (const make of Object.values(CALLS)) {
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const [tool, params] = make(Date.now() * 1000 + round);
      times.ours.push(await timeOf(() => ours.call(tool, params)));
      times.theirs.push(await timeOf(() => theirs.call(tool, params)));
    }
    ratios.push(median(times.theirs) / median(times.ours));
  }
  await ours.close();
  await theirs.close();
  return Math.max(...ratios);
}

async function processRatio(clean: Place, hostile: Place): Promise<number> {
  const times = { clean: [] as number[], hostile: [] as number[] };
  for (let round = 0; round < PROCESS_ROUNDS; round++) {
    times.clean.push(await timeOf(() => loadIn(clean)));
    times.hostile.push(await timeOf(() => loadIn(hostile)));
  }
  return median(times.hostile) / median(times.clean);
}

function loadIn({ vault, state }: Place): Promise<unknown> {
  const params = JSON.stringify({ name: NAME });
  const args = ['call', 'loadState', '--json', params, '--vault', vault, '--state', state];
  return run(process.execPath, [PROGRAM, ...args]);
}
