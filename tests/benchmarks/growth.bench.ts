import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { traceData } from '../../src/model/trace.js';
import { createEntityId } from '../../src/platform/random.js';
import {
  collectGarbage,
  counted,
  fittedExponent,
  inFolder,
  isShort,
  median,
  perForm,
  stateParams,
  timeOf,
  type Figure,
} from './lib.js';
import { fillWithStates, openVault, TOOLKIT, type OpenVault } from './vault.js';

export const question = 'How does the cost of a write, a read and a search grow with the memory?';
export const measures = TOOLKIT;

const STATES = isShort ? [50, 100, 200] : [1000, 10_000, 100_000];
/** SAVEPOINT_MILLION=1 adds the last size, which takes some minutes. */
const TRACES = [...STATES, ...(process.env['SAVEPOINT_MILLION'] === '1' ? [1_000_000] : [])];
const ROUNDS = perForm(200, 5);
const SEARCHES = perForm(50, 3);
const AT_ONCE = 2000;

interface Point {
  readonly name: string;
  readonly size: number;
  /** Median, in milliseconds. */
  readonly cost: number;
}

export async function answer(): Promise<Figure[]> {
  const points: Point[] = [];
  for (const size of STATES) points.push(...(await amongStates(size)));
  points.push(...(await amongTraces()));
  const names = [...new Set(points.map(({ name }) => name))];
  return names.flatMap((name) => {
    const own = points.filter((point) => point.name === name);
    const last = own.at(-1)?.size ?? 0;
    return [
      ...own.map(({ size, cost }) => ({
        what: `${name} among ${counted(size)}, median`,
        value: cost,
        unit: ' ms',
        curve: { name, size },
      })),
      {
        what: `${name}: exponent, up to ${counted(last)}`,
        value: fittedExponent(own),
        isHighlighted: true,
        limit: name === SEARCH ? 0.5 : 0.1,
      },
    ];
  });
}

const SEARCH = 'search the states';

async function amongStates(size: number): Promise<Point[]> {
  return inFolder(async (folder) => {
    const [vault, state] = [path.join(folder, 'vault'), path.join(folder, 'state')];
    await fs.mkdir(vault);
    await fillWithStates(vault, state, size);
    const { call, close } = openVault(vault, state);
    const search = (round: number) =>
      call('searchMemory', {
        query: `${numberIn(round, size)} logout`,
        workspaceId: 'default',
        memoryTypes: ['states'],
      });
    const written = await medianOf(ROUNDS, (round) =>
      call('createState', stateParams(`Added ${round}`)),
    );
    const read = await medianOf(ROUNDS, (round) =>
      call('loadState', { name: `State ${numberIn(round, size)}` }),
    );
    await search(0);
    const searched = await medianOf(SEARCHES, search);
    await close();
    return [
      { name: 'save a state', size, cost: written },
      { name: 'load a state', size, cost: read },
      { name: SEARCH, size, cost: searched },
    ];
  });
}

async function amongTraces(): Promise<Point[]> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    const { services, close } = openVault(vault, path.join(folder, 'state'));
    const points: Point[] = [];
    let held = 0;
    for (const size of TRACES) {
      for (; held < size; held += Math.min(AT_ONCE, size - held))
        await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, size - held) }, (_, index) =>
            writeTrace(services, held + index),
          ),
        );
      points.push({
        name: 'keep a call',
        size,
        cost: await medianOf(ROUNDS, (round) => writeTrace(services, held + round)),
      });
      held += ROUNDS;
    }
    await close();
    return points;
  });
}

async function writeTrace({ log, random }: OpenVault['services'], at: number): Promise<void> {
  const call = {
    workspaceId: 'default',
    sessionId: `session-${Math.floor(at / 40)}`,
    toolset: 'memoryManager',
    tool: 'loadState',
  };
  const d = traceData({ ...call, input: `{"name":"State ${at}"}`, outcome: 'ok', isSuccess: true });
  await log.writeTrace({ t: 'trace.new', e: createEntityId(random), d });
}

async function medianOf(
  rounds: number,
  task: (round: number) => Promise<unknown>,
): Promise<number> {
  collectGarbage();
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await timeOf(() => task(round)));
  return median(taken);
}

function numberIn(round: number, size: number): number {
  return (round * 7919) % size;
}
