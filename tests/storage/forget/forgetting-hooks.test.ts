import { describe, expect, it } from 'vitest';
import { conversationData } from '../../../src/model/conversation.js';
import { allStates } from '../../../src/model/lookup.js';
import { entityOf } from '../../../src/model/memory.js';
import { messageData } from '../../../src/model/message.js';
import type { LogChange } from '../../../src/storage/change-feed.js';
import type { Log, LogOptions } from '../../../src/storage/log.js';
import { readLogLines } from '../../../src/storage/read/log-lines.js';
import { createMemoryIdentities } from '../../fakes/deterministic.js';
import { lineOf, recordDraft, stateDraft, WRITER_A, workspaceDraft } from '../../fakes/events.js';
import { createMemoryCopies, createVault, eventsIn, put, ROOT } from '../helpers.js';
import { forgetLine } from './forget-events.js';
import { settled } from './forgetter-on.js';
import { watchedStore } from './watched-store.js';

const conversation = (e: string) => ({
  t: 'conv.new',
  e,
  d: conversationData({ workspaceId: 'default', title: e }),
});
const message = (e: string) => ({
  t: 'msg.new',
  e,
  d: messageData({
    conversationId: 'c1',
    parentId: undefined,
    role: 'user',
    parts: [{ type: 'text', text: `Text of ${e}` }],
  }),
});

/** A vault with devices that have state folders of their own. */
function createDevices() {
  const vault = createVault();
  function device(name: string) {
    const copies = createMemoryCopies();
    const reads: string[] = [];
    const watchedCopies = {
      ...copies,
      read: (id: string) => (reads.push(id), copies.read(id)),
    };
    const forgetStore = watchedStore();
    const identities = createMemoryIdentities();
    const destroyed: (readonly string[])[] = [];
    const open = (options: Partial<LogOptions> = {}) =>
      vault.open({
        copies: watchedCopies,
        forgetStore,
        identities,
        device: name,
        onDestroy: (entities) => Promise.resolve(void destroyed.push(entities)),
        ...options,
      });
    return { forgetStore, reads, destroyed, open };
  }
  async function linesOf(...ids: string[]) {
    const { lines } = await readLogLines(vault.files, ROOT);
    return lines.filter(({ event }) => ids.includes(event.e));
  }
  return { vault, device, linesOf };
}

async function save(log: Log, ...names: string[]): Promise<void> {
  for (const name of names) await put(log, await stateDraft(name));
}

async function namesIn(log: Log): Promise<string[]> {
  return allStates(await log.memory(), 'default').map(({ item }) => item.name);
}

async function hasConversation(log: Log): Promise<boolean> {
  await log.memory();
  return entityOf(await log.conversations(), 'c1').created !== undefined;
}

async function keyIn(log: Log): Promise<string> {
  const [forget] = await log.forgetting.list();
  return forget!.key;
}

