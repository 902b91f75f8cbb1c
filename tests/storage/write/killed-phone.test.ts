import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { allWorkspaces } from '../../../src/model/lookup.js';
import { messageData } from '../../../src/model/message.js';
import { traceData } from '../../../src/model/trace.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import { MemoryMedium } from '../../host/obsidian/memory-medium.js';
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

interface UseOptions extends PhoneOptions {
  readonly starts?: number;
  /** Milliseconds between two starts. */
  readonly pause?: number;
}

/** Starts the app, saves and sends a message, and ends it with `end`, twenty times by default. */
async function useRepeatedly(
  end: (app: PhoneApp, start: number, phone: Phone) => Promise<void> | void,
  { starts = 20, pause = 1000, ...options }: UseOptions = {},
): Promise<Phone> {
  const phone = new Phone(options);
  for (let start = 0; start < starts; start++) {
    const app = phone.start();
    await app.log.memory();
    await putWorkspace(app.log, `Plan ${start}`);
    await message(app, `message ${start}`);
    await end(app, start, phone);
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

const evictAndKill = async (app: PhoneApp, _: number, phone: Phone): Promise<void> => {
  app.kill();
  await phone.evict();
};

/** Returns the number of unsealed segments of each lane. */
async function unsealedOf(phone: Phone): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [folder, segments] of Object.entries(await segmentsOf(phone))) {
    const lane = folder.split('/')[0]!;
    const unsealed = segments.filter((types) => !types.endsWith('log.seal'));
    found[lane] = (found[lane] ?? 0) + unsealed.length;
  }
  return found;
}

/** Starts the app, saves once, and returns the app. */
async function startAndSave(phone: Phone, name: string): Promise<PhoneApp> {
  const app = phone.start();
  await app.log.memory();
  await putWorkspace(app.log, name);
  return app;
}

/** Returns a phone whose app was killed after a save, and whose database is deleted. */
async function evictedPhone(options?: PhoneOptions): Promise<{ phone: Phone; dead: PhoneApp }> {
  const phone = new Phone(options);
  const dead = await startAndSave(phone, 'One');
  await evictAndKill(dead, 0, phone);
  return { phone, dead };
}

const textOf = (phone: Phone, path: string): string =>
  (phone.vault.snapshot()[path] as { readonly text: string }).text;

/** Returns the paths that two vaults have with different content. */
function divergedPaths(one: Phone, other: Phone): string[] {
  const [files, others] = [one.vault.snapshot(), other.vault.snapshot()];
  const both = Object.keys(files).filter((path) => path.endsWith('.jsonl') && path in others);
  return both.filter((path) => textOf(one, path) !== textOf(other, path));
}

