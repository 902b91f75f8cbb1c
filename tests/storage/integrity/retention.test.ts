import { describe, expect, it, vi } from 'vitest';
import type { Draft, JsonObject } from '../../../src/model/event.js';
import { Refusal } from '../../../src/model/refusal.js';
import { traceData } from '../../../src/model/trace.js';
import type { FileInfo } from '../../../src/platform/files.js';
import type { LogOptions } from '../../../src/storage/log.js';
import type { Log } from '../../../src/storage/vault-log.js';
import {
  Retention,
  DEFAULT_TRACE_LIMITS,
  type RetentionOptions,
} from '../../../src/storage/integrity/retention.js';
import { Retirements } from '../../../src/storage/integrity/retirements.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { createMemoryIdentities, createTestClock } from '../../fakes/deterministic.js';
import { joinLines, lineOf, WRITER_B, type EventFields } from '../../fakes/events.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { watchFiles } from '../../fakes/watched-files.js';
import { createVault, eventsIn, putWorkspace, ROOT, segmentsIn } from '../helpers.js';

vi.mock('../../../src/platform/sha256.js', () => import('../../simulation/instant-sha256.js'));

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TRACES = `${ROOT}/trace`;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

/** A line of another writer. */
const newer = (t: string, v: number) =>
  new TextDecoder().decode(lineOf({ t, v, w: WRITER_B, e: 'x', d: { ws: 'default' } }).bytes);

type Vault = ReturnType<typeof createVault>;

let traces = 0;

/** Writes a trace of about `size` bytes in its line. */
async function writeTrace(log: Log, size = 0): Promise<void> {
  const call = {
    workspaceId: 'default',
    sessionId: 's',
    toolset: 'a',
    tool: 'x'.repeat(size),
    input: '{}',
    outcome: 'ok',
    isSuccess: true,
  };
  await log.writeTrace({ t: 'trace.new', e: `trace-${++traces}`, d: traceData(call) });
}

