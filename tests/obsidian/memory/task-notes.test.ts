import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import type { Memory } from '../../../src/model/memory.js';
import { lookupWorkspace } from '../../../src/model/lookup.js';
import { lookupRecord } from '../../../src/model/records/lookup-record.js';
import { NoteMirror } from '../../../src/obsidian/memory/mirror/note-mirror.js';
import type { MemoryStatus, Savepoint } from '../../../src/obsidian/savepoint.js';
import { createStore } from '../../../src/obsidian/store.js';
import { createTestClock, createTestRandom } from '../../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { createTestVault, garden } from '../../fakes/test-vault.js';
import { becomeRenderer } from '../../host/node-window.js';
import { startHost } from '../../host/obsidian/start.js';
import { createFolder } from '../../node/folders.js';
import { inFull, perTier, SEED } from '../../tier.js';

vi.mock('obsidian', () => import('../../host/obsidian/documented.js'));
becomeRenderer({ storageFile: join(createFolder(), 'storage.json'), require: null });

const NOTE = 'Savepoint/notes/Garden/Tasks.md';
const TITLES = ['Dig', 'Sow', 'Water'];

type Device = Awaited<ReturnType<typeof openDevice>>;

/** A device while its app is closed: its log, and its note of tasks. */
interface Closed {
  readonly seed: number;
  readonly files: MemoryFiles;
  note: string;
}

/** A device whose mirror is on, with real tools and a real log over files of its own. */
async function openDevice({ seed, files, note }: Closed) {
  const clock = createTestClock();
  const vault = createTestVault({ files, seed, clock });
  const host = await startHost(note === '' ? {} : { [NOTE]: note });
  const { app } = host;
  app.saveLocalStorage('savepoint-mirror', true);
  const memory = createStore(await vault.log.memory());
  const refresh = async () => memory.set(await vault.log.memory());
  const call = async (tool: string, params: JsonObject, workspaceId: string) => {
    const answer = await vault.call(tool, params, { defaults: { sessionId: 'app', workspaceId } });
    await refresh();
    return answer;
  };
  const memoryStatus = createStore<MemoryStatus>({ phase: 'ready' });
  const device = { program: 'Test', name: () => 'Laptop' };
  const random = createTestRandom(seed + 100);
  const services = { dataFolder: 'Savepoint', log: vault.log, device, random };
  const opened = { services, memory, memoryStatus, refresh, call };
  const errors: unknown[] = [];
  const mirror = new NoteMirror({
    app: app as never,
    savepoint: createStore<Savepoint | undefined>(opened as unknown as Savepoint),
    clock,
    yieldToHost: () => Promise.resolve(),
    report: (error) => errors.push(error),
  });
  const stop = mirror.start();
  /** Runs the passes that are due within 100 seconds, after which every change counts. */
  const settle = async () => {
    for (let pass = 0; pass < 5; pass++) {
      clock.advance(20_000);
      await mirror.whenIdle();
    }
    expect(errors).toEqual([]);
  };
  const read = () => app.vault.adapter.read(NOTE);
  await settle();
  return {
    app,
    vault,
    clock,
    files,
    refresh,
    settle,
    read,
    async quit() {
      stop();
      await host.dispose();
      await vault.log.close();
    },
    /** Changes the status of a task as another view of the app does. */
    async update(title: string, status: string) {
      await vault.data('updateRecord', { title, status, workspaceId: 'Garden' });
      await refresh();
      await settle();
    },
    edit: (change: (text: string) => string) =>
      app.vault.process(app.vault.getFileByPath(NOTE)!, change),
    statusOf: (title: string) => statusIn(memory.get(), title),
    notes: () =>
      app.vault
        .getMarkdownFiles()
        .map(({ path }) => path)
        .filter((path) => !path.includes('/Records/'))
        .sort(),
  };
}

function statusIn(memory: Memory, title: string): string | undefined {
  const found = lookupWorkspace(memory, 'Garden');
  const record = 'item' in found && lookupRecord(memory, found.item.item.id, title);
  return record && 'record' in record ? record.record.status : undefined;
}

/** The text with the box of a task ticked or not, as the app changes it. */
const boxed = (title: string, isTicked: boolean) => (text: string) =>
  text.replace(new RegExp(`^- \\[.\\] ${title}\\b`, 'mu'), `- [${isTicked ? 'x' : ' '}] ${title}`);

/** The boxes of a note by title. */
const boxesIn = (text: string): Record<string, boolean> =>
  Object.fromEntries(
    [...text.matchAll(/^- \[(.)\] (\w+)/gmu)].map(([, box, title = '']): [string, boolean] => [
      title,
      box === 'x',
    ]),
  );

const notices = () =>
  Array.from(document.querySelectorAll('.notice-message'), (el) => el.textContent);

