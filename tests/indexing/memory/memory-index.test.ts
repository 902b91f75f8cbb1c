import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openPersistentIndex } from '../../../src/indexing/persistence/persistent-index.js';
import { MemoryIndex, type MemoryLog } from '../../../src/indexing/memory/memory-index.js';
import { restoreStateInLog } from '../../../src/agents/shared/restore-state.js';
import type { LogEvent } from '../../../src/model/event.js';
import { workspaceById } from '../../../src/model/lookup.js';
import { emptyMemory } from '../../../src/model/memory.js';
import { traceOf } from '../../../src/model/trace.js';
import type { Blobs } from '../../../src/platform/blobs.js';
import { EventIndex } from '../../../src/storage/read/event-index.js';
import { createTestClock, createTestRandom } from '../../fakes/deterministic.js';
import { clockText, eventOf } from '../../fakes/events.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';

const NAMES = ['Plan', 'plan two', 'Plan three', 'Plan four'];

const anyStep = fc.record({
  what: fc.constantFrom('save', 'archive', 'restore', 'load', 'search'),
  name: fc.constantFrom(...NAMES),
  device: fc.nat(1),
});

async function take(vault: TestVault, what: string, name: string): Promise<void> {
  if (what === 'save') await vault.call('createState', stateNamed(name));
  else if (what === 'archive') await vault.call('archiveState', { name });
  else if (what === 'load') await vault.call('loadState', { name });
  else if (what === 'search') await found(vault);
  else
    await restoreStateInLog(
      vault.toolkit.host.services,
      workspaceById(await vault.log.memory(), 'default'),
      name,
    ).catch(() => undefined);
}

async function found(vault: TestVault): Promise<string[]> {
  await vault.idle();
  const rows = (await vault.data('searchMemory', {
    query: 'plan',
    workspaceId: 'default',
    limit: 100,
  })) as Record<string, unknown>[];
  return rows
    .map(
      ({ type, name, tool, createdAt }) =>
        `${String(type)} ${String(name ?? tool)} ${String(createdAt)}`,
    )
    .sort();
}

it('a memory index matches a new one after any changes by two devices', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 14 }), async (steps) => {
      const files = createMemoryFiles();
      const devices = [createTestVault({ files, seed: 1 }), createTestVault({ files, seed: 2 })];
      for (const { what, name, device } of steps) await take(devices[device]!, what, name);
      for (const each of devices) await each.idle();
      expect(await found(devices[0]!)).toEqual(await found(createTestVault({ files, seed: 3 })));
    }),
    { numRuns: 60 },
  );
});

it('a memory index persists after the next change if a merge fails', async () => {
  const vault = createTestVault();
  const { log, clock, random } = vault.toolkit.host.services;
  let [isBroken, saves] = [true, 0];
  const open = async () => {
    const options = {
      blobs: undefined,
      name: 'memory',
      dimensions: 1,
      embedderId: '',
      random,
      warn: () => undefined,
    };
    const opened = await openPersistentIndex(options);
    const { index } = opened;
    const mergeSteps = index.mergeSteps.bind(index);
    const persist = opened.persist.bind(opened);
    index.mergeSteps = () => {
      if (isBroken) throw new Error('Broken');
      return mergeSteps();
    };
    opened.persist = (metadata) => {
      saves++;
      return persist(metadata);
    };
    return opened;
  };
  const index = new MemoryIndex({
    log,
    open,
    embedder: undefined,
    maxVectors: 0,
    scheduler: NOOP_SCHEDULER,
    clock,
  });
  const save = async (name: string) => {
    await vault.call('createState', stateNamed(name));
    const { states } = await index.catchUpEntities(['default']);
    vault.clock.advance(5000);
    await new Promise((resolve) => setTimeout(resolve));
    return [states[0]?.size, saves];
  };
  expect(await save('One')).toEqual([1, 0]);
  isBroken = false;
  expect(await save('Two')).toEqual([2, 1]);
});

it('a memory index goes on after an embedder that could not be opened', async () => {
  const vault = createTestVault();
  const { log, clock, random } = vault.toolkit.host.services;
  await vault.call('createState', stateNamed('One'));
  const shared = { dimensions: 1, embedderId: 'e', random, warn: () => undefined };
  let attempts = 0;
  const index = new MemoryIndex({
    log,
    open: () => openPersistentIndex({ ...shared, blobs: undefined, name: 'memory' }),
    embedder: {
      id: 'e',
      dimensions: 1,
      isOpen: () => false,
      restore: () => Promise.resolve(),
      openSteps() {
        attempts++;
        throw new Error('Broken');
      },
    },
    maxVectors: 100,
    scheduler: NOOP_SCHEDULER,
    clock,
  });
  for (const expected of [1, 2]) {
    await index.catchUpEntities(['default']);
    vault.clock.advance(5000);
    await new Promise((resolve) => setTimeout(resolve));
    expect(attempts).toBe(expected);
  }
});

