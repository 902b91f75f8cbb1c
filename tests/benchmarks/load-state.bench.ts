import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { counted, inFolder, median, perForm, stateParams, timeOf, type Figure } from './lib.js';
import { openVault, TOOLKIT } from './vault.js';

export const question = 'How long does loadState take with few and with many states?';
export const measures = TOOLKIT;

const ROUNDS = perForm(1000, 5);
const [FEW, MANY] = [100, perForm(10_000, 200)];

export async function answer(): Promise<Figure[]> {
  const [few, many] = [await loadAmong(FEW), await loadAmong(MANY)];
  return [
    { what: `loadState among ${FEW}, median`, value: few, unit: ' ms' },
    {
      what: `loadState among ${counted(MANY)} states, median`,
      value: many,
      limit: 1,
      unit: ' ms',
      isHighlighted: true,
    },
    { what: 'ratio', value: many / few },
  ];
}

function loadAmong(count: number): Promise<number> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    const { call, close } = openVault(vault, path.join(folder, 'state'));
    for (let at = 0; at < count; at += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          call('createState', stateParams(`State ${at + index}`)),
        ),
      );
    }
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      times.push(
        await timeOf(() => call('loadState', { name: `state ${(round * 7919) % count}` })),
      );
    await close();
    return median(times);
  });
}
