import { describe, expect, it } from 'vitest';
import { conversationData } from '../../src/model/conversation.js';
import { allWorkspaces } from '../../src/model/lookup.js';
import { messageData } from '../../src/model/message.js';
import { entityOf } from '../../src/model/memory.js';
import { Refusal } from '../../src/model/refusal.js';
import { HEAL_DELAY_MS } from '../../src/storage/integrity/healer-options.js';
import { ANNOUNCE_DELAY_MS } from '../../src/storage/integrity/watermarks.js';
import { readLogLines } from '../../src/storage/log-lines.js';
import type { LogChange } from '../../src/storage/change-feed.js';
import { watermarkOf } from '../../src/storage/format/watermark.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import { clockText, lineOf, workspaceDraft } from '../fakes/events.js';
import {
  createMemoryCopies,
  createVault,
  eventsIn,
  putWorkspace,
  ROOT,
  segmentsIn,
} from './helpers.js';

type Vault = ReturnType<typeof createVault>;

const README = `${ROOT}/README.md`;
const TALK = conversationData({ workspaceId: 'default', title: 'Talk' });

const TRACE = {
  t: 'trace.new',
  e: 't1',
  d: { ws: 'default', session: 's', toolset: 'a', tool: 'x', input: '{}', outcome: 'ok', ok: true },
};
const MESSAGE = {
  t: 'msg.new',
  e: 'm1',
  d: messageData({ conversationId: 'c1', parentId: undefined, role: 'user', parts: [] }),
};