async function passOn({ clock }: Vault, ms: number): Promise<void> {
  clock.advance(ms);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets retention run once. It starts some time after the first read, then runs daily. */
async function runOnce(vault: Vault): Promise<void> {
  await passOn(vault, DAY);
  for (let file = 0; file < 12; file++) await passOn(vault, 1000);
}

const days = (limit: number): Partial<LogOptions> => ({
  traceLimits: { days: limit, bytes: FOR_EVER },
});

const retirements = async ({ files }: Vault) =>
  (await eventsIn(files)).filter(({ t }) => t === 'log.retire').map(({ d }) => d);

const pathOf = ({ file }: JsonObject) => `${TRACES}/${file as string}`;

const traceFiles = ({ files }: Vault) => files.paths().filter((path) => path.startsWith(TRACES));

/** A vault with a device's sealed trace segment, and an open one of the next day. */
async function vaultWithTraces(
  device = 'here',
  identities = createMemoryIdentities(),
): Promise<Vault> {
  const vault = createVault();
  const log = vault.open({ device, identities });
  await writeTrace(log);
  await writeTrace(log);
  vault.clock.advance(DAY);
  await writeTrace(log);
  await log.close();
  expect(traceFiles(vault)).toHaveLength(2);
  return vault;
}

describe('retention', () => {
  it('retires an old sealed segment, and deletes its file a day later', async () => {
    const vault = await vaultWithTraces();
    const [old, young] = await segmentsIn(vault.files, TRACES);
    const before = await verify(vault.files, ROOT, { now: vault.clock.now() });
    await passOn(vault, 5 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    expect(await log.traceEntries('default')).toHaveLength(3);
    await log.memory();
    await runOnce(vault);
    const { w, n: from } = old!.events[0]!;
    const d = {
      lane: 'trace',
      file: old!.path.slice(TRACES.length + 1),
      w,
      from,
      to: old!.events.at(-1)!.n,
      count: old!.events.length,
    };
    expect(await retirements(vault)).toEqual([
      { ...d, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, why: 'age' },
    ]);
    expect(await log.traceEntries('default')).toHaveLength(3);
    expect(traceFiles(vault)).toEqual([old!.path, young!.path]);
    const marked = await verify(vault.files, ROOT, { now: vault.clock.now() });
    await runOnce(vault);
    expect(await log.traceEntries('default')).toHaveLength(1);
    expect(traceFiles(vault)).toEqual([young!.path]);
    const { isWhole, writers } = await verify(vault.files, ROOT, {
      now: vault.clock.now(),
    });
    expect([before.isWhole, marked.isWhole, isWhole]).toEqual([true, true, true]);
    expect(writers.find(({ writer }) => writer === w)).toMatchObject({
      missing: [],
      retired: old!.events.length,
    });
    await log.close();
  });

  it('keeps everything without limits, and starts after a delay', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 999 * DAY);
    const unlimited = vault.open({ device: 'here' });
    await unlimited.memory();
    await runOnce(vault);
    const limited = vault.open({ device: 'here', ...days(5) });
    await runOnce(vault);
    await limited.memory();
    await passOn(vault, 4 * MINUTE);
    expect(await retirements(vault)).toEqual([]);
    expect(traceFiles(vault)).toHaveLength(2);
  });

  it('retires the oldest sealed segments until the rest fits the limit', async () => {
    const vault = createVault();
    const limits = { days: 9999, bytes: 100_000 };
    const log = vault.open({ device: 'here', traceLimits: limits });
    for (let day = 0; day < 6; day++) {
      await writeTrace(log, 30_000);
      await passOn(vault, DAY);
    }
    const paths = traceFiles(vault);
    await log.memory();
    await runOnce(vault);
    await runOnce(vault);
    expect((await retirements(vault)).map(({ why }) => why)).toEqual(['size', 'size', 'size']);
    expect(traceFiles(vault)).toEqual(paths.slice(3));
    await log.close();
  });

  it('keeps a segment in use, and an unsealed one for 30 more days', async () => {
    const vault = await vaultWithTraces();
    const [, young] = traceFiles(vault);
    const open = vault.open({ device: 'here' });
    await writeTrace(open);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await passOn(vault, 30 * DAY);
    await runOnce(vault);
    await runOnce(vault);
    expect(traceFiles(vault)).toHaveLength(2);
    expect(traceFiles(vault)).toContain(young);
    await passOn(vault, 10 * DAY);
    await runOnce(vault);
    await runOnce(vault);
    expect(traceFiles(vault)).toEqual([]);
    await writeTrace(open); // seals or abandons the deleted segment, and continues in another
    await open.close();
    const { isWhole, writers } = await verify(vault.files, ROOT, { now: vault.clock.now() });
    expect({ isWhole, missing: writers.flatMap(({ missing }) => missing) }).toEqual({
      isWhole: true,
      missing: [],
    });
    await log.close();
  });

  it('keeps a segment of any age that this process writes to', async () => {
    const vault = createVault();
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await writeTrace(log);
    const paths = traceFiles(vault);
    await passOn(vault, 50 * DAY);
    await runOnce(vault);
    await runOnce(vault);
    expect([traceFiles(vault), await retirements(vault)]).toEqual([paths, []]);
    await log.close();
  });

  it("keeps other devices' segments for 30 days, unsealed ones forever", async () => {
    const vault = await vaultWithTraces('elsewhere');
    const paths = traceFiles(vault);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await passOn(vault, 20 * DAY);
    await runOnce(vault);
    expect(await retirements(vault)).toEqual([]);
    await passOn(vault, 30 * DAY);
    await runOnce(vault);
    await runOnce(vault);
    expect(await retirements(vault)).toHaveLength(1);
    expect(traceFiles(vault)).toEqual(paths.slice(1));
    await log.close();
  });

  it('tolerates two devices that retire the same segment', async () => {
    const vault = await vaultWithTraces('gone');
    const [path] = traceFiles(vault);
    const copies = [createVault(), createVault()];
    for (const copy of copies) {
      for (const each of vault.files.paths()) copy.files.put(each, vault.files.text(each));
      const log = copy.open({ device: 'here', ...days(5) });
      await log.memory();
      await passOn(copy, 50 * DAY);
      await runOnce(copy);
      await log.close();
    }
    for (const from of copies)
      for (const each of from.files.paths()) vault.files.put(each, from.files.text(each));
    expect((await retirements(vault)).map(pathOf)).toEqual([path, path]);
    vault.clock.set(copies[1]!.clock.now());
    const before = await verify(vault.files, ROOT, { now: vault.clock.now() });
    await vault.files.remove(path!);
    const after = await verify(vault.files, ROOT, { now: vault.clock.now() });
    expect([before.isWhole, after.isWhole]).toEqual([true, true]);
  });

  it('deletes a retired file that reappears under any name', async () => {
    const vault = await vaultWithTraces();
    const [path, young] = traceFiles(vault);
    const text = vault.files.text(path!);
    await passOn(vault, 10 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await runOnce(vault);
    await runOnce(vault);
    for (const name of [path!, path!.replace('.jsonl', ' (1).jsonl')]) {
      vault.files.put(name, text);
      expect(await verify(vault.files, ROOT, { now: vault.clock.now() })).toMatchObject({
        isWhole: true,
      });
      await runOnce(vault);
      expect(traceFiles(vault)).toEqual([young]);
    }
    await log.close();
  });

  it('resumes after a crash between retirement and deletion', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 10 * DAY);
    const first = vault.open({ device: 'here', ...days(9) });
    await first.memory();
    await runOnce(vault);
    expect([(await retirements(vault)).length, traceFiles(vault).length]).toEqual([1, 2]);
    const second = vault.open({ device: 'here', ...days(9) });
    await second.memory();
    await runOnce(vault);
    await runOnce(vault);
    expect([(await retirements(vault)).length, traceFiles(vault).length]).toEqual([1, 1]);
  });

  it('warns if the deletion fails, and tries again the next day', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 10 * DAY);
    const log = vault.open({ device: 'here', ...days(9) });
    const remove = vault.files.remove.bind(vault.files);
    vault.watched.remove = () => Promise.reject(new Refusal('The disk is locked.'));
    await log.memory();
    await runOnce(vault);
    await runOnce(vault);
    expect(traceFiles(vault)).toHaveLength(2);
    expect(vault.warnings).toEqual([
      expect.stringMatching(/is kept for now: The disk is locked\./),
    ]);
    vault.watched.remove = remove;
    await runOnce(vault);
    expect(traceFiles(vault)).toHaveLength(1);
    await log.close();
  });

  it('deletes nothing if the retirement cannot be written', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 10 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    vault.watched.beforeAppend = () => {
      throw new Refusal('The disk is full.');
    };
    await runOnce(vault);
    await runOnce(vault);
    expect(traceFiles(vault)).toHaveLength(2);
    expect(vault.warnings.every((warning) => /The disk is full/.test(warning))).toBe(true);
  });

  it.each([
    ['with a damaged line', (text: string) => text.replace('"tool":""', '"tool":"!"')],
    ['with an event of an unknown type', (text: string) => text + newer('thing.new', 1)],
    ['with an event of a later version', (text: string) => text + newer('trace.new', 2)],
    ['with lines of two writers', (text: string) => text + newer('trace.new', 1)],
    ['with a missing line', (text: string) => text.replace(/\n.*\n/, '\n')],
  ])('keeps a file %s', async (_, change) => {
    const vault = await vaultWithTraces();
    const [path] = traceFiles(vault);
    vault.files.put(path!, change(vault.files.text(path!)));
    await passOn(vault, 200 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await runOnce(vault);
    expect((await retirements(vault)).map(pathOf)).toEqual([traceFiles(vault)[1]]);
    await log.close();
  });

  it('never touches the core lane', async () => {
    const vault = createVault();
    const log = vault.open({ device: 'here', traceLimits: { days: 0, bytes: 0 } });
    await putWorkspace(log, 'Plan', 70_000);
    await putWorkspace(log, 'Other');
    const core = vault.files.paths();
    await passOn(vault, 500 * DAY);
    await runOnce(vault);
    expect(vault.files.paths()).toEqual(core);
    await log.close();
  });

  it('does nothing after the log is closed', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 10 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await log.close();
    await runOnce(vault);
    expect(await retirements(vault)).toEqual([]);
  });
});

