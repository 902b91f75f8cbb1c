import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { MorePages } from '../../src/toolkit/answer.js';
import { collectGarbage, counted, inFolder, perForm, stateParams, type Figure } from './lib.js';
import { openVault, TOOLKIT, type OpenVault } from './vault.js';

export const question =
  'How much more memory does a process need that lists 3,000 states page by page than one that lists a page?';
export const measures = TOOLKIT;

const STATES = perForm(3000, 100);
const CALLS_AT_ONCE = 50;
const MAX_CHARACTERS = 40_000;

interface Measured {
  /** Largest heap after a page, in bytes, without garbage. */
  readonly heap: number;
  /** Length of the longest answer as JSON. */
  readonly longest: number;
  readonly states: number;
}

export async function answer(): Promise<Figure[]> {
  const [one, all] = await inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    await save(vault, path.join(folder, 'state'));
    return [
      await measure(vault, path.join(folder, 'one'), 1),
      await measure(vault, path.join(folder, 'all'), Infinity),
    ] as const;
  });
  return [
    { what: 'states listed', value: all.states, least: STATES },
    { what: 'longest answer, characters', value: all.longest, limit: MAX_CHARACTERS },
    { what: 'heap after one page', value: one.heap / 1e6, unit: ' MB' },
    { what: 'largest heap while all pages are listed', value: all.heap / 1e6, unit: ' MB' },
    {
      what: `heap of a process that lists ${counted(STATES)} states, times that of one that lists a page`,
      value: all.heap / one.heap,
      limit: 2,
      isHighlighted: true,
    },
  ];
}

async function save(vault: string, state: string): Promise<void> {
  const { call, close } = openVault(vault, state);
  for (let from = 0; from < STATES; from += CALLS_AT_ONCE) {
    const calls = Array.from({ length: CALLS_AT_ONCE }, (_, index) => ({
      agent: 'memoryManager',
      tool: 'createState',
      params: {
        ...stateParams(`State ${from + index}`),
        description: 'What it is about. '.repeat(10),
      },
    }));
    await call('useTools', { calls });
  }
  await close();
}

/** Lists up to `pages` pages in a process that has just started. */
async function measure(vault: string, state: string, pages: number): Promise<Measured> {
  const opened = openVault(vault, state);
  const sizes: number[] = [];
  let longest = 0;
  let states = 0;
  let after: string | undefined;
  for (let page = 0; page < pages; page++) {
    const { data, more } = await readPage(opened, after);
    collectGarbage();
    sizes.push(process.memoryUsage().heapUsed);
    longest = Math.max(longest, JSON.stringify(data).length);
    states += data.length;
    after = more?.after;
    if (after === undefined) break;
  }
  await opened.close();
  return { heap: Math.max(...sizes), longest, states };
}

async function readPage({ call }: OpenVault, after: string | undefined) {
  const listed = await call('listStates', { ...(after !== undefined && { after }) });
  return listed as unknown as { data: unknown[]; more?: MorePages };
}