/** Lets time pass, and then the work that was due. */
async function wait({ clock }: Vault, ms: number): Promise<void> {
  clock.advance(ms);
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the writers that the watermarks of the core lane mention. */
async function mentioned({ files }: Vault): Promise<string[]> {
  const events = await eventsIn(files);
  return events.flatMap((event) => watermarkOf(event)?.seen.map(({ writer }) => writer) ?? []);
}

describe('a stored writer whose segment was deleted', () => {
  /** A closed log with a segment in the lane. */
  async function vaultWith(lane: 'core' | 'chat') {
    const vault = createVault();
    const identities = createMemoryIdentities();
    const first = vault.open({ identities });
    await putWorkspace(first, 'One');
    if (lane === 'chat') await first.writeChat({ t: 'conv.new', e: 'c1', d: TALK });
    await first.close();
    const [segment] = await segmentsIn(vault.files, `${ROOT}/${lane}`);
    return { vault, identities, segment: segment! };
  }

  it.each(['core', 'chat'] as const)('is mentioned by the next one: %s', async (lane) => {
    const { vault, identities, segment } = await vaultWith(lane);
    await vault.files.remove(segment.path);
    const second = vault.open({ identities });
    await second.memory();
    if (lane === 'chat') await second.writeChat({ t: 'conv.new', e: 'c2', d: TALK });
    await putWorkspace(second, 'Two');
    await second.close();
    expect(await mentioned(vault)).toContain(segment.events[0]!.w);
  });

  it('is mentioned no more once the user has removed the whole data folder', async () => {
    const { vault, identities, segment } = await vaultWith('core');
    for (const path of vault.files.paths()) await vault.files.remove(path);
    const second = vault.open({ identities });
    await second.memory();
    await putWorkspace(second, 'Two');
    await second.close();
    expect(await mentioned(vault)).not.toContain(segment.events[0]!.w);
  });
});

describe('the last event of a killed process that could not be copied', () => {
  it('is mentioned by the next process once its file is lost too', async () => {
    const vault = createVault();
    const copies = createMemoryCopies();
    const add = copies.add.bind(copies);
    copies.add = () => Promise.reject(new Error('ENOSPC'));
    await putWorkspace(vault.open({ copies }), 'One');
    const [segment] = await segmentsIn(vault.files);
    await vault.files.remove(segment!.path);
    copies.add = add;
    const later = vault.open({ copies });
    await putWorkspace(later, 'Two');
    await later.memory();
    await wait(vault, HEAL_DELAY_MS);
    await wait(vault, ANNOUNCE_DELAY_MS);
    expect(await mentioned(vault)).toContain(segment!.events[0]!.w);
  });
});

describe('what another device forgot', () => {
  /** A vault with a trace and a message, which another device forgets later. */
  async function setUp() {
    const vault = createVault();
    const other = vault.open();
    await other.writeTrace(TRACE);
    await other.writeChat({ t: 'conv.new', e: 'c1', d: TALK });
    await other.writeChat(MESSAGE);
    const forget = async () => {
      const { lines } = await readLogLines(vault.files, ROOT);
      const forgotten = lines.filter(({ event }) => ['t1', 'm1'].includes(event.e));
      await other.forgetting.forget(forgotten, false);
    };
    return { vault, forget };
  }

  it('is told to listeners, and listed no more', async () => {
    const { vault, forget } = await setUp();
    const log = vault.open();
    await log.memory();
    expect(await log.traceEntries('default')).toHaveLength(1);
    const changes: LogChange[] = [];
    log.onChange((change) => void changes.push(change));
    await forget();
    await log.memory();
    await Promise.resolve();
    expect(changes.some(({ traces }) => traces)).toBe(true);
    expect(changes.some(({ chat }) => chat)).toBe(true);
    expect(await log.traceEntries('default')).toEqual([]);
  });

  it('is left out of messages and traces by the first call of a log', async () => {
    const { vault, forget } = await setUp();
    await forget();
    expect(await vault.open().messages('c1')).toEqual([]);
    expect(await vault.open().traceEntries('default')).toEqual([]);
    expect(await vault.open().recentTraces('default', 1)).toEqual([]);
  });
});

describe('a log', () => {
  it('says which files it cannot read', async () => {
    const { files, watched, open } = createVault();
    await putWorkspace(open(), 'One');
    const [segment] = await segmentsIn(files);
    watched.beforeRead = (path) => {
      if (path === segment!.path) throw new Refusal('It is not downloaded.');
    };
    const log = open();
    await log.memory();
    expect(log.trouble()).toMatchObject({ waiting: [segment!.path], lacksLines: true });
  });

  it('says from which files it can read nothing', async () => {
    const { files, clock, open } = createVault();
    await putWorkspace(open(), 'One');
    const path = (await segmentsIn(files))[0]!.path;
    files.put(path, new Uint8Array(500));
    const log = open();
    await log.memory();
    const expected = { waiting: [path], lacksLines: true, lacksSegment: true };
    expect(log.trouble()).toMatchObject(expected);
    files.put(path, '');
    await log.memory();
    expect(log.trouble().waiting).toEqual([]); // a program may just be creating it
    clock.advance(1000);
    await log.memory();
    expect(log.trouble()).toMatchObject(expected);
  });

  it('takes the lines of such a file from the copies, and restores them', async () => {
    const vault = createVault();
    const copies = createMemoryCopies();
    await putWorkspace(vault.open({ copies }), 'One');
    const path = (await segmentsIn(vault.files))[0]!.path;
    vault.files.put(path, new Uint8Array(500));
    const log = vault.open({ copies });
    expect(entityOf(await log.memory(), 'ws-One').created).toBeDefined();
    expect(log.trouble()).toMatchObject({ waiting: [path], lacksSegment: false });
    await wait(vault, HEAL_DELAY_MS);
    const fresh = vault.open();
    expect(entityOf(await fresh.memory(), 'ws-One').created).toBeDefined();
    expect(fresh.trouble().waiting).toEqual([]);
  });

  it('looks for a folder with a memory next to the data folder only if that has none', async () => {
    const { files, watched, open } = createVault();
    await putWorkspace(open(), 'One');
    const lists: string[] = [];
    watched.beforeRead = (path) => void lists.push(path);
    await open().memory();
    expect(lists).not.toContain('');
    for (const { path, bytes } of await segmentsIn(files)) {
      files.put(path.replace(ROOT, `${ROOT} 2`), bytes);
      await files.remove(path);
    }
    await files.remove(`${ROOT}/README.md`);
    const log = open();
    await log.memory();
    await log.memory();
    expect(log.trouble().siblings).toEqual([`${ROOT} 2`]);
    expect(lists.filter((path) => path === '')).toHaveLength(1);
    await putWorkspace(log, 'Two');
    await log.memory();
    expect(log.trouble().siblings).toEqual([]);
  });

  it('lists the traces of a workspace, earliest first', async () => {
    const { open } = createVault();
    const log = open();
    await log.writeTrace(TRACE);
    await log.writeTrace({ ...TRACE, e: 't2', d: { ...TRACE.d, tool: 'y' } });
    const { entries, count } = await log.traceList('default');
    const traces = await log.readTraces(entries.slice(0, count));
    expect(traces.map(({ tool }) => tool)).toEqual(['x', 'y']);
  });

  it('gives the files of traces the paths that they have now', async () => {
    const { open } = createVault();
    const log = open();
    await log.writeTrace({ ...TRACE, d: { ...TRACE.d, files: ['Old.md'] } });
    const move = { t: 'path.moved', e: 'move', d: { from: 'Old.md', to: 'New.md' } };
    await log.write(() => ({ drafts: [move], answer: true }));
    expect((await log.recentTraces('default', 1))[0]).toMatchObject({ files: ['New.md'] });
    const traces = await log.readTraces(await log.traceEntries('default'));
    expect(traces[0]).toMatchObject({ files: ['New.md'] });
  });

  it('decides the next write on what it has healed', async () => {
    const vault = createVault();
    const first = vault.open();
    await putWorkspace(first, 'One');
    const copies = createMemoryCopies();
    const log = vault.open({ copies });
    await log.heal(); // which copies what others have written
    const [segment] = await segmentsIn(vault.files);
    await vault.files.remove(segment!.path);
    const later = vault.open({ copies });
    expect(await later.heal()).toBeGreaterThan(0);
    const isThere = await later.write((memory) => ({
      drafts: [],
      answer: entityOf(memory, 'ws-One').created !== undefined,
    }));
    expect(isThere).toBe(true);
  });

  it('heals nothing without copies, and then reads the vault only once', async () => {
    const { watched, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    await log.memory();
    let calls = 0;
    const stat = watched.stat.bind(watched);
    watched.stat = (path) => (calls++, stat(path));
    await log.memory();
    const once = calls;
    expect(await log.heal()).toBe(0);
    expect(calls).toBe(2 * once);
  });

  it('writes what is still waiting before its process may be killed', async () => {
    const { files, open } = createVault();
    const log = open();
    void log.writeTrace(TRACE, 'soon');
    await log.releaseWriters();
    const events = await eventsIn(files, `${ROOT}/trace`);
    expect(events.map(({ e }) => e)).toContain('t1');
  });

  it('removes no traces without limits', async () => {
    const vault = createVault();
    const log = vault.open();
    await log.writeTrace(TRACE);
    await log.memory();
    for (let day = 0; day < 3; day++) await wait(vault, 365 * 86_400_000);
    expect(vault.warnings).toEqual([]);
    expect(await vault.open().recentTraces('default', 1)).toHaveLength(1);
  });
});

describe('an event in the folder of another lane', () => {
  it('takes effect in its own lane alone', async () => {
    const { files, open } = createVault();
    files.put(`${ROOT}/trace/x.jsonl`, lineOf({ t: 'conv.new', e: 'c1', d: TALK }).bytes);
    files.put(`${ROOT}/chat/x.jsonl`, lineOf({ ...workspaceDraft('One', 'w1'), n: 2 }).bytes);
    const log = open();
    await log.traceEntries('default');
    await log.conversations();
    const [memory, conversations] = [await log.memory(), await log.conversations()];
    expect(entityOf(memory, 'w1').created).toBeDefined();
    expect(entityOf(memory, 'c1').created).toBeUndefined();
    expect(entityOf(conversations, 'c1').created).toBeDefined();
    expect(entityOf(conversations, 'w1').created).toBeUndefined();
  });
});

describe('a change of a value in the folder of traces', () => {
  it('takes effect on the memory', async () => {
    const { files, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    const change = { t: 'set', e: 'ws-One', d: { '/name': 'Two' }, h: clockText(1) };
    files.put(`${ROOT}/trace/x.jsonl`, lineOf(change).bytes);
    await log.traceEntries('default');
    const names = allWorkspaces(await log.memory()).map(({ displayName }) => displayName);
    expect(names).toEqual(['Default', 'Two']);
  });
});

describe('a data folder', () => {
  it('that has nothing but a README gets an id of its own', async () => {
    const { files, open } = createVault();
    files.put(README, 'Hello');
    const log = open();
    await log.memory();
    await putWorkspace(log, 'One');
    const { d } = (await eventsIn(files)).find(({ t }) => t === 'log.vault')!;
    expect(d['id']).toMatch(/^[a-km-np-z2-9]{16}$/);
  });

  it('whose files wait, without a README, is not taken for one that was removed', async () => {
    const { files, watched, open } = createVault();
    const copies = createMemoryCopies();
    const stat = watched.stat.bind(watched);
    watched.stat = async (path) => {
      const info = await stat(path);
      return path === ROOT && info ? { ...info, fileId: 'folder' } : info;
    };
    const first = open({ copies });
    await putWorkspace(first, 'One');
    await first.close();
    await files.remove(README);
    watched.beforeRead = (path) => {
      if (path.endsWith('.jsonl')) throw new Refusal('It is not downloaded.');
    };
    await open({ copies }).memory();
    expect(copies.record()?.folder).toBe('folder');
  });
});

describe('an id that another device gave to the vault', () => {
  it('is recorded a minute after it has appeared, and nothing is compared without one', async () => {
    const vault = createVault();
    const copies = createMemoryCopies();
    let reads = 0;
    const read = copies.read.bind(copies);
    copies.read = (id) => (reads++, read(id));
    const log = vault.open({ copies });
    await putWorkspace(log, 'One');
    await log.memory();
    await wait(vault, HEAL_DELAY_MS);
    const [id] = copies.record()!.ids;

    reads = 0;
    await putWorkspace(vault.open(), 'Two');
    await log.memory();
    await wait(vault, HEAL_DELAY_MS);
    expect(reads).toBe(0);

    const other = createVault();
    other.clock.advance(2 * HEAL_DELAY_MS);
    await putWorkspace(other.open(), 'Other');
    const [segment] = await segmentsIn(other.files);
    vault.files.put(segment!.path, segment!.bytes);
    await log.memory();
    await wait(vault, HEAL_DELAY_MS);
    const otherId = segment!.events.find(({ t }) => t === 'log.vault')!.d['id'];
    expect([...copies.record()!.ids].sort()).toEqual([id, otherId].sort());
  });
});
