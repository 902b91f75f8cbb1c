import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { counted, inFolder, median, perForm, stateParams, timeOf, type Figure } from './lib.js';
import { openVault, TOOLKIT } from './vault.js';

export const question = 'How long does a brief take, compared with loadState?';
export const measures = TOOLKIT;

const STATES = perForm(10_000, 200);
const RECORDS = perForm(100, 5);
const ROUNDS = perForm(300, 5);

export function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    const { call, close } = openVault(vault, path.join(folder, 'state'));
    for (let at = 0; at < STATES; at += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          call('createState', stateParams(`State ${at + index}`)),
        ),
      );
    }
    for (let at = 0; at < RECORDS; at++)
      await call('createRecord', { resource: 'issue', title: `Issue ${at}` });
    const first = await timeOf(() => call('brief', {}));
    await call('timeline', {}); // reads the traces, as a search of the memory does
    const [loads, briefs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const name = `state ${(round * 7919) % STATES}`;
      loads.push(await timeOf(() => call('loadState', { name })));
      briefs.push(await timeOf(() => call('brief', { for: `task ${round}` })));
    }
    await close();
    const [load, brief] = [median(loads), median(briefs)];
    return [
      {
        what: `first brief, which parses the ${counted(STATES)} traces of one day`,
        value: first,
        unit: ' ms',
      },
      { what: `brief among ${counted(STATES)} states, median`, value: brief, unit: ' ms' },
      {
        what: `brief among ${counted(STATES)} states, times loadState`,
        value: brief / load,
        limit: 5,
        isHighlighted: true,
      },
    ];
  });
}
