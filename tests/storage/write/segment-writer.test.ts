import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { allWorkspaces } from '../../../src/model/lookup.js';
import { Refusal } from '../../../src/model/refusal.js';
import { FileChangedError, FileReplacedError } from '../../../src/platform/files.js';
import type { WriterRecord } from '../../../src/storage/write/writer-identity.js';
import { isWriterId } from '../../../src/platform/random.js';
import { dayOf, segmentPath, type LaneName } from '../../../src/storage/format/lanes.js';
import { CHAIN_START } from '../../../src/storage/format/line-hash.js';
import { encodeLine, MAX_LINE_BYTES } from '../../../src/storage/format/line.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { HybridClock } from '../../../src/storage/format/hybrid-clock.js';
import type { SeenWriter } from '../../../src/storage/format/watermark.js';
import type { WriterIndex } from '../../../src/storage/read/writer-index.js';
import type { LogAppend } from '../../../src/storage/write/segment-file.js';
import { LogSegmentWriter } from '../../../src/storage/write/segment-writer.js';
import { createMemoryIdentities, createTestRandom } from '../../fakes/deterministic.js';
import { clockText, joinLines, lineOf, workspaceDraft } from '../../fakes/events.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { createVault, eventsIn, put, putWorkspace, ROOT, segmentsIn, typesOf } from '../helpers.js';

const DAY = 86_400_000;

/** Expects every writer to count from 1 without gaps, with each event linked to the one before. */
function expectChains(events: readonly LogEvent[]): void {
  for (const writer of new Set(events.map(({ w }) => w))) {
    const own = events.filter(({ w }) => w === writer).sort((a, b) => a.n - b.n);
    expect(own.map(({ n }) => n)).toEqual(own.map((_, index) => index + 1));
    expect(own.map(({ p }) => p)).toEqual([CHAIN_START, ...own.map(hashOf)].slice(0, -1));
    expect(own.map(({ h }) => h)).toEqual([...new Set(own.map(({ h }) => h))].sort());
  }
}

/** Returns the hash of an event's line, which is encoded the same way each time. */
function hashOf(event: LogEvent): string {
  return encodeLine(event).hash;
}

async function writersIn(files: MemoryFiles): Promise<string[]> {
  return [...new Set((await eventsIn(files)).map(({ w }) => w))];
}

async function names(log: Log): Promise<string[]> {
  return allWorkspaces(await log.memory()).map(({ displayName }) => displayName);
}