describe('a phone that kills the app', () => {
  it.each([
    ['without notice', (app: PhoneApp) => app.kill(), {}],
    ['after it was hidden', hideAndKill, {}],
    ['after it was hidden, and has no locks', hideAndKill, { hasLocks: false }],
    ['in turns', (app: PhoneApp, start: number) => (start % 3 === 0 ? app.quit() : app.kill()), {}],
  ])('%s leaves the segments of one that closes it', async (_, end, options) => {
    const closed = await useRepeatedly((app) => app.quit(), options);
    const killed = await useRepeatedly(end, options);
    expect(await segmentsOf(killed)).toEqual(await segmentsOf(closed));
    const messages = Array(20).fill('msg.new').join(' ');
    expect((await segmentsOf(killed))['chat/2026-11']).toEqual([`log.seg ${messages}`]);
    await expectAll(killed);
    expect(killed.warnings).toEqual([]);
  });

  it('seals the segment of an earlier day', async () => {
    const pause = 2.4 * HOUR;
    const closed = await useRepeatedly((app) => app.quit(), { pause });
    const killed = await useRepeatedly((app) => app.kill(), { pause });
    const segments = await segmentsOf(killed);
    expect(segments).toEqual(await segmentsOf(closed));
    const core = Object.entries(segments).flatMap(([lane, each]) => (lane < 'core/3' ? each : []));
    const sealed = core.map((types) => types.endsWith('log.seal'));
    expect(sealed).toEqual([true, true, false, true, true, false]);
    await expectAll(killed);
  });

  it('begins a segment at each start if nothing shows that its writer is unused', async () => {
    const phone = await useRepeatedly((app) => app.kill(), { hasLocks: false });
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

describe('a phone that deletes the database', () => {
  it.each([
    ['on one day', 1000],
    ['over ten days', 2.4 * HOUR],
  ])('has one unsealed segment per lane after 100 killed starts %s', async (_, pause) => {
    const save = async (app: PhoneApp, start: number, phone: Phone): Promise<void> => {
      const call = { workspaceId: 'default', sessionId: 's', toolset: 'a', tool: 'b' };
      const trace = traceData({ ...call, input: '{}', outcome: 'ok', isSuccess: true });
      await app.log.writeTrace({ t: 'trace.new', e: `trace${start}`, d: trace });
      const session = { ws: 'default', session: 's', checkpoint: {} };
      await app.log.writeTrace({ t: 'session.new', e: `session${start}`, d: session });
      await evictAndKill(app, start, phone);
    };
    const phone = await useRepeatedly(save, { starts: 100, pause });
    expect(await unsealedOf(phone)).toEqual({ core: 1, chat: 1, trace: 1, session: 1 });
    const { log } = phone.start();
    expect(allWorkspaces(await log.memory())).toHaveLength(101);
    expect(await log.messages('talk')).toHaveLength(100);
    expect(phone.warnings).toEqual([]);
  });

  it.each([
    ['does not say which phone it is', { hasMachineId: false }],
    ['has no locks', { hasLocks: false }],
  ])('begins a segment at each start if the app %s', async (_, options) => {
    const hideAndEvict = async (app: PhoneApp, start: number, phone: Phone): Promise<void> => {
      await app.log.releaseWriters();
      await evictAndKill(app, start, phone);
    };
    const phone = await useRepeatedly(hideAndEvict, options);
    expect(await unsealedOf(phone)).toEqual({ core: 20, chat: 20 });
    await expectAll(phone);
  });

  it('begins a segment at each start if it deletes the local storage too', async () => {
    const evictAll = async (app: PhoneApp, start: number, phone: Phone): Promise<void> => {
      await evictAndKill(app, start, phone);
      phone.restoreLocalStorage({ localStorage: new Map() });
    };
    const phone = await useRepeatedly(evictAll);
    expect(await unsealedOf(phone)).toEqual({ core: 20, chat: 20 });
    await expectAll(phone);
  });

  it('does not continue a writer whose last lines the local storage lacks', async () => {
    const phone = new Phone();
    const first = await startAndSave(phone, 'One');
    const { localStorage } = await phone.backUp();
    await putWorkspace(first.log, 'Two');
    await evictAndKill(first, 0, phone);
    phone.restoreLocalStorage({ localStorage });
    await startAndSave(phone, 'Three');
    expect(await writersOf(phone)).toHaveLength(2);
  });

  it('does not continue the writer of a window that lives', async () => {
    const phone = new Phone();
    const first = await startAndSave(phone, 'One');
    await phone.evict();
    const second = await startAndSave(phone, 'Two');
    expect([...second.writers].filter((writer) => first.writers.has(writer))).toEqual([]);
    await putWorkspace(first.log, 'Three');
    expect(await writersOf(phone)).toHaveLength(2);
  });

  it.each([
    ['a line more', (text: string) => `${text}${text.trimEnd().split('\n').at(-1)}\n`],
    ['a line less', (text: string) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`],
    ['another end of the same length', (text: string) => text.replace(/.\n$/, ' \n')],
    ['nothing', () => ''],
  ])('does not continue a segment that a sync has left with %s', async (_, change) => {
    const { phone, dead } = await evictedPhone();
    const [path] = Object.keys(phone.vault.snapshot()).filter((each) => /core.+l$/.test(each));
    const changed = change(textOf(phone, path!));
    await phone.vault.write(path!, Buffer.from(changed));
    const next = await startAndSave(phone, 'Two');
    expect([...next.writers].filter((writer) => dead.writers.has(writer))).toEqual([]);
    expect(textOf(phone, path!)).toBe(changed);
  });
});

describe('a phone restored from the backup of another one', () => {
  const restored = async (hasDatabase: boolean) => {
    const phone = new Phone();
    const app = await startAndSave(phone, 'One');
    const copy = new Phone({}, new MemoryMedium(phone.vault.snapshot()));
    await copy.restore(await phone.backUp());
    if (!hasDatabase) await copy.evict();
    return { phone, app, copy };
  };

  it.each([true, false])(
    'shares no segment with it; with its database: %s',
    async (hasDatabase) => {
      const { phone, app, copy } = await restored(hasDatabase);
      const second = await startAndSave(copy, 'Two');
      await putWorkspace(app.log, 'Three');
      expect([...second.writers].filter((writer) => app.writers.has(writer))).toEqual([]);
      const [path] = divergedPaths(phone, copy);
      expect(textOf(phone, path!).startsWith(textOf(copy, path!))).toBe(true);
    },
  );

  it.each([true, false])('then continues its own; with the database: %s', async (hasDatabase) => {
    const { app, copy } = await restored(hasDatabase);
    app.kill();
    for (let start = 0; start < 20; start++) {
      const next = await startAndSave(copy, `Plan ${start}`);
      await evictAndKill(next, start, copy);
    }
    expect(await unsealedOf(copy)).toEqual({ core: 2 });
  });
});