describe('Conversations', () => {
  it('that another device forgot are hidden, until another process here refuses', async () => {
    const { device, linesOf } = createDevices();
    const laptop = device('laptop').open();
    await laptop.conversations();
    await laptop.writeChat(conversation('c1'));
    const desktop = device('desktop');
    const [app, shell] = [desktop.open(), desktop.open({ program: 'shell' })];
    expect(await hasConversation(app)).toBe(true);
    await laptop.forgetting.forget(await linesOf('c1'), false);
    expect(await hasConversation(laptop)).toBe(false);
    expect(await hasConversation(app)).toBe(false);
    await shell.forgetting.decide(await keyIn(shell), 'refused');
    expect(await hasConversation(app)).toBe(true);
    expect(await hasConversation(laptop)).toBe(false);
  });

  it('are shown without the messages that were forgotten, before and after these are destroyed', async () => {
    const { device, linesOf } = createDevices();
    const log = device('laptop').open();
    for (const draft of [conversation('c1'), ...['m1', 'm2', 'm3'].map(message)])
      await log.writeChat(draft);
    const ids = async () => (await log.messages('c1')).map(({ id }) => id);
    expect(await ids()).toEqual(['m3', 'm2', 'm1']);
    await log.forgetting.forget(await linesOf('m2'), false);
    expect(await ids()).toEqual(['m3', 'm1']);
    await log.forgetting.decide(await keyIn(log), 'agreed');
    expect(await ids()).toEqual(['m3', 'm1']);
  });

  it('are not hidden by an event in their own lane, where none may forget', async () => {
    const { vault, device, linesOf } = createDevices();
    const log = device('laptop').open();
    await log.writeChat(conversation('c1'));
    const forged = forgetLine(await linesOf('c1'));
    vault.files.put(`${ROOT}/chat/forged.jsonl`, forged.bytes);
    for (const each of [log, device('desktop').open()]) {
      expect(await hasConversation(each)).toBe(true);
      expect(await each.forgetting.list()).toEqual([]);
    }
  });

  it('that cannot be read now stop nobody from forgetting something else', async () => {
    const { vault, device, linesOf } = createDevices();
    const log = device('laptop').open();
    await save(log, 'one', 'two');
    await log.writeChat(conversation('c1'));
    await log.conversations();
    vault.watched.beforeRead = (path) => {
      if (path.startsWith(`${ROOT}/chat`)) throw new Error('The disk is gone');
    };
    await log.forgetting.forget(await linesOf('st-one'), false);
    expect(await namesIn(log)).toEqual(['two']);
    expect(new Set(vault.warnings)).toEqual(new Set(['Error: The disk is gone']));
  });

  it('are reported as changed only when more or less is forgotten', async () => {
    const { vault, device, linesOf } = createDevices();
    const first = device('laptop').open();
    await save(first, 'one', 'two');
    const log = device('desktop').open();
    const changes: LogChange[] = [];
    log.onChange((change) => changes.push(change));
    const hasChanged = async () => {
      await log.memory();
      await settled();
      return changes.splice(0).some(({ chat }) => chat);
    };
    expect(await hasChanged()).toBe(false);
    await save(log, 'three');
    expect(await hasChanged()).toBe(false);
    vault.clock.advance(1000);
    await first.forgetting.forget(await linesOf('st-two'), false);
    expect(await hasChanged()).toBe(true);
    expect(await hasChanged()).toBe(false);
  });
});

describe('Forgetting', () => {
  it('notes each program of the device, with a name for one that has none', async () => {
    const { device, linesOf } = createDevices();
    const laptop = device('laptop');
    const log = laptop.open();
    await save(log, 'one');
    await log.forgetting.forget(await linesOf('st-one'), true);
    const shell = laptop.open({ program: 'shell' });
    await shell.memory();
    await shell.close();
    const [decision] = Object.values(laptop.forgetStore.decisions());
    expect(decision?.appliedBy).toEqual(['program', 'shell']);
  });

  it('writes what is kept once, with the first of its events', async () => {
    const { vault, device } = createDevices();
    const log = device('laptop').open();
    await save(log, 'one');
    const lines = Array.from({ length: 400 }, (_, at) =>
      lineOf({ ...recordDraft('Record', `r${at}`), w: WRITER_A, n: 2 * at + 1 }),
    );
    const before = vault.watched.appends.length;
    await log.forgetting.forget(lines, false, [workspaceDraft('Kept')]);
    const events = (await eventsIn(vault.files)).slice(-10);
    const written = events.filter(({ t, e }) => t === 'log.forget' || e === 'ws-Kept');
    expect(written.map(({ t }) => t)).toEqual(['ws.new', 'log.forget', 'log.forget']);
    expect(vault.watched.appends.length - before).toBeGreaterThanOrEqual(2);
    expect(await log.forgetting.list()).toHaveLength(2);
  });

  it('is known after the log was read, without reading it again', async () => {
    const { vault, device, linesOf } = createDevices();
    const log = device('laptop').open();
    await save(log, 'one');
    expect(log.forgetting.known()).toEqual([]);
    await log.forgetting.forget(await linesOf('st-one'), true);
    const reads = vault.watched.reads.length;
    expect(log.forgetting.known().map(({ content }) => content.entities)).toEqual([['st-one']]);
    expect(vault.watched.reads).toHaveLength(reads);
  });

  it('removes again what a backup brings back while the log is open', async () => {
    const { vault, device, linesOf } = createDevices();
    const log = device('laptop').open();
    await save(log, 'one', 'two');
    const [line] = await linesOf('st-one');
    await log.forgetting.forget([line!], true);
    await log.memory();
    await settled();
    const path = `${ROOT}/core/2026-11/backup.jsonl`;
    vault.files.put(path, line!.bytes);
    expect(await namesIn(log)).toEqual(['two']);
    await log.close();
    expect(vault.files.text(path)).toContain('"t":"forgotten"');
  });

  it('destroys nothing again, whatever is written and however often the log is opened', async () => {
    const { device, linesOf } = createDevices();
    const laptop = device('laptop');
    const log = laptop.open();
    await save(log, 'one', 'two');
    await log.forgetting.forget(await linesOf('st-one'), true);
    await log.memory();
    await settled();
    const before = laptop.destroyed.length;
    await save(log, 'three');
    await log.memory();
    await log.close();
    const next = laptop.open();
    await save(next, 'four');
    await next.memory();
    await next.close();
    expect(laptop.destroyed.length).toBe(before);
    expect(laptop.destroyed[0]).toEqual(['st-one']);
  });

  it('goes on with what it knows if decisions cannot be looked up', async () => {
    const { vault, device, linesOf } = createDevices();
    const laptop = device('laptop');
    const log = laptop.open();
    await save(log, 'one', 'two');
    await log.forgetting.forget(await linesOf('st-one'), false);
    laptop.forgetStore.fails.load = new Error('The disk is gone');
    vault.warnings.length = 0;
    const changes: LogChange[] = [];
    log.onChange((change) => changes.push(change));
    expect(await namesIn(log)).toEqual(['two']);
    expect(vault.warnings).toEqual([
      'What was decided could not be looked up: Error: The disk is gone',
    ]);
    expect(changes).toEqual([]);
  });

  it('goes on showing lines that are lost and not restored yet', async () => {
    const { vault, device, linesOf } = createDevices();
    const log = device('laptop').open();
    await save(log, 'one', 'two');
    const desktop = device('desktop').open();
    await save(desktop, 'theirs');
    await desktop.close();
    await log.heal(); // which copies them
    const [theirs] = await linesOf('st-theirs');
    await vault.files.remove(theirs!.path);
    await log.forgetting.forget(await linesOf('st-one'), true);
    expect(await namesIn(log)).toEqual(['theirs', 'two']);
  });
});

