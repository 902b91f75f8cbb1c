import { describe, expect, it } from 'vitest';
import type { LogChange } from '../../../src/storage/change-feed.js';
import { lineOf, recordDraft, WRITER_A, workspaceDraft } from '../../fakes/events.js';
import { eventsIn, put, ROOT } from '../helpers.js';
import { forgetLine } from './forget-events.js';
import { settled } from './forgetter-on.js';
import { watchedStore } from './watched-store.js';
import { createDevices, keyIn, message, namesIn, save } from './devices.js';

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
    const lines = Array.from({ length: 800 }, (_, at) =>
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
    expect(log.forgetting.known().map(({ decision }) => decision?.removed)).toEqual([['st-one']]);
    expect(vault.watched.reads).toHaveLength(reads);
  });

  it('removes again what a backup brings back while the log is open, in any lane', async () => {
    const { vault, device, linesOf } = createDevices();
    const log = device('laptop').open();
    await save(log, 'one');
    await log.writeChat(message('m1'));
    const lines = await linesOf('st-one', 'm1');
    await log.forgetting.forget(lines, true);
    await log.memory();
    await settled();
    for (const { path, bytes } of lines) {
      const backup = path.replace('.jsonl', ' 2.jsonl');
      vault.files.put(backup, bytes);
      await log.messages('c1');
      await log.memory();
      await settled();
      expect(vault.files.text(backup)).toContain('"t":"forgotten"');
    }
  });

  it('takes effect again as soon as an event that was lost is back', async () => {
    const { vault, device, linesOf } = createDevices();
    const log = device('laptop').open();
    await save(log, 'one', 'two');
    const path = `${ROOT}/core/2026-11/forget.jsonl`;
    const { bytes } = forgetLine(await linesOf('st-one'));
    vault.files.put(path, bytes);
    const key = await keyIn(log);
    await vault.files.remove(path);
    await log.forgetting.decide([key], 'agreed');
    expect(await namesIn(log)).toEqual(['two', 'one']);
    vault.files.put(path, bytes);
    expect(await namesIn(log)).toEqual(['two']);
    await log.close();
    expect(await linesOf('st-one')).toEqual([]);
  });

  it('destroys nothing again after more writes and another start', async () => {
    const { device, linesOf } = createDevices();
    const laptop = device('laptop');
    const log = laptop.open();
    await save(log, 'one', 'two');
    await log.forgetting.forget(await linesOf('st-one'), true);
    await log.memory();
    await settled();
    await save(log, 'three');
    await log.memory();
    await log.close();
    const next = laptop.open();
    await save(next, 'four');
    await next.memory();
    await next.close();
    expect(laptop.destroyed.map((all) => all.map(({ ids }) => ids))).toEqual([[['st-one']]]);
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
  async function createRefusing() {
    const devices = createDevices();
    const laptop = devices.device('laptop').open();
    await save(laptop, 'one', 'two');
    const desktop = devices.device('desktop');
    const log = desktop.open();
    await log.heal(); // which copies what others have written
    await laptop.forgetting.forget(await devices.linesOf('st-one'), true);
    await log.forgetting.decide([await keyIn(log)], 'refused');
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
    await log.forgetting.decide([await keyIn(log)], 'refused');
    await log.close();
    await vault.files.remove(lines[0]!.path);
    const next = desktop.open();
    await next.memory();
    const { w, n } = lines[1]!.event;
    expect(next.trouble().gaps()).toBe(`${w} 1,${n - 1}`);
  });

  it('is not shown on a device without copies, which works like any other', async () => {
    const { vault, device, linesOf } = createDevices();
    const laptop = device('laptop').open();
    await save(laptop, 'one', 'two');
    await laptop.forgetting.forget(await linesOf('st-one'), true);
    const forgetStore = watchedStore();
    const log = vault.open({ forgetStore });
    await log.forgetting.decide([await keyIn(log)], 'refused');
    expect(await namesIn(log)).toEqual(['two']);
    await save(log, 'three');
    await log.close();
    expect(await namesIn(vault.open({ forgetStore }))).toEqual(['three', 'two']);
  });
});