/** A device with three open tasks in the workspace "Garden". */
async function gardener(): Promise<Closed> {
  const files = createMemoryFiles();
  const vault = createTestVault({ files });
  await vault.data('createWorkspace', garden);
  for (const title of TITLES) await vault.data('createRecord', { resource: 'issue', title });
  await vault.log.close();
  return { seed: 2, files, note: '' };
}

/** Opens a device until the end of the test. */
async function openGarden(): Promise<Device> {
  const device = await openDevice(await gardener());
  onTestFinished(() => device.quit());
  return device;
}

/** Opens a device for a task. Only one app can be open in a window. */
async function use(device: Closed, task: (open: Device) => Promise<unknown>): Promise<void> {
  const open = await openDevice(device);
  try {
    await task(open);
    device.note = await open.read();
    expect(open.notes()).toEqual([NOTE]);
  } finally {
    await open.quit();
  }
}

/** Brings the log of each device to the other one, as a sync service does. */
function syncLogs(devices: readonly Closed[]): void {
  for (const from of devices)
    for (const path of from.files.paths())
      for (const { files } of devices)
        if (files !== from.files && from.files.text(path).length > files.text(path).length)
          files.put(path, from.files.text(path));
}

const tick = (device: Device, title: string, isTicked = true) =>
  device.edit(boxed(title, isTicked));

describe('a box of a task', () => {
  test('marks it done when it is ticked, and opens it again when it is unticked', async () => {
    const device = await openGarden();
    await tick(device, 'Sow');
    await device.settle();
    expect(device.statusOf('Sow')).toBe('done');
    expect(boxesIn(await device.read())).toEqual({ Dig: false, Water: false, Sow: true });
    expect(await device.read()).toMatch(/\n- \[ \] Dig \S+\n- \[x\] Sow \S+\n- \[ \] Water/u);
    await tick(device, 'Sow', false);
    await device.settle();
    expect(device.statusOf('Sow')).toBe('open');
    expect(boxesIn(await device.read())).toEqual({ Dig: false, Sow: false, Water: false });
    expect(device.notes()).toEqual([NOTE]);
  });

  test('archives several tasks whose lines are removed with one notice, which undoes it', async () => {
    const device = await openGarden();
    await device.edit((text) => text.replace(/^- \[ \] (?:Dig|Water).*\n/gmu, ''));
    await device.settle();
    expect(boxesIn(await device.read())).toEqual({ Sow: false });
    expect(notices().at(-1)).toBe('Updated 2 tasks.');
    const buttons = document.querySelectorAll<HTMLElement>(
      '.notice .savepoint-notice-buttons button',
    );
    buttons[buttons.length - 1]!.click();
    await vi.waitFor(async () => {
      await device.settle();
      expect(boxesIn(await device.read())).toEqual({ Dig: false, Sow: false, Water: false });
    });
    expect(TITLES.map((title) => device.statusOf(title))).toEqual(['open', 'open', 'open']);
  });

  test('follows the memory when the task is changed elsewhere', async () => {
    const device = await openGarden();
    await device.update('Dig', 'done');
    expect(boxesIn(await device.read())).toEqual({ Sow: false, Water: false, Dig: true });
    await device.update('Dig', 'open');
    expect(boxesIn(await device.read())).toEqual({ Dig: false, Sow: false, Water: false });
    expect(device.statusOf('Dig')).toBe('open');
  });

  test('is read at the next start if it was ticked while the plugin was off', async () => {
    const device = await gardener();
    await use(device, (open) => open.settle());
    device.note = boxed('Water', true)(device.note);
    await use(device, ({ statusOf }) => {
      expect(statusOf('Water')).toBe('done');
      return Promise.resolve();
    });
    expect(boxesIn(device.note)).toEqual({ Dig: false, Sow: false, Water: true });
  });

  test('is read in a note that is edited otherwise, which stays as it is', async () => {
    const device = await openGarden();
    await device.edit((text) => `${boxed('Dig', true)(text)}\nMine\n- [ ] Buy a spade\n`);
    await device.settle();
    expect(device.statusOf('Dig')).toBe('done');
    expect(device.statusOf('Buy a spade')).toBe('open');
    expect(await device.read()).toMatch(/\nMine\n- \[ \] Buy a spade \^sp-\w{8}\n$/u);
    expect(device.notes()).toEqual([NOTE]);
  });

  test('brings a task back that was archived meanwhile', async () => {
    const device = await openGarden();
    await device.vault.data('archiveRecord', { title: 'Sow', workspaceId: 'Garden' });
    await tick(device, 'Sow');
    await device.refresh();
    await device.settle();
    expect(device.statusOf('Sow')).toBe('done');
    expect(boxesIn(await device.read())).toEqual({ Dig: false, Sow: true, Water: false });
    expect(device.notes()).toEqual([NOTE]);
  });

  for (const [loss, cut] of [
    ['lost its properties', (note: string) => note.replace(/^---\n[^]*?\n---\n+/u, '')],
    ['lost the start of its properties', (note: string) => note.replace('---\n', '')],
    ['has other properties', (note: string) => note.replace(/^savepoint: .*$/mu, 'tags: mine')],
  ] as const)
    test(`is read in a note that ${loss}`, async () => {
      const device = await openGarden();
      await device.edit((text) => `${boxed('Dig', true)(cut(text))}- [ ] Weed\n`);
      await device.settle();
      expect(device.statusOf('Dig')).toBe('done');
      expect(device.statusOf('Weed')).toBe('open');
      await device.update('Sow', 'done');
      expect(boxesIn(await device.read())).toMatchObject({ Dig: true, Sow: true, Weed: false });
      expect(device.notes()).toEqual([NOTE]);
    });

  test('is written again in a note that was emptied', async () => {
    const device = await openGarden();
    const before = await device.read();
    await device.edit(() => '\n');
    await device.settle();
    expect(await device.read()).toBe(before);
    expect(TITLES.map((title) => device.statusOf(title))).toEqual(['open', 'open', 'open']);
    expect(device.notes()).toEqual([NOTE]);
  });

  test('is not read in a closed note that another program replaced, which is said once', async () => {
    const device = await openGarden();
    await device.edit(() => 'My list\n- [ ] Weed\n');
    await device.settle();
    await device.edit((text) => `${text}more\n`);
    await device.settle();
    expect(notices().filter((said) => said?.startsWith(`Nothing in "${NOTE}" is`))).toHaveLength(1);
    expect(await device.read()).toBe('My list\n- [ ] Weed\nmore\n');
    expect(device.statusOf('Weed')).toBeUndefined();
  });

  test('waits for a task that has not arrived on this device', async () => {
    const one = await gardener();
    const other: Closed = { seed: 3, files: createMemoryFiles(), note: '' };
    syncLogs([one, other]);
    await use(one, async ({ vault, refresh, settle }) => {
      await vault.data('createRecord', {
        resource: 'issue',
        title: 'Weed',
        workspaceId: 'Garden',
      });
      await refresh();
      await settle();
    });
    other.note = boxed('Weed', true)(one.note);
    await use(other, async (open) => expect(await open.read()).toBe(other.note));
    syncLogs([one, other]);
    await use(other, ({ statusOf }) => {
      expect(statusOf('Weed')).toBe('done');
      return Promise.resolve();
    });
    expect(boxesIn(other.note)).toMatchObject({ Weed: true });
  });
});