describe('What a device refuses to forget', () => {
  async function createRefusing(options: Partial<LogOptions> = {}) {
    const devices = createDevices();
    const laptop = devices.device('laptop').open();
    await save(laptop, 'one', 'two');
    const desktop = devices.device('desktop');
    const log = desktop.open(options);
    await log.heal(); // which copies what others have written
    await laptop.forgetting.forget(await devices.linesOf('st-one'), true);
    await log.forgetting.decide(await keyIn(log), 'refused');
    return { ...devices, laptop, desktop, log };
  }

  it('is read from the copies at the start, and no more after that', async () => {
    const { desktop, log } = await createRefusing();
    expect(await namesIn(log)).toEqual(['two', 'one']);
    await log.close();
    const next = desktop.open();
    expect(await namesIn(next)).toEqual(['two', 'one']);
    const reads = desktop.reads.length;
    await next.memory();
    await save(next, 'three');
    expect(await namesIn(next)).toEqual(['three', 'two', 'one']);
    expect(desktop.reads).toHaveLength(reads);
  });

  it('is all that the copies add at the start', async () => {
    const { vault, device, desktop, log, linesOf } = await createRefusing();
    const third = device('third').open();
    await save(third, 'lost');
    await third.close();
    await log.heal();
    await log.close();
    await vault.files.remove((await linesOf('st-lost'))[0]!.path);
    expect(await namesIn(desktop.open())).toEqual(['two', 'one']);
  });

  it('is not missing once its file is lost, unlike what is before it there', async () => {
    const { vault, device, linesOf } = createDevices();
    const laptop = device('laptop').open();
    await save(laptop, 'one');
    await put(laptop, { t: 'set', e: 'st-one', d: { '/isArchived': true } });
    await laptop.close();
    const lines = await linesOf('st-one');
    const desktop = device('desktop');
    const log = desktop.open();
    await log.heal();
    await device('third').open().forgetting.forget(lines.slice(1), true);
    await log.forgetting.decide(await keyIn(log), 'refused');
    await log.close();
    await vault.files.remove(lines[0]!.path);
    const next = desktop.open();
    await next.memory();
    const { w, n } = lines[1]!.event;
    expect(next.trouble().gaps()).toBe(`${w} 1,${n - 1} ${n}`);
  });

  it('is not shown on a device without copies, which works like any other', async () => {
    const { log, desktop } = await createRefusing({ copies: undefined });
    expect(await namesIn(log)).toEqual(['two']);
    await save(log, 'three');
    await log.close();
    expect(await namesIn(desktop.open({ copies: undefined }))).toEqual(['three', 'two']);
  });
});
