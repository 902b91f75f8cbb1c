import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { allWorkspaces } from '../../../src/model/lookup.js';
import { messageData } from '../../../src/model/message.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import { Phone, type PhoneApp, type PhoneOptions } from '../../fakes/phone.js';
import { put, putWorkspace, typesOf } from '../helpers.js';
import { workspaceDraft } from '../../fakes/events.js';

const HOUR = 3_600_000;

function message(app: PhoneApp, id: string): Promise<LogEvent> {
  const d = messageData({
    conversationId: 'talk',
    parentId: undefined,
    role: 'user',
    parts: [{ type: 'text', text: id }],
  });
  return app.log.writeChat({ t: 'msg.new', e: id, d });
}

async function read(phone: Phone, path: string): Promise<LogEvent[]> {
  const { lines } = parseSegment(await phone.vault.read(path));
  return lines.map(({ event }) => event);
}

/** Returns the types of the events of each segment, by lane and month. */
async function segmentsOf(phone: Phone): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const path of Object.keys(phone.vault.snapshot()).sort()) {
    if (!path.endsWith('.jsonl')) continue;
    const folder = path.split('/').slice(1, 3).join('/');
    (found[folder] ??= []).push(typesOf(await read(phone, path)));
  }
  return found;
}

async function writersOf(phone: Phone): Promise<string[]> {
  const paths = Object.keys(phone.vault.snapshot()).filter((path) => path.endsWith('.jsonl'));
  const events = await Promise.all(paths.map((path) => read(phone, path)));
  return [...new Set(events.flat().map(({ w }) => w))];
}

/** Starts the app twenty times, saves and sends a message each time, and ends it with `end`. */
async function useTwentyTimes(
  end: (app: PhoneApp, start: number) => Promise<void> | void,
  { pause = 1000, ...options }: PhoneOptions & { readonly pause?: number } = {},
): Promise<Phone> {
  const phone = new Phone(options);
  for (let start = 0; start < 20; start++) {
    const app = phone.start();
    await app.log.memory();
    await putWorkspace(app.log, `Plan ${start}`);
    await message(app, `message ${start}`);
    await end(app, start);
    phone.clock.advance(pause);
  }
  return phone;
}

const hideAndKill = async (app: PhoneApp): Promise<void> => {
  await app.log.releaseWriters();
  app.kill();
};

async function expectAll(phone: Phone): Promise<void> {
  const { log } = phone.start();
  const names = allWorkspaces(await log.memory()).map(({ displayName }) => displayName);
  expect(names.sort()).toEqual(
    ['Default', ...Array.from({ length: 20 }, (_, start) => `Plan ${start}`)].sort(),
  );
  expect(await log.messages('talk')).toHaveLength(20);
}

