import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { traceData } from '../../src/model/trace.js';
import { createEntityId } from '../../src/platform/random.js';
import { collectGarbage, inFolder, median, perForm, timeOf, type Figure } from './lib.js';
import { fillWithStates, openVault } from './vault.js';

export const question =
  'What does a log of 1,000,000 events cost, 50,000 of them in the core lane?';
export const measures = ['src'];

const CORE = perForm(50_000, 200);
const TRACES = perForm(950_000, 4000);
const AT_ONCE = 2000;
const BOOTS = perForm(5, 1);
const HEAP_MB = 300;
const APPENDS = perForm(2000, 20);
const CLIENTS = perForm(200, 5);
const EVENTS_EACH = perForm(100, 2);
const SYNCED = perForm(300, 5);
const program = fileURLToPath(new URL('../../main.js', import.meta.url));

export async function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const [vault, state] = [path.join(folder, 'vault'), path.join(folder, 'state')];
    await fs.mkdir(vault);
    await fillWithStates(vault, state, CORE);
    const { services, close } = openVault(vault, state);
    for (let at = 0; at < TRACES; at += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => writeTrace(services, at + index)),
      );
    const appends = await medianOf(APPENDS, (at) => writeTrace(services, at));
    const line = Buffer.alloc(await lineLength(vault), 120);
    const bare = path.join(folder, 'bare.jsonl');
    const bareAppends = await medianOf(APPENDS, () => fs.appendFile(bare, line));
    const grouped = await eventsPerSecond(CLIENTS * EVENTS_EACH, () =>
      Promise.all(Array.from({ length: CLIENTS }, (_, client) => writeOneByOne(services, client))),
    );
    const synced = await eventsPerSecond(SYNCED, () => appendDurably(bare, line, SYNCED));
    await close();
    return [
      {
        what: 'boot of the core lane, median',
        value: (await medianBoot(vault, folder)) / 1000,
        limit: 1.5,
        unit: ' s',
      },
      {
        what: `its first call with a heap of ${HEAP_MB} MB at most: exit code`,
        value: callWithSmallHeap(vault, folder),
        limit: 0,
      },
      { what: 'append without waiting for the disk, median', value: appends, unit: ' ms' },
      { what: 'bare append, median', value: bareAppends, unit: ' ms' },
      { what: 'ratio', value: appends / bareAppends, limit: 3 },
      { what: `durable events of ${CLIENTS} clients at once, a second`, value: grouped },
      { what: 'bare append and fdatasync of each, a second', value: synced },
      { what: 'ratio', value: grouped / synced, least: 50 },
    ];
  });
}

type Services = ReturnType<typeof openVault>['services'];

async function writeTrace({ log, random }: Services, at: number): Promise<void> {
  const call = {
    workspaceId: 'default',
    sessionId: `session-${Math.floor(at / 40)}`,
    toolset: 'memoryManager',
    tool: 'loadState',
  };
  const d = traceData({
    ...call,
    input: `{"name":"State ${at % CORE}"}`,
    outcome: 'ok',
    isSuccess: true,
  });
  await log.writeTrace({ t: 'trace.new', e: createEntityId(random), d });
}

async function lineLength(vault: string): Promise<number> {
  const lane = path.join(vault, 'Savepoint', 'trace');
  const name = (await fs.readdir(lane, { recursive: true })).find((other) =>
    other.endsWith('.jsonl'),
  );
  if (name === undefined) throw new Error('No call was kept');
  const bytes = await fs.readFile(path.join(lane, name));
  return Math.round(bytes.length / bytes.filter((byte) => byte === 10).length);
}

async function writeOneByOne({ log, random }: Services, client: number): Promise<void> {
  for (let at = 0; at < EVENTS_EACH; at++) {
    const d = {
      ws: 'default',
      name: `${client} ${at}`,
      conversationContext: 'c',
      activeTask: 't',
      activeFiles: [],
      nextSteps: [],
    };
    await log.write(() => ({
      drafts: [{ t: 'state.new', e: createEntityId(random), d }],
      answer: undefined,
    }));
  }
}

async function appendDurably(file: string, bytes: Uint8Array, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    const handle = await fs.open(file, 'a');
    await handle.write(bytes);
    await handle.datasync();
    await handle.close();
  }
}

async function eventsPerSecond(events: number, task: () => Promise<unknown>): Promise<number> {
  return (events * 1000) / (await timeOf(task));
}

async function medianOf(times: number, task: (at: number) => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let at = 0; at < times; at++) taken.push(await timeOf(() => task(at)));
  return median(taken);
}

function medianBoot(vault: string, folder: string): Promise<number> {
  return medianOf(BOOTS, async (round) => {
    collectGarbage();
    const { services, close } = openVault(vault, path.join(folder, `other ${round}`));
    await services.log.memory();
    await close();
  });
}

function callWithSmallHeap(vault: string, folder: string): number {
  const args = [
    `--max-old-space-size=${HEAP_MB}`,
    program,
    'call',
    'loadState',
    '--json',
    '{"name":"State 7"}',
  ];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...args, '--vault', vault, '--state', path.join(folder, 'small')],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) console.error(stderr.slice(-500));
  return status ?? 1;
}
