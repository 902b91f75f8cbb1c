import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { allStates } from '../../src/model/lookup.js';
import { crc32 } from '../../src/platform/crc32.js';
import { collectGarbage, counted, inFolder, median, perForm, timeOf, type Figure } from './lib.js';
import { fillWithStates, openVault, TOOLKIT } from './vault.js';

export const question =
  'What does start-up with 50,000 core events cost compared with reading and CRC-checking the same files?';
export const measures = TOOLKIT;

const EVENTS = perForm(50_000, 500);
const ROUNDS = perForm(9, 2);

export async function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    await fillWithStates(vault, path.join(folder, 'state'), EVENTS);
    const core = path.join(vault, 'Savepoint', 'core');
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      collectGarbage();
      theirs.push(await timeOf(() => readAndCheck(core)));
      collectGarbage();
      ours.push(await start(vault, path.join(folder, 'other-state')));
    }
    return [
      { what: 'start-up, median', value: median(ours), unit: ' ms' },
      { what: 'reading and CRC-checking, median', value: median(theirs), unit: ' ms' },
      {
        what: `start with ${counted(EVENTS)} states, times reading and checking the same files`,
        value: median(ours) / median(theirs),
        limit: 2,
        isHighlighted: true,
      },
    ];
  });
}

/** Returns the time until the memory is ready, then checks its content. */
async function start(vault: string, state: string): Promise<number> {
  const { services, close } = openVault(vault, state);
  const time = await timeOf(() => services.log.memory());
  if (allStates(await services.log.memory(), 'default').length !== EVENTS)
    throw new Error('Not every state was read');
  await close();
  return time;
}

async function readAndCheck(core: string): Promise<void> {
  const names = (await fs.readdir(core, { recursive: true })).filter((name) =>
    name.endsWith('.jsonl'),
  );
  let lines = 0;
  await Promise.all(
    names.map(async (name) => {
      const bytes = new Uint8Array(await fs.readFile(path.join(core, name)));
      for (
        let at = 0, end = bytes.indexOf(10);
        end >= 0;
        at = end + 1, end = bytes.indexOf(10, at)
      ) {
        const stored = parseInt(String.fromCharCode(...bytes.subarray(end - 10, end - 2)), 16);
        if (crc32(bytes, at, end - 16) !== stored)
          throw new Error(`${name} is damaged at byte ${at}`);
        lines++;
      }
    }),
  );
  if (lines < EVENTS) throw new Error('Not every line was read');
}