describe('a phone that kills the app', () => {
  it.each([
    ['without notice', (app: PhoneApp) => app.kill(), {}],
    ['after it was hidden', hideAndKill, {}],
    ['after it was hidden, and has no locks', hideAndKill, { hasLocks: false }],
    ['in turns', (app: PhoneApp, start: number) => (start % 3 === 0 ? app.quit() : app.kill()), {}],
  ])('%s leaves the segments of one that closes it', async (_, end, options) => {
    const closed = await useTwentyTimes((app) => app.quit(), options);
    const killed = await useTwentyTimes(end, options);
    expect(await segmentsOf(killed)).toEqual(await segmentsOf(closed));
    const messages = Array(20).fill('msg.new').join(' ');
    expect((await segmentsOf(killed))['chat/2026-11']).toEqual([`log.seg ${messages}`]);
    await expectAll(killed);
    expect(killed.warnings).toEqual([]);
  });

  it('seals the segment of an earlier day', async () => {
    const pause = 2.4 * HOUR;
    const closed = await useTwentyTimes((app) => app.quit(), { pause });
    const killed = await useTwentyTimes((app) => app.kill(), { pause });
    const segments = await segmentsOf(killed);
    expect(segments).toEqual(await segmentsOf(closed));
    const core = Object.entries(segments).flatMap(([lane, each]) => (lane < 'core/3' ? each : []));
    const sealed = core.map((types) => types.endsWith('log.seal'));
    expect(sealed).toEqual([true, true, false, true, true, false]);
    await expectAll(killed);
  });

  it('begins a segment at each start if nothing shows that its writer is unused', async () => {
    const phone = await useTwentyTimes((app) => app.kill(), { hasLocks: false });
    expect((await segmentsOf(phone))['core/2026-11']).toHaveLength(20);
    await expectAll(phone);
  });

  it('continues the writer of a window only after that window has ended', async () => {
    const phone = new Phone();
    const first = phone.start();
    await putWorkspace(first.log, 'One');
    const second = phone.start();
    await putWorkspace(second.log, 'Two');
    expect([...first.writers].filter((writer) => second.writers.has(writer))).toEqual([]);
    await putWorkspace(first.log, 'Three');
    expect(await writersOf(phone)).toHaveLength(2);
    first.kill();
    const third = phone.start();
    await putWorkspace(third.log, 'Four');
    expect([[...third.writers], await writersOf(phone)]).toEqual([
      [...first.writers],
      expect.objectContaining({ length: 2 }),
    ]);
  });

  it('lets only one of two windows that start at the same time continue a writer', async () => {
    const phone = new Phone();
    const first = phone.start();
    await putWorkspace(first.log, 'One');
    first.kill();
    const windows = [phone.start(), phone.start()];
    await Promise.all(windows.map(({ log }, at) => putWorkspace(log, `Two ${at}`)));
    expect(windows[0]!.writers).not.toEqual(windows[1]!.writers);
    expect(await writersOf(phone)).toHaveLength(2);
  });

  it.each([0.4, 1])('abandons a writer whose append was killed at %d', async (share) => {
    const phone = new Phone();
    const first = phone.start();
    await putWorkspace(first.log, 'One');
    first.medium.killInWrite(share);
    await Promise.race([putWorkspace(first.log, 'Two'), first.medium.died]);
    const second = phone.start();
    await putWorkspace(second.log, 'Three');
    expect([...second.writers]).not.toEqual([...first.writers]);
    const names = allWorkspaces(await second.log.memory()).map(({ displayName }) => displayName);
    expect(names.sort()).toEqual(
      ['Default', 'One', 'Three', ...(share === 1 ? ['Two'] : [])].sort(),
    );
  });

  it('does not continue a writer whose append has failed', async () => {
    const phone = new Phone();
    const first = phone.start();
    await putWorkspace(first.log, 'One');
    phone.vault.faults.isFull = true;
    await expect(putWorkspace(first.log, 'Two')).rejects.toThrow('full');
    phone.vault.faults.isFull = false;
    first.kill();
    await putWorkspace(phone.start().log, 'Three');
    expect(await writersOf(phone)).toHaveLength(2);
  });

  it('does not continue a writer of a restored backup, which has written more', async () => {
    const phone = new Phone();
    const first = phone.start();
    await putWorkspace(first.log, 'One');
    const backup = await phone.backUp();
    await putWorkspace(first.log, 'Two');
    first.kill();
    await phone.restore(backup);
    await putWorkspace(phone.start().log, 'Three');
    expect(await writersOf(phone)).toHaveLength(2);
  });

  it('does not continue a writer of a copied phone whose vault has synced', async () => {
    const phone = new Phone();
    const first = phone.start();
    await putWorkspace(first.log, 'One');
    const backup = await phone.backUp();
    await putWorkspace(first.log, 'Two');
    const copy = new Phone({}, phone.vault);
    await copy.restore(backup);
    const second = copy.start();
    await putWorkspace(second.log, 'Three');
    await putWorkspace(first.log, 'Four');
    expect([...first.writers].filter((writer) => second.writers.has(writer))).toEqual([]);
    expect(await writersOf(phone)).toHaveLength(2);
  });

  it('does not continue a writer in another data folder', async () => {
    const phone = new Phone();
    const first = phone.start();
    await put(first.log, workspaceDraft('One'));
    first.kill();
    const second = phone.start('Memory');
    await putWorkspace(second.log, 'Two');
    const names = allWorkspaces(await second.log.memory()).map(({ displayName }) => displayName);
    expect(names).toEqual(['Default', 'Two']);
    expect(
      Object.keys(phone.vault.snapshot()).some((path) => /^Memory\/core\/.+l$/.test(path)),
    ).toBe(true);
  });
});
