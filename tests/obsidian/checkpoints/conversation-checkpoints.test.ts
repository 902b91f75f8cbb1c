import { describe, expect, it } from 'vitest';
import { CHECKPOINT_INTERVAL_MS } from '../../../src/capture/checkpoint-trace.js';
import { PAUSE_MS } from '../../../src/capture/consent.js';
import { compareText, isJsonObject } from '../../../src/model/event.js';
import type { Message, MessagePart } from '../../../src/model/message.js';
import type { Memory } from '../../../src/model/memory.js';
import { readCheckpoint } from '../../../src/model/text/checkpoint.js';
import { ConversationCheckpoints } from '../../../src/obsidian/checkpoints/conversation-checkpoints.js';
import { setPaused } from '../../../src/obsidian/checkpoints/device-capture.js';
import { createLocalCapture } from '../../../src/obsidian/checkpoints/local-capture.js';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import { readSettings } from '../../../src/obsidian/settings-schema.js';
import { createStore } from '../../../src/obsidian/store.js';
import { Scheduler } from '../../../src/platform/scheduler.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';

const MINUTE_MS = 60_000;
const CONVERSATION = { id: 'c1', workspaceId: 'default', isPrivate: false };

interface Device {
  readonly vault: TestVault;
  readonly savepoint: Savepoint;
  readonly stored: Map<string, unknown>;
}

async function openDevice(data: unknown = {}): Promise<Device> {
  const vault = createTestVault();
  const stored = new Map<string, unknown>();
  const savepoint = {
    app: {
      loadLocalStorage: (key: string) => stored.get(key) ?? null,
      saveLocalStorage: (key: string, value: unknown) => void stored.set(key, value),
    },
    clock: vault.clock,
    settings: readSettings(data),
    services: vault.toolkit.host.services,
    memory: createStore<Memory>(await vault.log.memory()),
  } as unknown as Savepoint;
  return { vault, savepoint, stored };
}

function open({ savepoint }: Device) {
  const capture = createLocalCapture(savepoint.app);
  return { capture, checkpoints: new ConversationCheckpoints(savepoint, capture) };
}

/** Returns the last messages of the checkpoints that were written, newest first. */
async function tasksIn({ vault }: Device): Promise<(string | undefined)[]> {
  await vault.idle();
  const { lines } = await readLogLines(vault.files, 'Savepoint');
  return lines
    .filter(({ event }) => isJsonObject(event.d['checkpoint']))
    .sort((a, b) => compareText(b.event.h, a.event.h))
    .map(({ event }) => readCheckpoint(event.d['checkpoint'])?.turns.at(-1)?.message);
}

let count = 0;

function asked(task: string, at = '2026-11-20T10:00:00.000Z', parts: MessagePart[] = []) {
  const message: Message = {
    id: `m${++count}`,
    conversationId: 'c1',
    parentId: undefined,
    role: 'user',
    parts: [{ type: 'text', text: task }, ...parts],
    createdAt: at,
  };
  return { conversation: CONVERSATION, path: [message] };
}

it('writes after the first turn, then after a while, and when left', async () => {
  const device = await openDevice();
  const { checkpoints } = open(device);
  await checkpoints.turnEnded(asked('one'));
  await checkpoints.turnEnded(asked('two'));
  expect(await tasksIn(device)).toEqual(['one']);
  device.vault.clock.advance(CHECKPOINT_INTERVAL_MS);
  await checkpoints.turnEnded(asked('three'));
  expect(await tasksIn(device)).toEqual(['three', 'one']);
  await checkpoints.turnEnded(asked('four'));
  await checkpoints.seal(asked('four'));
  await checkpoints.seal(asked('four'));
  expect(await tasksIn(device)).toEqual(['four', 'three', 'one']);
});

