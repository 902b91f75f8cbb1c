import { describe, expect, it } from 'vitest';
import { conversationData } from '../../src/model/conversation.js';
import { entityOf } from '../../src/model/memory.js';
import { Refusal } from '../../src/model/refusal.js';
import { HEAL_DELAY_MS } from '../../src/storage/healer-options.js';
import { watermarkOf } from '../../src/storage/integrity/watermark.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import { lineOf, workspaceDraft } from '../fakes/events.js';
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
    await putWorkspace(other.open(), 'Other');
    const [segment] = await segmentsIn(other.files);
    vault.files.put(segment!.path, segment!.bytes);
    await log.memory();
    await wait(vault, HEAL_DELAY_MS);
    const otherId = segment!.events.find(({ t }) => t === 'log.vault')!.d['id'];
    expect([...copies.record()!.ids].sort()).toEqual([id, otherId].sort());
  });
});