/** Creates files of calls, and a log that has read them. */
function createCalls() {
  const files = new Map<string, LogEvent[]>();
  let places = new EventIndex('trace');
  const located = (events: readonly LogEvent[]) =>
    events.map((event, at) => ({ event, from: at * 10, to: at * 10 + 9 }));
  const log: MemoryLog = {
    memory: () => Promise.resolve(emptyMemory),
    traceList: (id) => places.listOf(id),
    tracesAt: (entries) =>
      Promise.resolve(entries.map(({ path, from }) => traceOf(files.get(path)![from / 10]!))),
  };
  return {
    log,
    paths: () => [...files.keys()],
    eventsOf: (path: string) => files.get(path) ?? [],
    add(path: string, event: LogEvent) {
      const before = files.get(path) ?? [];
      files.set(path, [...before, event]);
      places.update(path, located([...before, event]).slice(-1), false);
    },
    change(path: string, change: (events: readonly LogEvent[]) => LogEvent[]) {
      const events = change(files.get(path) ?? []);
      if (events.length > 0) files.set(path, events);
      else files.delete(path);
      places.update(path, located(events), true);
    },
    restart() {
      places = new EventIndex('trace');
      for (const [path, events] of files) places.update(path, located(events), true);
    },
  };
}

const WORDS = ['anvil', 'bellows', 'crucible', 'dynamo'];

function callAt(minute: number, device: string, n: number): LogEvent {
  const toolset = minute % 6 === 5 ? 'searchManager' : 'memoryManager';
  const d = {
    ws: 'default',
    session: '',
    toolset,
    tool: 'loadState',
    input: `${WORDS[minute % WORDS.length]!} ${minute}`,
    outcome: 'ok',
  };
  return eventOf({
    t: 'trace.new',
    e: `call-${device}-${n}`,
    w: device,
    n,
    h: clockText(minute),
    d,
  });
}

function indexOf(
  log: MemoryLog,
  blobs: Blobs | undefined,
  seed: number,
  onLookup: (key: string) => void = () => undefined,
): MemoryIndex {
  const open = async () => {
    const opened = await openPersistentIndex({
      blobs,
      name: 'memory',
      dimensions: 1,
      embedderId: '',
      random: createTestRandom(seed),
      warn: () => undefined,
    });
    const hashOf = opened.index.hashOf.bind(opened.index);
    opened.index.hashOf = (key) => {
      onLookup(key);
      return hashOf(key);
    };
    return opened;
  };
  return new MemoryIndex({
    log,
    open,
    embedder: undefined,
    maxVectors: 0,
    scheduler: NOOP_SCHEDULER,
    clock: createTestClock(),
  });
}

/** Returns the hits of each word, and the size and progress of the index. */
async function foundIn(index: MemoryIndex): Promise<unknown> {
  const { index: opened, traces, remaining } = await index.catchUp('default');
  const hits = WORDS.map((word) =>
    opened.index
      .search(word, { limit: 100 })
      .map(({ key, score }) => [key, score, traces.has(key)]),
  );
  return { hits, remaining, size: opened.index.size(), progress: await index.progress('default') };
}

it('a memory index drops deleted calls after a restart, even as neighbors', async () => {
  const calls = createCalls();
  const blobs = createMemoryBlobs();
  for (let at = 0; at < 12; at++) calls.add(`file ${Math.floor(at / 4)}`, callAt(at, 'a', at + 1));
  const first = indexOf(calls.log, blobs, 1);
  await foundIn(first);
  await first.close();
  calls.change('file 1', () => []);
  calls.restart();
  const again = indexOf(calls.log, blobs, 2);
  const wanted = await foundIn(indexOf(calls.log, undefined, 3));
  expect(wanted).toMatchObject({ size: 7, remaining: 0, progress: { done: 8, total: 8 } });
  expect(await foundIn(again)).toEqual(wanted);
});

it('a memory index indexes nothing after a restart without changes', async () => {
  const calls = createCalls();
  const blobs = createMemoryBlobs();
  for (let at = 0; at < 12; at++) calls.add('file', callAt(at, 'a', at + 1));
  const first = indexOf(calls.log, blobs, 1);
  const found = await foundIn(first);
  await first.close();
  calls.restart();
  const reads: number[] = [];
  const tracesAt: MemoryLog['tracesAt'] = (entries) => {
    reads.push(entries.length);
    return calls.log.tracesAt(entries);
  };
  const again = indexOf({ ...calls.log, tracesAt }, blobs, 2);
  expect(await again.progress('default')).toEqual({ done: 12, total: 12 });
  expect([await foundIn(again), reads]).toEqual([found, []]);
});

