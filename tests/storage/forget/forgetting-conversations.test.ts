import { describe, expect, it } from 'vitest';
import { entityOf } from '../../../src/model/memory.js';
import type { LogChange } from '../../../src/storage/change-feed.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { ROOT } from '../helpers.js';
import { forgetLine } from './forget-events.js';
import { settled } from './forgetter-on.js';
import { conversation, createDevices, keyIn, message, namesIn, save } from './devices.js';

async function hasConversation(log: Log): Promise<boolean> {
  await log.memory();
  return entityOf(await log.conversations(), 'c1').created !== undefined;
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
    await shell.forgetting.decide([await keyIn(shell)], 'refused');
    expect(await hasConversation(app)).toBe(true);
    expect(await hasConversation(laptop)).toBe(false);
  });

  it('that were written, and forgotten before any was read, are not shown', async () => {
    const { device, linesOf } = createDevices();
    const log = device('laptop').open();
    await log.writeChat(conversation('c1'));
    await log.forgetting.forget(await linesOf('c1'), true);
    expect(await hasConversation(log)).toBe(false);
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
    await log.forgetting.decide([await keyIn(log)], 'agreed');
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