describe('Retention', () => {
  const BEGUN = Date.UTC(2026, 9, 1, 12);
  const DEVICE = { device: 'here' };
  const MINE = 'mmmmmmmmmmmm';

  interface Line extends Partial<EventFields> {
    readonly t: string;
  }

  /** Lines of a segment that begins on the day of `BEGUN`, each a minute after the one before. */
  function segment(w: string, lines: readonly Line[], time = BEGUN): Uint8Array {
    return joinLines(
      lines.map((line, at) =>
        lineOf({ w, n: at + 1, h: `${new Date(time + at * MINUTE).toISOString()}.0000`, ...line }),
      ),
    );
  }

  const OPENING: Line = { t: 'log.seg', d: DEVICE };
  const TRACE: Line = { t: 'trace.new', d: { ws: 'default' } };
  const SEAL: Line = { t: 'log.seal' };
  const SEALED = [OPENING, TRACE, SEAL];

  function setUp(options: Partial<RetentionOptions> = {}) {
    const clock = createTestClock(BEGUN);
    const files = createMemoryFiles(() => clock.now());
    const watched = watchFiles(files);
    const retired = new Retirements();
    const written: Draft[] = [];
    const warnings: string[] = [];
    const catchUps: number[] = [];
    const note = (draft: Draft, time = clock.now()) =>
      retired.add(lineOf({ ...draft, h: `${new Date(time).toISOString()}.0000` }).event);
    const retention = new Retention({
      lane: 'trace',
      files: watched,
      root: ROOT,
      clock,
      limits: { days: 5, bytes: FOR_EVER },
      device: 'here',
      writer: () => MINE,
      retired,
      catchUp: () => Promise.resolve(void catchUps.push(clock.now())),
      write: (decide) => {
        const drafts = decide();
        for (const draft of drafts) note(draft);
        return Promise.resolve(void written.push(...drafts));
      },
      warn: (message) => void warnings.push(message),
      ...options,
    });
    const turn = async () => {
      for (let at = 0; at < 20; at++) await new Promise((resolve) => setImmediate(resolve));
    };
    const pass = async (ms: number) => {
      clock.advance(ms);
      await turn();
    };
    /** Runs retention once: a delay of five minutes, then a second per ten files. */
    async function goThrough(at: number): Promise<void> {
      clock.set(at);
      retention.start();
      await turn();
      await pass(5 * MINUTE);
      for (let file = 0; file < 10; file++) await pass(1000);
    }
    const put = (name: string, bytes: Uint8Array) => files.put(`${TRACES}/${name}`, bytes);
    /** Retires a segment as another device would. */
    const retire = (file: string, w: string, from: number, to: number, time = BEGUN + 6 * DAY) =>
      note({ t: 'log.retire', e: '', d: { lane: 'trace', file, w, from, to, why: 'size' } }, time);
    return {
      clock,
      files,
      watched,
      retired,
      written,
      warnings,
      catchUps,
      retention,
      pass,
      turn,
      goThrough,
      put,
      retire,
    };
  }

  const filesOf = (drafts: readonly Draft[]) => drafts.map(({ d }) => d['file']);

  it('keeps traces for 90 days, and up to 50 MB of them, by default', () => {
    expect(DEFAULT_TRACE_LIMITS).toEqual({ days: 90, bytes: 52_428_800 });
  });

  it('runs after five minutes and then daily, even after a failure', async () => {
    let isFailing = true;
    const { catchUps, clock, warnings, retention, pass, turn } = setUp({
      catchUp: () => {
        catchUps.push(clock.now());
        return isFailing ? Promise.reject(new TypeError('oops')) : Promise.resolve();
      },
    });
    retention.start();
    retention.start();
    await turn();
    await pass(5 * MINUTE - 1);
    expect(catchUps).toEqual([]);
    await pass(1);
    isFailing = false;
    await pass(DAY - 1);
    await pass(1);
    expect(catchUps).toEqual([BEGUN + 5 * MINUTE, BEGUN + 5 * MINUTE + DAY]);
    expect(warnings).toEqual(['Old segments could not be removed: TypeError: oops']);
  });

  it('stops between two files', async () => {
    const { put, clock, retention, pass, turn, written } = setUp();
    put('20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED));
    put('20261001-b.jsonl', segment('bbbbbbbbbbbb', SEALED));
    clock.set(BEGUN + 10 * DAY);
    retention.start();
    await turn();
    await pass(5 * MINUTE);
    await pass(100);
    expect(filesOf(written)).toEqual(['20261001-a.jsonl']);
    await retention.stop();
    await pass(10 * DAY);
    expect(written).toHaveLength(1);
  });

  it('starts with the oldest day, and reads no files within the limits', async () => {
    const { put, watched, written, goThrough } = setUp();
    for (const [w, day] of Object.entries({ c: 3, a: 1, d: 20, b: 2 }))
      put(
        `202610${String(day).padStart(2, '0')}-${w}.jsonl`,
        segment(w.repeat(12), SEALED, BEGUN + (day - 1) * DAY),
      );
    await goThrough(BEGUN + 21 * DAY);
    expect(filesOf(written)).toEqual(['20261001-a.jsonl', '20261002-b.jsonl', '20261003-c.jsonl']);
    expect(watched.reads.map((path) => path.slice(-7))).toEqual(['a.jsonl', 'b.jsonl', 'c.jsonl']);
  });

  it('retires the future seal of an unsealed segment too', async () => {
    const { put, written, goThrough } = setUp();
    put('20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED));
    put('2026-10/20261001-b.jsonl', segment('bbbbbbbbbbbb', [OPENING, TRACE]));
    await goThrough(BEGUN + 50 * DAY);
    const sha = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    const common = { lane: 'trace', from: 1, sha256: sha, why: 'age' };
    expect(written).toEqual([
      {
        t: 'log.retire',
        e: '',
        d: { ...common, file: '2026-10/20261001-b.jsonl', w: 'bbbbbbbbbbbb', to: 3, count: 2 },
      },
      {
        t: 'log.retire',
        e: '',
        d: { ...common, file: '20261001-a.jsonl', w: 'aaaaaaaaaaaa', to: 3, count: 3 },
      },
    ]);
  });

  it.each<[string, readonly Line[]]>([
    ['an event of an unknown type', [OPENING, { t: 'thing.new' }, SEAL]],
    ['an event of a later version', [OPENING, { ...TRACE, v: 2 }, SEAL]],
    ['an event of another writer', [OPENING, { ...TRACE, w: WRITER_B }, SEAL]],
    ['a gap', [OPENING, { ...TRACE, n: 3 }, { ...SEAL, n: 4 }]],
  ])('keeps a sealed segment with %s', async (_, lines) => {
    const { put, written, goThrough } = setUp();
    put('20261001-a.jsonl', segment('aaaaaaaaaaaa', lines));
    put('20261001-b.jsonl', segment('bbbbbbbbbbbb', SEALED));
    await goThrough(BEGUN + 200 * DAY);
    expect(filesOf(written)).toEqual(['20261001-b.jsonl']);
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['that is empty', () => new Uint8Array()],
    [
      'that contains other data',
      (bytes) => joinLines([{ bytes: new TextEncoder().encode('rubbish\n') }, { bytes }]),
    ],
    [
      'in which a line is only NULs now',
      (bytes) =>
        joinLines([{ bytes: new TextEncoder().encode(`${'\0'.repeat(80)}\n`) }, { bytes }]),
    ],
  ])('keeps a file %s, and does not warn', async (_, change) => {
    const { put, files, written, warnings, goThrough } = setUp();
    put('20261001-a.jsonl', change(segment('aaaaaaaaaaaa', SEALED)));
    await goThrough(BEGUN + 200 * DAY);
    expect([written, warnings, files.paths()]).toEqual([[], [], [`${TRACES}/20261001-a.jsonl`]]);
  });

  it("keeps this process's segment, and recent events in an old file", async () => {
    const { put, written, goThrough } = setUp();
    put('20261001-a.jsonl', segment(MINE, [OPENING, TRACE]));
    put('20261001-b.jsonl', segment('bbbbbbbbbbbb', SEALED, BEGUN + 46 * DAY));
    put('20261001-c.jsonl', segment('cccccccccccc', [OPENING, TRACE]));
    await goThrough(BEGUN + 50 * DAY);
    expect(filesOf(written)).toEqual(['20261001-c.jsonl']);
  });

  it('treats a segment as its own only if `log.seg` names this device', async () => {
    const { put, written, goThrough } = setUp();
    put(
      '20261001-a.jsonl',
      segment('aaaaaaaaaaaa', [{ ...TRACE, d: { ...TRACE.d, ...DEVICE } }, SEAL]),
    );
    await goThrough(BEGUN + 20 * DAY);
    expect(written).toEqual([]);
    const later = setUp();
    later.put('20261001-a.jsonl', segment('aaaaaaaaaaaa', [TRACE, SEAL]));
    await later.goThrough(BEGUN + 36 * DAY);
    expect(later.written).toHaveLength(1);
  });

  it('keeps a segment that is exactly as old as the limit', async () => {
    for (const [ms, gone] of [
      [0, 0],
      [1, 1],
    ] as const) {
      const { put, written, goThrough } = setUp();
      // its last line is two minutes younger
      put('20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED));
      await goThrough(BEGUN + 5 * DAY + 2 * MINUTE - (5 * MINUTE + 1000) + ms);
      expect(written).toHaveLength(gone);
    }
  });

  it('leaves links and what is neither file nor folder alone', async () => {
    const { put, watched, written, goThrough } = setUp();
    put('20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED));
    put('20261001-b.jsonl', segment('bbbbbbbbbbbb', SEALED));
    put('2026-10/20261001-c.jsonl', segment('cccccccccccc', SEALED));
    put('20261001-d.jsonl', segment('dddddddddddd', SEALED));
    const list = watched.list.bind(watched);
    watched.list = async (folder) =>
      (await list(folder)).map((entry) => {
        if (entry.name.includes('-a.')) return { ...entry, isLink: true };
        if (entry.name === '2026-10') return { ...entry, isLink: true };
        return entry.name.includes('-b.') ? { ...entry, kind: 'other' } : entry;
      });
    await goThrough(BEGUN + 20 * DAY);
    expect(filesOf(written)).toEqual(['20261001-d.jsonl']);
  });

  describe('over the size limit', () => {
    const SIZE = segment('aaaaaaaaaaaa', SEALED).length;
    const limits = { days: 999, bytes: 2 * SIZE };

    it('keeps segments that fit without those that wait for their deletion', async () => {
      const { put, written, retire, goThrough } = setUp({ limits });
      for (const [w, day] of Object.entries({ a: 1, b: 2, c: 3 }))
        put(`2026100${day}-${w}.jsonl`, segment(w.repeat(12), SEALED));
      put('20261004-notes.md', new Uint8Array(1000));
      retire('20261001-a.jsonl', 'aaaaaaaaaaaa', 1, 3, BEGUN + DAY);
      await goThrough(BEGUN + DAY);
      expect(written).toEqual([]);
    });

    it('keeps a file whose name does not start with a day', async () => {
      const { put, written, goThrough } = setUp({ limits: { ...limits, bytes: 0 } });
      put('old-20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED));
      put('20261001-b.jsonl', segment('bbbbbbbbbbbb', SEALED));
      await goThrough(BEGUN + 100 * DAY);
      expect(filesOf(written)).toEqual(['20261001-b.jsonl']);
    });

    it('retires the oldest segment, in any order of the listing', async () => {
      const { put, written, goThrough } = setUp({ limits });
      for (const [w, name] of Object.entries({ b: '20261002-b', c: 'notes', a: '20261001-a' }))
        put(`${name}.jsonl`, segment(w.repeat(12), SEALED));
      await goThrough(BEGUN + 100 * DAY);
      expect(filesOf(written)).toEqual(['20261001-a.jsonl']);
    });

    it("retires this device's sealed segment even if its lines are dated ahead", async () => {
      const { put, written, goThrough } = setUp({ limits: { ...limits, bytes: 0 } });
      put('20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED, BEGUN + DAY));
      await goThrough(BEGUN);
      expect(written.map(({ d }) => d['why'])).toEqual(['size']);
    });

    it("keeps another device's segment that is exactly 30 days old", async () => {
      for (const [ms, gone] of [
        [0, 0],
        [1, 1],
      ] as const) {
        const { put, written, goThrough } = setUp({ limits: { ...limits, bytes: 0 } });
        const foreign: Line = { t: 'log.seg', d: { device: 'elsewhere' } };
        put('20261001-a.jsonl', segment('aaaaaaaaaaaa', [foreign, TRACE, SEAL]));
        await goThrough(BEGUN + 30 * DAY + 2 * MINUTE - (5 * MINUTE + 1000) + ms);
        expect(written).toHaveLength(gone);
      }
    });

    it("keeps unsealed and other devices' segments for 30 more days", async () => {
      const foreign: Line = { t: 'log.seg', d: { device: 'elsewhere' } };
      for (const { days, gone } of [
        { days: 29, gone: ['a'] },
        { days: 33, gone: ['a', 'b', 'c'] },
      ]) {
        const { put, written, goThrough } = setUp({ limits: { ...limits, bytes: 0 } });
        put('20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED));
        put('20261002-b.jsonl', segment('bbbbbbbbbbbb', [OPENING, TRACE]));
        put('20261003-c.jsonl', segment('cccccccccccc', [foreign, TRACE, SEAL]));
        await goThrough(BEGUN + days * DAY);
        expect(written.map(({ d }) => [pathOf(d).slice(-7, -6), d['why']])).toEqual(
          gone.map((name) => [name, 'size']),
        );
      }
    });
  });

  describe('when it deletes a file', () => {
    const NAME = '20261001-a.jsonl';
    const PATH = `${TRACES}/${NAME}`;

    it.each([3, 0.5])('keeps what anyone else has retired too early (%s lines)', async (lines) => {
      const { put, retire, files, goThrough } = setUp();
      const bytes = segment('aaaaaaaaaaaa', SEALED);
      put(NAME, lines === 3 ? bytes : bytes.subarray(0, 50));
      retire(NAME, 'aaaaaaaaaaaa', 1, 3, BEGUN + 2 * DAY);
      await goThrough(BEGUN + 4 * DAY);
      expect(files.paths()).toEqual([PATH]);
    });

    it('deletes what was retired for its size only while there is too much', async () => {
      for (const [bytes, left] of [
        [FOR_EVER, 1],
        [0, 0],
      ] as const) {
        const { put, retire, files, goThrough } = setUp({ limits: { days: 999, bytes } });
        put(NAME, segment('aaaaaaaaaaaa', SEALED));
        retire(NAME, 'aaaaaaaaaaaa', 1, 3, BEGUN + 2 * DAY);
        await goThrough(BEGUN + 4 * DAY);
        expect(files.paths()).toHaveLength(left);
      }
    });

    it('waits a day after the last of its lines was retired', async () => {
      const { put, retire, files, goThrough, pass } = setUp();
      put(NAME, segment('aaaaaaaaaaaa', SEALED));
      retire(NAME, 'aaaaaaaaaaaa', 1, 2, BEGUN + 5 * DAY);
      retire(NAME, 'aaaaaaaaaaaa', 3, 3);
      await goThrough(BEGUN + 7 * DAY - 6 * MINUTE);
      expect(files.paths()).toEqual([PATH]);
      await pass(DAY);
      await pass(1000);
      expect(files.paths()).toEqual([]);
    });

    it.each([
      ['a whole line and half of one', 1.5],
      ['half a line', 0.5],
    ])('deletes what a sync service brings back of it: %s', async (_, lines) => {
      const { put, retire, files, goThrough } = setUp();
      const bytes = segment('aaaaaaaaaaaa', SEALED);
      const cut = Math.floor(lines * (bytes.indexOf(10) + 1));
      put(NAME, bytes.subarray(0, cut));
      put('20261001-b.jsonl', bytes.subarray(0, cut)); // of no retired file
      retire(NAME, 'aaaaaaaaaaaa', 1, 3);
      await goThrough(BEGUN + 7 * DAY);
      expect(files.paths()).toEqual([`${TRACES}/20261001-b.jsonl`]);
    });

    it('deletes two beginnings of it that a sync service has merged', async () => {
      const { put, retire, files, goThrough } = setUp();
      const bytes = segment('aaaaaaaaaaaa', SEALED);
      const [long, short] = [bytes.subarray(0, bytes.indexOf(10) + 50), bytes.subarray(0, 50)];
      put(NAME, joinLines([long, short].map((part) => ({ bytes: part }))));
      retire(NAME, 'aaaaaaaaaaaa', 1, 3);
      await goThrough(BEGUN + 7 * DAY);
      expect(files.paths()).toEqual([]);
    });

    it('waits a day before it deletes half a line of it', async () => {
      const { put, retire, files, goThrough, pass } = setUp();
      put(NAME, segment('aaaaaaaaaaaa', SEALED).subarray(0, 50));
      retire(NAME, 'aaaaaaaaaaaa', 1, 3, BEGUN + 20 * DAY);
      await goThrough(BEGUN + 21 * DAY - 6 * MINUTE);
      expect(files.paths()).toEqual([PATH]);
      await pass(DAY);
      await pass(1000);
      expect(files.paths()).toEqual([]);
    });

    it('keeps the beginning of it if a line before the last is damaged', async () => {
      const { put, retire, files, goThrough } = setUp();
      const bytes = segment('aaaaaaaaaaaa', SEALED);
      const [line, half] = [bytes.subarray(0, bytes.indexOf(10) + 1), bytes.subarray(0, 50)];
      const damaged = new TextEncoder().encode('rubbish\n');
      put(NAME, joinLines([line, damaged, half].map((part) => ({ bytes: part }))));
      retire(NAME, 'aaaaaaaaaaaa', 1, 3);
      await goThrough(BEGUN + 200 * DAY);
      expect(files.paths()).toEqual([PATH]);
    });

    it('keeps the beginning of it if a line in it is not retired', async () => {
      const { put, retire, files, written, goThrough } = setUp();
      put(NAME, segment('bbbbbbbbbbbb', SEALED).subarray(0, -10));
      retire(NAME, 'aaaaaaaaaaaa', 1, 3);
      await goThrough(BEGUN + 200 * DAY);
      expect([files.paths(), written]).toEqual([[PATH], []]);
    });

    it('does not wait longer than a day', async () => {
      const { put, retire, files, goThrough } = setUp();
      put(NAME, segment('aaaaaaaaaaaa', SEALED));
      retire(NAME, 'aaaaaaaaaaaa', 1, 3);
      await goThrough(BEGUN + 7 * DAY - 5 * MINUTE - 1000);
      expect(files.paths()).toEqual([]);
    });

    it.each<[string, (info: FileInfo) => FileInfo | undefined]>([
      ['another size', (info) => ({ ...info, size: info.size + 1 })],
      ['another time', (info) => ({ ...info, mtime: info.mtime + 1 })],
      ['another file id', (info) => ({ ...info, fileId: 'other' })],
      ['missing', () => undefined],
    ])('keeps a file that changes during the check: %s', async (_, change) => {
      const { put, retire, files, watched, warnings, goThrough } = setUp();
      put(NAME, segment('aaaaaaaaaaaa', SEALED));
      retire(NAME, 'aaaaaaaaaaaa', 1, 3);
      watched.stat = async (path) => {
        const info = await files.stat(path);
        return info && (watched.reads.length > 0 ? change(info) : info);
      };
      await goThrough(BEGUN + 10 * DAY);
      expect([files.paths(), warnings]).toEqual([[PATH], []]);
    });

    it('keeps a file if its read returns too few bytes or nothing', async () => {
      for (const bytes of [segment('aaaaaaaaaaaa', SEALED).subarray(1), undefined]) {
        const { put, retire, files, watched, warnings, goThrough } = setUp();
        put(NAME, segment('aaaaaaaaaaaa', SEALED));
        retire(NAME, 'aaaaaaaaaaaa', 1, 3);
        watched.read = () => Promise.resolve(bytes);
        await goThrough(BEGUN + 10 * DAY);
        expect([files.paths(), warnings]).toEqual([[PATH], []]);
      }
    });

    it('keeps a retired file in which a line is only NULs now', async () => {
      const { put, retire, files, goThrough } = setUp();
      const bytes = segment('aaaaaaaaaaaa', SEALED);
      bytes.fill(0, 0, bytes.indexOf(10));
      put(NAME, bytes);
      retire(NAME, 'aaaaaaaaaaaa', 1, 3);
      await goThrough(BEGUN + 10 * DAY);
      expect(files.paths()).toEqual([PATH]);
    });

    it('skips a file that disappeared after it was listed', async () => {
      const { put, files, watched, warnings, written, goThrough } = setUp();
      put(NAME, segment('aaaaaaaaaaaa', SEALED));
      put('20261002-b.jsonl', segment('bbbbbbbbbbbb', SEALED));
      watched.stat = (path) => (path === PATH ? Promise.resolve(undefined) : files.stat(path));
      await goThrough(BEGUN + 50 * DAY);
      expect([filesOf(written), warnings]).toEqual([['20261002-b.jsonl'], []]);
    });
  });

  it('retires a file again only if just a part of it was retired meanwhile', async () => {
    for (const { to, count } of [
      { to: 3, count: 0 },
      { to: 2, count: 1 },
    ]) {
      const written: Draft[] = [];
      const vault = setUp({
        write: (decide) => {
          vault.retire('20261001-a.jsonl', 'aaaaaaaaaaaa', 1, to);
          return Promise.resolve(void written.push(...decide()));
        },
      });
      vault.put('20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED));
      await vault.goThrough(BEGUN + 50 * DAY);
      expect(written).toHaveLength(count);
    }
  });

  it('reports a bug as a failed run, not as a kept file', async () => {
    const { put, watched, warnings, goThrough } = setUp();
    put('20261001-a.jsonl', segment('aaaaaaaaaaaa', SEALED));
    watched.beforeRead = (path) => {
      if (path.endsWith('.jsonl')) throw new TypeError('oops');
    };
    await goThrough(BEGUN + 50 * DAY);
    expect(warnings).toEqual(['Old segments could not be removed: TypeError: oops']);
  });
});
