import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import {
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
import { fillWithStates } from './vault.js';
import {
  entityOf,
  fillServerMemory,
  ourCommand,
  serverMemoryCommand,
  withServer,
  type Connected,
} from './peers.js';

export const question =
  'What do a write, a read and a search cost compared with server-memory, over stdio, with the same client?';
export const measures = ['src'];

const SIZES = isShort ? [10, 100] : [100, 1000, 10_000];
/** How many times as fast each operation must be, by size. */
const LEAST: Readonly<Record<number, number>> = { 100: 1 / 1.5, 1000: 1 };
/** The same for the first search of a process. */
const LEAST_AT_FIRST: Readonly<Record<number, number>> = { 100: 3 / 60, 10_000: 47 / 150 };
const ROUNDS = perForm(240, 4);
/** Consecutive calls to one side before switching; the first turn is a warm-up. */
const TURN = perForm(60, 2);

interface Request {
  readonly tool: string;
  readonly params: Record<string, unknown>;
}

/** One operation that both servers perform. */
interface Task {
  readonly what: string;
  readonly isLimited?: boolean;
  readonly rounds?: number;
  /** Untimed preparation on both sides. */
  readonly before?: (round: number) => Pair;
  readonly request: (round: number) => Pair;
  /** Text that the answers must contain. */
  readonly expected?: (round: number) => string;
}

interface Pair {
  readonly ours: Request;
  readonly theirs: Request;
}

interface Cost {
  readonly what: string;
  readonly ours: number;
  readonly theirs: number;
}

export async function answer(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const writes: { size: number; cost: number }[] = [];
  for (const size of SIZES) {
    const tasks = tasksAmong(size);
    for (const [at, { what, ours, theirs }] of (await compare(size, tasks)).entries()) {
      const among = `among ${counted(size)} states: ${what}`;
      figures.push(
        { what: `${among}, median`, value: ours, unit: ' ms' },
        { what: `${among}, server-memory, median`, value: theirs, unit: ' ms' },
        {
          what: `${among}, times faster than server-memory`,
          value: theirs / ours,
          ...leastOf(tasks[at], size),
        },
      );
      if (at === 0) writes.push({ size, cost: ours });
    }
  }
  const growth = {
    what: `growth of the cost of a write, from ${SIZES[0]} states to ${counted(SIZES.at(-1) ?? NaN)}: exponent`,
    value: fittedExponent(writes),
  };
  return [...figures, { ...growth, limit: 0.1, isHighlighted: true }];
}

/** Returns the bound of a task; the first search of a process is none of the tasks. */
function leastOf(task: Task | undefined, size: number): Partial<Figure> {
  if (task?.isLimited === true && size === SIZES.at(-1)) return { least: 20, isHighlighted: true };
  const least = (task ? LEAST : LEAST_AT_FIRST)[size];
  return least === undefined ? {} : { least };
}

function tasksAmong(size: number): Task[] {
  // All numbers have the same number of digits, so no name contains another, and names that are
  // added have other words.
  const numberOf = (round: number) => size / 10 + ((round * 7919) % (size - size / 10));
  const nameOf = (round: number) => `State ${numberOf(round)}`;
  const save = (name: string): Pair => ({
    ours: { tool: 'createState', params: stateParams(name) },
    theirs: { tool: 'create_entities', params: { entities: [entityOf(stateParams(name))] } },
  });
  const read = (name: string): Pair => ({
    ours: { tool: 'loadState', params: { name } },
    theirs: { tool: 'open_nodes', params: { names: [name] } },
  });
  const find = { request: (round: number) => searchFor(String(numberOf(round))), expected: nameOf };
  return [
    { what: 'save one more', isLimited: true, request: (round) => save(`Added n${round}`) },
    {
      what: 'read one',
      isLimited: true,
      request: (round) => read(nameOf(round)),
      expected: nameOf,
    },
    { what: 'find one', ...find },
    {
      what: 'find one just after a save',
      before: (round) => save(`Added before n${round}`),
      ...find,
    },
  ];
}

function searchFor(query: string): Pair {
  return {
    ours: {
      tool: 'searchMemory',
      params: { query, workspaceId: 'default', memoryTypes: ['states'] },
    },
    theirs: { tool: 'search_nodes', params: { query } },
  };
}

function compare(size: number, tasks: readonly Task[]): Promise<Cost[]> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await fs.mkdir(vault);
    await fillWithStates(vault, path.join(folder, 'filling'), size);
    const states = Array.from({ length: size }, (_, at) => stateParams(`State ${at}`));
    await fillServerMemory(folder, states);
    const costs = await withServer(ourCommand(folder), (ours) =>
      withServer(serverMemoryCommand(folder), async (theirs) => {
        const costs: Cost[] = [];
        for (const task of tasks) costs.push(await measure(task, ours, theirs));
        return costs;
      }),
    );
    return [...costs, await measureFirstSearch(folder, size)];
  });
}

/** Number of processes of each side whose first search is timed. */
const STARTS = perForm(7, 1);

/** Measures the first search of a new process, after an earlier one has indexed everything. */
async function measureFirstSearch(folder: string, size: number): Promise<Cost> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  const commands = { ours: ourCommand(folder), theirs: serverMemoryCommand(folder) };
  for (let start = -1; start < STARTS; start++)
    for (const side of ['ours', 'theirs'] as const)
      await withServer(commands[side], async ({ call }) => {
        const { tool, params } = searchFor(String(size / 2 + start))[side];
        const time = await timeOf(() => call(tool, params));
        if (start >= 0) times[side].push(time);
      });
  return {
    what: 'find one, first search of a process',
    ours: median(times.ours),
    theirs: median(times.theirs),
  };
}

/** Measures a task, alternating between both sides so that load on the machine affects both. */
async function measure(
  { what, rounds = ROUNDS, before, request, expected }: Task,
  ours: Connected,
  theirs: Connected,
): Promise<Cost> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  const servers = { ours, theirs };
  const ask = (side: 'ours' | 'theirs', { tool, params }: Request) =>
    servers[side].call(tool, params);
  const isWarm = rounds === 1;
  for (let first = isWarm ? 0 : -TURN; first < rounds; first += TURN) {
    for (const side of ['ours', 'theirs'] as const) {
      for (let round = first; round < Math.min(first + TURN, rounds); round++) {
        if (before) await ask(side, before(round + TURN)[side]);
        let answer = '';
        const time = await timeOf(
          async () => (answer = await ask(side, request(round + TURN)[side])),
        );
        if (expected && !answer.includes(expected(round + TURN)))
          throw new Error(`${what}: no "${expected(round + TURN)}" in ${answer.slice(0, 200)}`);
        if (round >= 0) times[side].push(time);
      }
    }
  }
  return { what, ours: median(times.ours), theirs: median(times.theirs) };
}
