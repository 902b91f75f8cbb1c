import * as crypto from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { inFolder, median, perForm, stateParams, timeOf, type Figure } from './lib.js';
import { openVault, TOOLKIT } from './vault.js';

export const question =
  'How much slower is a durable createState than a bare append and fdatasync of the same bytes?';
export const measures = TOOLKIT;

const ROUNDS = perForm(1000, 10);
const WARM_UP = perForm(100, 2);

/** The active files of a state, which are hashed before it is saved. */
const FILES = 10;
const FILE_BYTES = 8 * 1024;

/** Time of the cases in milliseconds, one value per round. */
interface Times {
  readonly ours: number[];
  readonly theirs: number[];
}

export async function answer(): Promise<Figure[]> {
  const [none, some] = await inFolder(measure);
  const label = `with ${FILES} active files of 8 kB`;
  return [
    { what: 'createState, median', value: median(none.ours), unit: ' ms' },
    { what: 'bare append and fdatasync, median', value: median(none.theirs), unit: ' ms' },
    {
      what: 'createState, times a bare append and fdatasync',
      value: ratio(none),
      limit: 3,
      isHighlighted: true,
    },
    { what: `createState ${label}, median`, value: median(some.ours), unit: ' ms' },
    {
      what: `createState ${label}, times a bare append and fdatasync`,
      value: ratio(some),
      limit: 4,
      isHighlighted: true,
    },
  ];
}

/** Saves a state without files, one with files, and the bytes of each on their own, in turn. */
async function measure(folder: string): Promise<[Times, Times]> {
  const vault = path.join(folder, 'vault');
  await fs.mkdir(vault);
  const activeFiles = Array.from({ length: FILES }, (_, index) => `Note ${index}.md`);
  for (const name of activeFiles)
    await fs.writeFile(path.join(vault, name), crypto.randomBytes(FILE_BYTES));
  const { call, close } = openVault(vault, path.join(folder, 'state'));
  const cases = [
    { activeFiles: [] as string[], ours: [] as number[], theirs: [] as number[] },
    { activeFiles, ours: [] as number[], theirs: [] as number[] },
  ] as const;
  let seen = 0;
  for (let round = 0; round < ROUNDS + WARM_UP; round++)
    for (const { activeFiles: paths, ours, theirs } of cases) {
      const params = { ...stateParams(`State ${round} of ${paths.length}`), activeFiles: paths };
      const created = await timeOf(() => call('createState', params));
      const size = await bytesIn(path.join(vault, 'Savepoint', 'core'));
      const line = Buffer.alloc(Math.max(1, size - seen), 120);
      seen = size;
      const appended = await timeOf(() => appendDurably(path.join(folder, 'bare.jsonl'), line));
      if (round < WARM_UP) continue;
      ours.push(created);
      theirs.push(appended);
    }
  await close();
  return [cases[0], cases[1]];
}

function ratio({ ours, theirs }: Times): number {
  return median(ours) / median(theirs);
}

async function appendDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await fs.open(file, 'a');
  await handle.write(bytes);
  await handle.datasync();
  await handle.close();
}

async function bytesIn(folder: string): Promise<number> {
  const names = await fs.readdir(folder, { recursive: true });
  const infos = await Promise.all(names.map((name) => fs.stat(path.join(folder, name))));
  return infos.reduce((sum, info) => sum + (info.isFile() ? info.size : 0), 0);
}