it('a memory index matches the log after any changes and restarts', async () => {
  const step = fc.record({
    what: fc.constantFrom(
      'add',
      'add',
      'add',
      'look',
      'look',
      'start',
      'remove',
      'shorten',
      'insert',
      'copy',
      'rewrite',
    ),
    device: fc.constantFrom('a', 'b'),
    gap: fc.nat(3),
    which: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const calls = createCalls();
      const blobs = createMemoryBlobs();
      const last = { a: [0, 0], b: [0, 0] } as Record<string, [number, number]>;
      let [index, starts, files] = [indexOf(calls.log, blobs, 1), 1, 0];
      for (const { what, device, gap, which } of steps) {
        const own = last[device]!;
        const path = calls.paths()[which % Math.max(1, calls.paths().length)];
        if (what === 'add') {
          own[0] += 1 + gap;
          calls.add(`${device}${Math.floor(own[1] / 4)}`, callAt(own[0], device, ++own[1]));
        } else if (what === 'look') await foundIn(index);
        else if (what === 'start') {
          await index.close();
          calls.restart();
          index = indexOf(calls.log, blobs, ++starts);
        } else if (path === undefined) continue;
        else if (what === 'remove') calls.change(path, () => []);
        else if (what === 'shorten') calls.change(path, (events) => events.slice(1));
        else if (what === 'insert') {
          const event = callAt(gap + which, 'c', 100 + ++files);
          calls.change(path, (events) => [event, ...events]);
        } else if (what === 'copy')
          calls.change(`copy ${++files}`, () => [...calls.eventsOf(path)]);
        else calls.change(path, (events) => events.map((event) => callAt(which, event.w, event.n)));
      }
      const wanted = (await foundIn(indexOf(calls.log, undefined, 99))) as object;
      expect(await foundIn(index)).toEqual(wanted);
      await index.close();
      calls.restart();
      expect(await foundIn(indexOf(calls.log, blobs, 100))).toEqual(
        await foundIn(indexOf(calls.log, undefined, 101)),
      );
    }),
    { numRuns: 300 },
  );
});

/** Returns the names of the states that a search finds. */
async function foundStates(index: MemoryIndex): Promise<string[]> {
  await index.catchUp('default'); // also removes what is no longer in the log
  const { index: opened, states } = await index.catchUpEntities(['default']);
  const hits = opened.index.search('plan', { limit: 100 });
  return hits.map(({ key }) => states[0]?.get(key)?.read()?.item.name ?? `unknown ${key}`).sort();
}

it('a memory index looks up no state after a restart without changes', async () => {
  const vault = createTestVault();
  const blobs = createMemoryBlobs();
  for (const name of NAMES) await vault.call('createState', stateNamed(name));
  const log = { ...createCalls().log, memory: () => vault.log.memory() };
  const first = indexOf(log, blobs, 1);
  const names = await foundStates(first);
  await first.close();
  const lookups: string[] = [];
  const again = indexOf(log, blobs, 2, (key) => lookups.push(key));
  expect(await foundStates(again)).toEqual(names);
  expect([names.length, lookups]).toEqual([4, []]);
  await again.close();
  await vault.call('createState', stateNamed('Plan five'));
  const changed = await foundStates(indexOf(log, blobs, 3));
  expect(changed).toEqual([...names, 'Plan five'].sort());
});

it('a memory index matches the states after any changes and restarts', async () => {
  const step = fc.record({
    what: fc.constantFrom('save', 'archive', 'restore', 'look', 'start'),
    name: fc.constantFrom(...NAMES),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const vault = createTestVault();
      const blobs = createMemoryBlobs();
      const log = { ...createCalls().log, memory: () => vault.log.memory() };
      let [index, starts] = [indexOf(log, blobs, 1), 1];
      for (const { what, name } of steps) {
        if (what === 'look') await foundStates(index);
        else if (what === 'start') {
          await index.close();
          index = indexOf(log, blobs, ++starts);
        } else await take(vault, what, name);
      }
      const wanted = await foundStates(indexOf(log, undefined, 99));
      expect(await foundStates(index)).toEqual(wanted);
      await index.close();
      expect(await foundStates(indexOf(log, blobs, 100))).toEqual(wanted);
    }),
    { numRuns: 40 },
  );
});
