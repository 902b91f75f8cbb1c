import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { inFolder, median, openVault, stateParams, timeOf, type Figure } from './lib.js';

export const question =
  'How much slower is a durable createState than a bare append and fdatasync of the same bytes?';

const ROUNDS = 1000;
const WARM_UP = 100;

export async function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    const { call, close } = openVault(vault, path.join(folder, 'state'));
    const bare = path.join(folder, 'bare.jsonl');
    const ours: number[] = [];
    const theirs: number[] = [];
    let seen = 0;
    for (let round = 0; round < ROUNDS + WARM_UP; round++) {
      const created = await timeOf(() => call('createState', stateParams(`State ${round}`)));
      const size = await bytesIn(path.join(vault, 'Savepoint', 'core'));
      const line = Buffer.alloc(Math.max(1, size - seen), 120);
      seen = size;
      const appended = await timeOf(() => appendDurably(bare, line));
      if (round >= WARM_UP) {
        ours.push(created);
        theirs.push(appended);
      }
    }
    await close();
    return [
      { what: 'createState, median', value: median(ours), unit: ' ms' },
      { what: 'bare append and fdatasync, median', value: median(theirs), unit: ' ms' },
      {
        what: 'createState, times a bare append and fdatasync',
        value: median(ours) / median(theirs),
        limit: 3,
        isHighlighted: true,
      },
    ];
  });
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