describe('a segment writer', () => {
  it('begins a segment with its device and vault', async () => {
    const { files, open } = createVault();
    await putWorkspace(open({ device: 'linux-1a2b' }), 'Plan');
    const [segment] = await segmentsIn(files);
    expect(typesOf(segment!.events)).toBe('log.seg log.vault ws.new');
    const vault = segment!.events[1]!.d['id'];
    expect(vault).toMatch(/^[a-km-np-z2-9]{16}$/);
    expect(segment!.events[0]!.d).toEqual({
      fmt: 1,
      app: 'savepoint/test',
      device: 'linux-1a2b',
      vault,
    });
    expect(segment!.bytes.at(-1)).toBe(0x0a);
    expectChains(segment!.events);
  });

  it('names a segment by its day, writer and number', async () => {
    const { files, open } = createVault();
    await putWorkspace(open(), 'Plan');
    const [segment] = await segmentsIn(files);
    const { w } = segment!.events[0]!;
    expect(isWriterId(w)).toBe(true);
    expect(segment!.path).toBe(`${ROOT}/core/2026-11/20261120-${w}-0001.jsonl`);
    expect(segment!.path.split('/').at(-1)).toMatch(/^[a-z0-9-]{1,60}\.jsonl$/);
  });

  it("writes the vault's id once, and a watermark in each new segment", async () => {
    const { files, open } = createVault();
    await putWorkspace(open(), 'One');
    await putWorkspace(open(), 'Two');
    const events = await eventsIn(files);
    expect(events.filter(({ t }) => t === 'log.vault')).toHaveLength(1);
    const first = events.find(({ t }) => t === 'log.vault');
    const watermark = events.find(({ t }) => t === 'log.mark');
    const last = events.find(({ w, n }) => w === first!.w && n === 3);
    const seen = { core: { [first!.w]: [3, hashOf(last!)] } };
    expect(watermark).toMatchObject({ n: 2, d: { seen } });
  });

  it('seals a segment before it exceeds 64 KB, with its count', async () => {
    const { files, open } = createVault();
    const log = open();
    for (let i = 0; i < 30; i++) await putWorkspace(log, `Plan ${i}`, 5000);
    const segments = await segmentsIn(files);
    expect(segments.length).toBeGreaterThan(2);
    for (const { bytes, events } of segments.slice(0, -1)) {
      const seal = events.at(-1)!;
      const before = bytes.subarray(0, bytes.subarray(0, -1).lastIndexOf(0x0a) + 1);
      expect(before.length).toBeLessThanOrEqual(64 * 1024);
      expect(seal).toMatchObject({
        t: 'log.seal',
        d: { count: events.length - 1 },
      });
    }
    expect(typesOf(segments.at(-1)!.events)).not.toContain('log.seal');
    expect(segments.map(({ path }) => path.slice(-10))).toEqual(
      segments.map((_, index) => `${String(index + 1).padStart(4, '0')}.jsonl`.slice(-10)),
    );
    expectChains(segments.flatMap(({ events }) => events));
    expect(await writersIn(files)).toHaveLength(1);
  });

  it('seals segments during concurrent writes, and loses no write', async () => {
    const { files, open } = createVault();
    const log = open();
    await Promise.all(Array.from({ length: 60 }, (_, i) => putWorkspace(log, `Plan ${i}`, 4000)));
    const segments = await segmentsIn(files);
    expect(segments.length).toBeGreaterThan(3);
    for (const { bytes } of segments) expect(bytes.length).toBeLessThan(65 * 1024);
    expectChains(segments.flatMap(({ events }) => events));
    expect(await names(open())).toHaveLength(61);
  });

  it('writes a line that is longer than a segment to its own file', async () => {
    const { files, open } = createVault();
    const log = open();
    await putWorkspace(log, 'Small');
    await putWorkspace(log, 'Long', 200_000);
    await putWorkspace(log, 'Small again');
    const segments = await segmentsIn(files);
    expect(segments.map(({ events }) => typesOf(events))).toEqual([
      'log.seg log.vault ws.new log.seal',
      'log.seg ws.new log.seal',
      'log.seg ws.new',
    ]);
    expectChains(segments.flatMap(({ events }) => events));
  });

  it('writes two long first lines and a short one to separate files', async () => {
    const { files, open } = createVault();
    const log = open();
    await Promise.all([
      putWorkspace(log, 'Long', 200_000),
      putWorkspace(log, 'Longer', 300_000),
      putWorkspace(log, 'Small'),
    ]);
    const segments = await segmentsIn(files);
    expect(segments.map(({ events }) => events.filter(({ t }) => t === 'ws.new').length)).toEqual([
      1, 1, 1,
    ]);
    expectChains(segments.flatMap(({ events }) => events));
  });

  it('writes all events of a write in one append to one segment', async () => {
    const { files, watched, open } = createVault();
    await put(
      open(),
      ...['A', 'B', 'C'].map((name) => workspaceDraft(name, name, { purpose: 'x'.repeat(30_000) })),
    );
    expect(watched.appends.filter(({ path }) => path.endsWith('.jsonl'))).toHaveLength(1);
    expect(typesOf(await eventsIn(files))).toBe('log.seg log.vault ws.new ws.new ws.new');
  });

  it('refuses a line over 1 MB, and continues without a gap', async () => {
    const { files, open } = createVault();
    const log = open();
    const writes = [
      putWorkspace(log, 'A'),
      putWorkspace(log, 'Huge', MAX_LINE_BYTES),
      putWorkspace(log, 'B'),
    ];
    const results = await Promise.allSettled(writes);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(writes[1]).rejects.toThrow(Refusal);
    await putWorkspace(log, 'C');
    expectChains(await eventsIn(files));
    expect([await writersIn(files), await names(log)]).toEqual([
      [expect.any(String)],
      ['A', 'B', 'C', 'Default'],
    ]);
  });

  it('writes nothing if the first line is over 1 MB', async () => {
    const { files, open } = createVault();
    await expect(putWorkspace(open(), 'Huge', MAX_LINE_BYTES)).rejects.toThrow(Refusal);
    expect(files.paths()).toEqual([]);
  });

  it('begins a new segment each day, and seals the previous one', async () => {
    const { files, clock, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    clock.advance(DAY * 12);
    await putWorkspace(log, 'Two');
    const segments = await segmentsIn(files);
    expect(segments.map(({ path }) => path.split('/').slice(1, 3).join('/'))).toEqual([
      'core/2026-11',
      'core/2026-12',
    ]);
    expect(segments.map(({ events }) => typesOf(events))).toEqual([
      'log.seg log.vault ws.new log.seal',
      'log.seg ws.new',
    ]);
    expectChains(segments.flatMap(({ events }) => events));
  });

  it('is acquired again after its release, and continues its segment', async () => {
    const { files, open } = createVault();
    const identities = createMemoryIdentities();
    for (const name of ['One', 'Two', 'Three']) {
      const log = open({ identities });
      await putWorkspace(log, name);
      await log.close();
    }
    const segments = await segmentsIn(files);
    expect(segments.map(({ events }) => typesOf(events))).toEqual([
      'log.seg log.vault ws.new ws.new ws.new',
    ]);
    expectChains(segments[0]!.events);
  });

  it('is acquired again on another day, and with a sealed segment', async () => {
    const { files, clock, open } = createVault();
    const identities = createMemoryIdentities();
    for (const name of ['One', 'Two', 'Three']) {
      const log = open({ identities });
      await putWorkspace(log, name, 70_000);
      await log.close();
      clock.advance(DAY);
    }
    expect(await writersIn(files)).toHaveLength(1);
    expectChains(await eventsIn(files));
  });

  it('is never acquired by two processes at the same time', async () => {
    const { files, open } = createVault();
    const identities = createMemoryIdentities();
    const first = open({ identities });
    await putWorkspace(first, 'One');
    await first.close();
    await Promise.all(['A', 'B', 'C'].map((name) => putWorkspace(open({ identities }), name)));
    expect(await writersIn(files)).toHaveLength(3);
    expectChains(await eventsIn(files));
  });

  it('is lost if its process dies, and replaced by a new writer', async () => {
    const { files, open } = createVault();
    const identities = createMemoryIdentities();
    await putWorkspace(open({ identities }), 'One');
    await putWorkspace(open({ identities }), 'Two');
    expect(await writersIn(files)).toHaveLength(2);
  });

  it('is not stored if it has written nothing', async () => {
    const { open } = createVault();
    const identities = createMemoryIdentities();
    const log = open({ identities });
    await log.memory();
    await log.write(() => ({ drafts: [], answer: 1 }));
    await log.close();
    expect([...identities.records]).toEqual([]);
  });

  const anomalies: [string, (files: MemoryFiles, path: string) => Promise<void> | void][] = [
    ['grown', (files, path) => files.put(path, `${files.text(path)}\n`)],
    ['shrunk', (files, path) => files.put(path, files.text(path).slice(0, -10))],
    ['been removed', (files, path) => files.remove(path)],
    [
      'been replaced by a copy',
      async (files, path) => {
        const text = files.text(path);
        await files.remove(path);
        files.put(path, text);
      },
    ],
  ];

  it.each(anomalies)('is abandoned if its segment has %s since its release', async (_, harm) => {
    const { files, open } = createVault();
    const identities = createMemoryIdentities();
    const first = open({ identities });
    await putWorkspace(first, 'One');
    await first.close();
    const [segment] = await segmentsIn(files);
    await harm(files, segment!.path);
    const left = await files.read(segment!.path);
    const log = open({ identities });
    await putWorkspace(log, 'Two');
    const two = (await eventsInOthers(files, segment!.path)).find(({ d }) => d['name'] === 'Two');
    expect(two?.w).not.toBe(segment!.events[0]!.w);
    expect(await files.read(segment!.path)).toEqual(left);
  });

  it('is abandoned if the last line of its segment has changed', async () => {
    const { files, open } = createVault();
    const identities = createMemoryIdentities();
    const first = open({ identities });
    await putWorkspace(first, 'One');
    await first.close();
    const [segment] = await segmentsIn(files);
    files.put(segment!.path, files.text(segment!.path).replace('"name":"One"', '"name":"Eno"'));
    await putWorkspace(open({ identities }), 'Two');
    expect(
      (await eventsInOthers(files, segment!.path)).find(({ d }) => d['name'] === 'Two')?.w,
    ).not.toBe(segment!.events[0]!.w);
  });

  it.each(anomalies)('is abandoned if its segment has %s while it is in use', async (_, harm) => {
    const { files, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    const [segment] = await segmentsIn(files);
    await harm(files, segment!.path);
    const left = await files.read(segment!.path);
    await Promise.all([putWorkspace(log, 'Two'), putWorkspace(log, 'Three')]);
    expect(await names(log)).toEqual(['Default', 'One', 'Three', 'Two']);
    const others = await eventsInOthers(files, segment!.path);
    expect(others.map(({ w }) => w)).not.toContain(segment!.events[0]!.w);
    expect(others.filter(({ t }) => t === 'ws.new')).toHaveLength(2);
    expect(await files.read(segment!.path)).toEqual(left);
  });

  it.each(anomalies)('is abandoned if its segment has %s before it is sealed', async (_, harm) => {
    const { files, clock, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    const [segment] = await segmentsIn(files);
    await harm(files, segment!.path);
    const left = await files.read(segment!.path);
    clock.advance(DAY);
    await putWorkspace(log, 'Two');
    expect(await names(log)).toEqual(['Default', 'One', 'Two']);
    expect(
      (await eventsInOthers(files, segment!.path)).find(({ d }) => d['name'] === 'Two')?.w,
    ).not.toBe(segment!.events[0]!.w);
    expect(await files.read(segment!.path)).toEqual(left);
  });

  it('is abandoned if a process was killed after sealing its segment and beginning another', async () => {
    const { files, clock, open } = createVault();
    const identities = createMemoryIdentities();
    const second = open({ identities });
    const sealed: WriterRecord[] = [];
    const first = open({
      identities: {
        ...createMemoryIdentities(),
        async save(_, record) {
          if (!record.isSealed) return;
          sealed.push(record);
          await second.memory();
        },
      },
    });
    await putWorkspace(first, 'One');
    clock.advance(DAY);
    await putWorkspace(first, 'Two');
    clock.advance(DAY);
    identities.records.set('core', sealed);
    await putWorkspace(second, 'Three');
    expect(await writersIn(files)).toHaveLength(2);
    expectChains(await eventsIn(files));
  });

  it('is abandoned if another process uses it', async () => {
    const { files, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    const [segment] = await segmentsIn(files);
    const clone = createVault();
    clone.files.put(segment!.path, segment!.bytes);
    const identities = createMemoryIdentities();
    await identities.release('core', {
      writer: segment!.events[0]!.w,
      n: 3,
      hash: hashOf(segment!.events[2]!),
      h: segment!.events[2]!.h,
      path: segment!.path,
      number: 1,
      day: '2026-11-20',
      size: segment!.bytes.length,
      lines: 3,
      isSealed: false,
      fileId: '1',
    });
    await putWorkspace(clone.open({ identities }), 'Clone');
    const [cloned] = await segmentsIn(clone.files);
    expect(cloned!.events.map(({ w }) => w)).toEqual(Array<string>(4).fill(segment!.events[0]!.w));
    files.put(`${ROOT}/core/copy.jsonl`, cloned!.bytes);
    await log.memory();
    await putWorkspace(log, 'Two');
    const two = (await eventsIn(files)).find(({ d }) => d['name'] === 'Two');
    expect(two?.w).not.toBe(segment!.events[0]!.w);
    expect(await names(log)).toEqual(['Clone', 'Default', 'One', 'Two']);
  });

  it('appends durably to the core lane, and not to the trace lane', async () => {
    const { watched, clock, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    await log.writeTrace({ t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } });
    clock.advance(DAY);
    await putWorkspace(log, 'Two');
    await log.writeTrace({ t: 'trace.new', e: 'y', d: { ws: 'default', tool: 't' } });
    const segments = watched.appends.filter(({ path }) => path.endsWith('.jsonl'));
    expect(segments.map(({ path, isDurable }) => [path.split('/')[1], isDurable])).toEqual([
      ['core', true],
      ['trace', false],
      ['core', true],
      ['core', true],
      ['trace', false],
      ['trace', false],
    ]);
  });

  it('has a different writer id in each lane', async () => {
    const { files, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    await log.writeTrace({ t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } });
    const [core, trace] = [await eventsIn(files), await eventsIn(files, `${ROOT}/trace`)];
    expect(typesOf(trace)).toBe('log.seg trace.new');
    expect(trace[0]!.w).not.toBe(core[0]!.w);
    expectChains([...core, ...trace]);
  });

  it('starts over after a failed append, and removes its empty file', async () => {
    const { files, watched, open } = createVault();
    const log = open();
    watched.beforeAppend = (path) => {
      if (!path.endsWith('.jsonl')) return;
      files.put(path, '');
      throw new Refusal('The disk is full.');
    };
    await expect(putWorkspace(log, 'One')).rejects.toThrow('The disk is full.');
    expect(files.paths()).toEqual(['Savepoint/README.md']);
    watched.beforeAppend = () => undefined;
    await putWorkspace(log, 'Two');
    expectChains(await eventsIn(files));
  });
});

describe('LogSegmentWriter', () => {
  /** Creates a writer that has written a workspace and been released. */
  async function released() {
    const vault = createVault();
    const identities = createMemoryIdentities();
    const log = vault.open({ identities });
    await putWorkspace(log, 'One');
    await log.close();
    const [record] = identities.records.get('core')!;
    return { ...vault, record: record! };
  }

  /** Creates another writer on that vault, which finds the record if one is given. */
  async function setUp({
    watched,
    clock,
    record,
    writers = new Map(),
    lane = 'core',
    announced,
  }: Pick<ReturnType<typeof createVault>, 'watched' | 'clock'> & {
    record?: WriterRecord;
    writers?: WriterIndex;
    lane?: LaneName;
    announced?: SeenWriter;
  }) {
    const identities = createMemoryIdentities();
    if (record) await identities.release('core', record);
    const writer = new LogSegmentWriter({
      files: watched,
      root: ROOT,
      lane,
      identities,
      random: createTestRandom(-1),
      clock,
      hybridClock: new HybridClock(clock),
      writers,
      announced: (id) => (id === announced?.writer ? announced : undefined),
    });
    return writer;
  }

  const DRAFT = workspaceDraft('Plan');
  const typesIn = (append: LogAppend | undefined) => append?.lines.map(({ event: { t } }) => t);

  it('acquires a stored writer whose segment is unchanged', async () => {
    const { record, ...vault } = await released();
    const writer = await setUp({ ...vault, record });
    expect([writer.writer, writer.lastNumber]).toEqual([undefined, 0]);
    expect(await writer.prepare()).toEqual({});
    expect([writer.writer, writer.lastNumber]).toEqual([record.writer, 3]);
  });

  it.each<[string, (record: WriterRecord) => Partial<WriterRecord>]>([
    ['another writer', () => ({ writer: 'zzzzzzzzzzzz' })],
    ['another number', ({ n }) => ({ n: n + 1 })],
    ['another hash', () => ({ hash: CHAIN_START })],
    ['another timestamp', () => ({ h: clockText(99) })],
    ['another size', ({ size }) => ({ size: size + 1 })],
    ['another file', () => ({ fileId: 'other' })],
  ])('abandons a stored writer with %s than its segment', async (_, change) => {
    const { record, ...vault } = await released();
    const changed = { ...record, ...change(record) };
    const writer = await setUp({ ...vault, record: changed });
    expect(await writer.prepare()).toEqual({ abandoned: changed });
    expect(writer.writer).not.toBe(changed.writer);
    expect(writer.lastNumber).toBe(0);
  });

  it.each<[string, (text: string) => string]>([
    ['an edited first line', (text) => text.replace('savepoint/test', 'savepoint/tset')],
    ["another writer's line", (text) => text.replace(/^.*\n/, padded(text.indexOf('\n')))],
  ])('abandons a stored writer whose segment has %s', async (_, change) => {
    const { record, ...vault } = await released();
    const text = vault.files.text(record.path);
    const changed = change(text);
    expect([changed.length, changed === text]).toEqual([text.length, false]);
    vault.files.put(record.path, changed);
    const writer = await setUp({ ...vault, record });
    expect(await writer.prepare()).toEqual({ abandoned: record });
  });

  it.each<[string, (record: WriterRecord) => Omit<SeenWriter, 'lane' | 'writer'>]>([
    ['a later event', ({ n }) => ({ n: n + 1, hash: undefined })],
    ['another last event', ({ n }) => ({ n, hash: CHAIN_START })],
    ['another earlier event', ({ n }) => ({ n: n - 1, hash: 'f'.repeat(32) })],
  ])('abandons a stored writer if a watermark mentions %s', async (_, seen) => {
    const { record, ...vault } = await released();
    const announced = { lane: 'core', writer: record.writer, ...seen(record) } as const;
    const writer = await setUp({ ...vault, record, announced });
    expect(await writer.prepare()).toEqual({ abandoned: record });
    expect([writer.writer === record.writer, writer.lastNumber]).toEqual([false, 0]);
  });

  it('keeps a stored writer if a watermark mentions events that it has written', async () => {
    const { record, ...vault } = await released();
    const { writer: id, n, hash } = record;
    const announced = { lane: 'core', writer: id, n, hash } as const;
    const writer = await setUp({ ...vault, record, announced });
    await writer.prepare();
    writer.checkAnnounced({ ...announced, n: n - 1, hash: undefined });
    writer.checkAnnounced({ ...announced, writer: 'zzzzzzzzzzzz', n: 99 });
    expect([await writer.prepare(), writer.writer]).toEqual([{}, id]);
  });

  it.each<[string, number, string | undefined]>([
    ['an event after its last one', 4, undefined],
    ['another event than the one it has written', 3, 'f'.repeat(32)],
  ])(
    'abandons its writer before the next append if a watermark mentions %s',
    async (_, n, hash) => {
      const { record, ...vault } = await released();
      const writer = await setUp({ ...vault, record });
      await writer.prepare();
      writer.checkAnnounced({ lane: 'core', writer: record.writer, n, hash });
      await writer.prepare();
      expect([writer.writer === record.writer, writer.lastNumber]).toEqual([false, 0]);
    },
  );

  it('abandons a stored writer whose segment is sealed, since a killed process may have begun another', async () => {
    const { record, ...vault } = await released();
    const before = await setUp({ ...vault, record });
    await before.prepare();
    const sealed = await before.seal();
    const writer = await setUp({
      ...vault,
      record: {
        ...record,
        n: record.n + 1,
        hash: sealed!.lastHash,
        size: sealed!.info.size,
        fileId: sealed!.info.fileId,
        isSealed: true,
      },
    });
    expect(await writer.prepare()).toMatchObject({ abandoned: { writer: record.writer } });
    expect(writer.lastNumber).toBe(0);
  });

  it('abandons a stored writer whose file disappears during the check', async () => {
    const { record, ...vault } = await released();
    vault.watched.read = () => Promise.resolve(undefined);
    const writer = await setUp({ ...vault, record });
    expect(await writer.prepare()).toEqual({ abandoned: record });
  });

  it('abandons a stored writer if the log has later events or a fork', async () => {
    const { record, ...vault } = await released();
    const fork = `${record.n} ffffffff`;
    for (const known of [{ lastNumber: record.n + 1 }, { forks: new Set([fork]) }]) {
      const writers: WriterIndex = new Map();
      writers.set(record.writer, {
        lane: 'core',
        crcs: [],
        outOfOrder: new Map(),
        hashes: new Map(),
        forks: new Set(),
        lastNumber: record.n,
        lastDataNumber: record.n,
        segments: 1,
        ...known,
      });
      const writer = await setUp({ ...vault, record, writers });
      expect(await writer.prepare()).toEqual({ abandoned: record });
    }
  });

  it('opens a segment only with its first staged event', async () => {
    const writer = await setUp(createVault());
    expect(writer.opensSegment).toBe(false);
    await writer.prepare();
    expect(writer.opensSegment).toBe(true);
    writer.stage([DRAFT]);
    expect(writer.opensSegment).toBe(false);
    await writer.commit();
    expect(writer.opensSegment).toBe(false);
    await writer.seal();
    expect(writer.opensSegment).toBe(true);
  });

  it('seals a segment of an earlier day in `prepare()`', async () => {
    const vault = createVault();
    const writer = await setUp(vault);
    await writer.prepare();
    writer.stage([DRAFT]);
    await writer.commit();
    vault.clock.advance(24 * 60 * 60_000);
    const { abandoned, sealed } = await writer.prepare();
    expect([abandoned, typesIn(sealed)]).toEqual([undefined, ['log.seal']]);
  });

  it('returns newly staged events, and commits all of them once', async () => {
    const writer = await setUp(createVault());
    expect(() => writer.stage([DRAFT])).toThrow('prepare() comes before stage()');
    await writer.prepare();
    const staged = [writer.stage([DRAFT]), writer.stage([DRAFT, DRAFT])];
    expect(
      staged.map((events) =>
        events === 'full' ? events : events.map(({ t, e, n }) => `${t} ${e} ${n}`),
      ),
    ).toEqual([['ws.new ws-Plan 1'], ['ws.new ws-Plan 2', 'ws.new ws-Plan 3']]);
    expect(typesIn(await writer.commit())).toEqual(['ws.new', 'ws.new', 'ws.new']);
    writer.stage([DRAFT]);
    writer.unstage();
    expect([await writer.commit(), writer.lastNumber]).toEqual([undefined, 3]);
  });

  it('returns the path, the bytes and the file info of an append', async () => {
    const vault = createVault();
    const writer = await setUp(vault);
    await writer.prepare();
    writer.stage([DRAFT]);
    const { path, info, bytes, lines } = (await writer.commit())!;
    expect(await vault.files.read(path)).toEqual(bytes);
    expect(await vault.files.stat(path)).toEqual(info);
    expect(lines.map(({ from, to }) => [from, to])).toEqual([[0, bytes.length - 1]]);
  });

  it.each([
    ['core', true],
    ['chat', true],
    ['trace', false],
  ] as const)('appends and seals in the %s lane with durable: %s', async (lane, durable) => {
    const { watched, clock } = createVault();
    const appends: boolean[] = [];
    const append: typeof watched.append = (path, bytes, options) => {
      appends.push(options.durable);
      return watched.append(path, bytes, options);
    };
    const writer = await setUp({ watched: { ...watched, append }, clock, lane });
    await writer.prepare();
    writer.stage([DRAFT]);
    await writer.commit();
    await writer.seal();
    expect(appends).toEqual([durable, durable]);
  });

  it('seals an open segment once', async () => {
    const vault = createVault();
    const writer = await setUp(vault);
    expect(await writer.seal()).toBeUndefined();
    await writer.prepare();
    expect(await writer.seal()).toBeUndefined();
    expect(vault.files.paths()).toEqual([]);
    writer.stage([DRAFT]);
    await writer.commit();
    expect(typesIn(await writer.seal())).toEqual(['log.seal']);
    expect(await writer.seal()).toBeUndefined();
    expect((await eventsIn(vault.files)).at(-1)).toMatchObject({
      t: 'log.seal',
      e: '',
      d: { count: 1 },
    });
  });

  it.each([
    ['removes its own empty file', '', true],
    ['keeps a file with content', 'x', false],
  ])('%s after a failed append', async (_, content, isGone) => {
    const { files, watched, clock } = createVault();
    const writer = await setUp({ watched, clock });
    await writer.prepare();
    writer.stage([DRAFT]);
    watched.beforeAppend = (path) => {
      files.put(path, content);
      throw new Refusal('The disk is full.');
    };
    await expect(writer.commit()).rejects.toThrow('The disk is full.');
    expect(files.paths()).toHaveLength(isGone ? 0 : 1);
  });

  it('rejects with the original error if an append has created no file', async () => {
    const { watched, clock } = createVault();
    const writer = await setUp({ watched, clock });
    await writer.prepare();
    writer.stage([DRAFT]);
    watched.beforeAppend = () => {
      throw new Refusal('The disk is full.');
    };
    await expect(writer.commit()).rejects.toThrow('The disk is full.');
  });

  it('writes lines again, unchanged, if their file was replaced by one without them', async () => {
    const { files, watched, clock } = createVault();
    const writer = await setUp({ watched, clock });
    await writer.prepare();
    const replaced = segmentPath(ROOT, 'core', dayOf(clock.now()), writer.writer!, 1);
    let bytes = new Uint8Array();
    watched.beforeAppend = (path, appended) => {
      if (path !== replaced) return;
      bytes = appended.slice();
      files.put(path, 'Another file');
      throw new FileReplacedError(path);
    };
    writer.stage([DRAFT]);
    const append = (await writer.commit())!;
    expect(append.path).toMatch(/-healed\.jsonl$/);
    expect([await files.read(append.path), await files.stat(append.path)]).toEqual([
      bytes,
      append.info,
    ]);
    expect(files.text(replaced)).toBe('Another file');
    expect(writer.writer).toBeUndefined();
  });

  it('does not write lines again if the replacement file has them', async () => {
    const { files, watched, clock } = createVault();
    const writer = await setUp({ watched, clock });
    await writer.prepare();
    watched.beforeAppend = (path, appended) => {
      files.put(
        path,
        joinLines([{ bytes: new TextEncoder().encode('other\n') }, { bytes: appended }]),
      );
      throw new FileReplacedError(path);
    };
    writer.stage([DRAFT]);
    const { path, lines, bytes } = (await writer.commit())!;
    expect(files.paths()).toEqual([path]);
    expect(lines.map(({ from, to }) => [from, to])).toEqual([[6, 5 + bytes.length]]);
  });

  it('fails if its file is replaced again and again', async () => {
    const { watched, clock } = createVault();
    const writer = await setUp({ watched, clock });
    await writer.prepare();
    writer.stage([DRAFT]);
    watched.beforeAppend = (path) => {
      throw new FileReplacedError(path);
    };
    await expect(writer.commit()).rejects.toThrow(FileChangedError);
  });

  it("keeps another program's empty file", async () => {
    const { files, watched, clock } = createVault();
    const writer = await setUp({ watched, clock });
    await writer.prepare();
    const path = segmentPath(ROOT, 'core', dayOf(clock.now()), writer.writer!, 1);
    files.put(path, '');
    writer.stage([DRAFT]);
    await expect(writer.commit()).rejects.toThrow(FileChangedError);
    expect(files.paths()).toEqual([path]);
  });

  it('keeps its emptied segment if an append fails', async () => {
    const { files, watched, clock } = createVault();
    const writer = await setUp({ watched, clock });
    await writer.prepare();
    writer.stage([DRAFT]);
    await writer.commit();
    const [path] = files.paths();
    files.put(path!, '');
    writer.stage([DRAFT]);
    watched.beforeAppend = () => {
      throw new Refusal('The disk is full.');
    };
    await expect(writer.commit()).rejects.toThrow('The disk is full.');
    expect(files.paths()).toEqual([path]);
  });
});

/** Returns another writer's line of a certain length, newline excluded. */
function padded(length: number): string {
  const text = (a: string) => new TextDecoder().decode(lineOf({ t: 'set', d: { a } }).bytes);
  return text('x'.repeat(length + 1 - text('').length));
}

/** Returns the events of all segments but one. */
async function eventsInOthers(files: MemoryFiles, path: string): Promise<LogEvent[]> {
  const others = createMemoryFiles();
  for (const other of files.paths())
    if (other !== path) others.put(other, (await files.read(other)) ?? '');
  return eventsIn(others);
}