interface Step {
  readonly act: string;
  readonly device: number;
  readonly title: string;
}

const step = fc.record({
  act: fc.constantFrom('tick', 'untick', 'done', 'open', 'offline', 'sync', 'carry'),
  device: fc.nat(1),
  title: fc.constantFrom(...TITLES),
});

const testInFull = test.runIf(inFull('random steps, each of which opens an app'));

testInFull(
  'two devices that tick and sync in any order end with the same tasks, and no copies',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const devices = [
          await gardener(),
          { seed: 3, files: createMemoryFiles(), note: '' },
        ] as const;
        syncLogs(devices);
        for (const each of steps) await take(devices, each);
        for (let round = 0; round < 2; round++)
          for (const each of devices) {
            await use(each, () => Promise.resolve()); // reads what was ticked last
            syncLogs(devices);
          }
        const ends: unknown[] = [];
        for (const each of devices)
          await use(each, async ({ statusOf, read }) => {
            ends.push(TITLES.map((title) => statusOf(title)));
            const boxes = boxesIn(await read());
            expect(TITLES.map((title) => (boxes[title] ? 'done' : 'open'))).toEqual(ends.at(-1));
          });
        expect(ends[0]).toEqual(ends[1]);
      }),
      { numRuns: perTier(0, 25, 500), seed: SEED },
    );
  },
);

/** Takes a step; whatever a person does takes effect on the device. */
async function take(devices: readonly Closed[], { act, device, title }: Step): Promise<void> {
  const [here, there] = [devices[device]!, devices[1 - device]!];
  if (act === 'sync') return syncLogs(devices);
  if (act === 'carry') {
    // the note arrives before the log does
    there.note = here.note;
    return;
  }
  if (act === 'offline') {
    here.note = boxed(title, here.seed === 2)(here.note);
    return;
  }
  await use(here, async (open) => {
    if (act === 'done' || act === 'open') await open.update(title, act);
    else {
      await tick(open, title, act === 'tick');
      await open.settle();
    }
    expect(open.statusOf(title)).toBe(act === 'tick' || act === 'done' ? 'done' : 'open');
  });
}