it('writes what a crash has left, at the next start', async () => {
  const device = await openDevice();
  const crashed = open(device).checkpoints;
  await crashed.turnEnded(asked('one'));
  await crashed.turnEnded(asked('two'));
  const { checkpoints } = open(device);
  const conversation = {
    ...CONVERSATION,
    title: '',
    isPinned: false,
    isArchived: false,
    createdAt: '',
  };
  const pathOf = () => Promise.resolve(asked('two').path);
  await checkpoints.sealLeft([conversation], pathOf);
  await checkpoints.sealLeft([conversation], pathOf);
  expect(await tasksIn(device)).toEqual(['two', 'one']);
  const [left] = await device.vault.log.recentCheckpoints(2);
  expect(left?.checkpoint?.client).toBe('gone');
  expect(device.stored.get('savepoint-uncaptured')).toBeNull();
});

it('writes nothing while paused, or of a private conversation', async () => {
  const device = await openDevice();
  const { capture, checkpoints } = open(device);
  await setPaused(capture, true, device.vault.clock.now());
  await checkpoints.turnEnded(asked('paused'));
  device.vault.clock.advance(PAUSE_MS);
  const secret = { ...asked('private'), conversation: { ...CONVERSATION, isPrivate: true } };
  await checkpoints.turnEnded(secret);
  await checkpoints.seal(secret);
  expect(await tasksIn(device)).toEqual([]);
  await checkpoints.turnEnded(asked('later'));
  expect(await tasksIn(device)).toEqual(['later']);
});

it('writes nothing if a state was saved since the last message', async () => {
  const device = await openDevice();
  const { checkpoints } = open(device);
  const before = new Date(device.vault.clock.now() - MINUTE_MS).toISOString();
  const state = {
    name: 'Beds',
    conversationContext: 'x',
    activeTask: 'x',
    activeFiles: [],
    nextSteps: [],
  };
  await device.vault.data('createState', state, { session: 'c1' });
  const memory = createStore(await device.vault.log.memory());
  const { checkpoints: later } = open({
    ...device,
    savepoint: { ...device.savepoint, memory },
  });
  await later.turnEnded(asked('saved', before));
  expect(await tasksIn(device)).toEqual([]);
  await checkpoints.turnEnded(asked('saved', before)); // it has not seen the state
  expect(await tasksIn(device)).toEqual(['saved']);
});

it('names no excluded folder and no absolute path', async () => {
  const device = await openDevice({ excludedFolders: ['Private'] });
  const note = (path: string): MessagePart => ({ type: 'data', source: '', text: '', path });
  const notes = [note('Private/Diary.md'), note('Beds.md')];
  const { checkpoints } = open(device);
  const text = 'See ~/plans/plan.txt, D:\\home\\b.txt and Private/Diary.md';
  await checkpoints.turnEnded(asked(text, undefined, notes));
  const [trace] = await device.vault.log.recentCheckpoints(1);
  expect(trace?.checkpoint).toMatchObject({
    turns: [{ message: 'See …/plan.txt, …/b.txt and [excluded]' }],
    read: ['Beds.md'],
    readCount: 1,
  });
  expect(JSON.stringify(trace)).not.toMatch(/Diary|home|\/vault/);
});

describe('a long conversation', () => {
  const long = () => {
    const path = Array.from({ length: 50 }, (_, at) => asked(`Plan bed ${at}`).path).flat();
    return { conversation: CONVERSATION, path };
  };
  /** Counts pauses; each slice is over at once. */
  const openSliced = (device: Device, onPause: (count: number) => void) => {
    let pauses = 0;
    const pause = () => Promise.resolve(onPause(++pauses));
    const capture = createLocalCapture(device.savepoint.app);
    const scheduler = new Scheduler(device.vault.clock, pause, -1);
    return {
      capture,
      checkpoints: new ConversationCheckpoints(device.savepoint, capture, scheduler),
    };
  };

  it('lets the window paint before and after each message', async () => {
    const device = await openDevice();
    let pauses = 0;
    const { checkpoints } = openSliced(device, (count) => (pauses = count));
    await checkpoints.turnEnded(long());
    expect(await tasksIn(device)).toEqual(['Plan bed 49']);
    expect(pauses).toBe(51);
  });

  it('is not written if the user pauses meanwhile', async () => {
    const device = await openDevice();
    const { capture, checkpoints } = openSliced(device, (count) => {
      if (count === 25) void setPaused(capture, true, device.vault.clock.now());
    });
    await checkpoints.turnEnded(long());
    expect(await tasksIn(device)).toEqual([]);
  });
});
