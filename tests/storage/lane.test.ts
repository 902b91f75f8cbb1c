import { describe, expect, it } from 'vitest';
import { REPLACES_KEY, versionKey, type Draft } from '../../src/model/event.js';
import { allWorkspaces } from '../../src/model/lookup.js';
import { Refusal } from '../../src/model/refusal.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../src/platform/scheduler.js';
import { createChangeFeed, type LogChange } from '../../src/storage/change-feed.js';
import { HybridClock } from '../../src/storage/format/hybrid-clock.js';
import type { LaneName } from '../../src/storage/format/lanes.js';
import { Watermarks } from '../../src/storage/integrity/watermarks.js';
import type { LaneHooks } from '../../src/storage/lane-options.js';
import { Lane } from '../../src/storage/lane.js';
import { EventIndex } from '../../src/storage/read/event-index.js';
import type { LocatedEvent } from '../../src/storage/read/reader.js';
import type { WriterIndex } from '../../src/storage/read/writer-index.js';
import { LogSegmentWriter } from '../../src/storage/write/segment-writer.js';
import { createMemoryIdentities, createTestRandom } from '../fakes/deterministic.js';
import { createEagerScheduler } from '../fakes/eager-scheduler.js';
import { joinLines, linesOf, WRITER_A, workspaceDraft } from '../fakes/events.js';
import { createVault, ROOT } from './helpers.js';

function setUp(
  name: LaneName = 'core',
  hooks: Partial<LaneHooks> = {},
  scheduler: Scheduler = NOOP_SCHEDULER,
) {
  const { files, watched, clock, warnings } = createVault();
  const writers: WriterIndex = new Map();
  const changes: LogChange[] = [];
  const observed: string[] = [];
  const identities = createMemoryIdentities();
  const warn = (message: string) => void warnings.push(message);
  const feed = createChangeFeed({
    watch: undefined,
    clock,
    warn,
    invalidate: () => undefined,
    refresh: () => Promise.resolve(),
  });
  feed.subscribe((change) => void changes.push(change));
  const watermarks = new Watermarks({
    writers,
    clock,
    warn,
    device: 'test',
    ownWriters: () => ({ core: lane.writer, others: [] }),
    write: () => Promise.resolve(),
  });
  const hybridClock = new HybridClock(clock);
  const random = createTestRandom(7);
  const lane: Lane = new Lane({
    name,
    files: watched,
    root: ROOT,
    clock,
    hybridClock,
    scheduler,
    writers,
    watermarks,
    feed,
    createWriter: () =>
      new LogSegmentWriter({
        files: watched,
        root: ROOT,
        lane: name,
        identities,
        random,
        clock,
        hybridClock,
        writers,
        announced: (writer) => watermarks.announced(writer),
      }),
    cache: undefined,
    indexes: [new EventIndex('chat'), new EventIndex('trace')],
    hooks: {
      openSegment: () => [{ t: 'log.seg', e: '', d: {} }],
      onEvent: ({ t }) => void observed.push(t),
      onAbandoned: () => undefined,
      onMisplaced: () => undefined,
      ...hooks,
    },
  });
  return { files, watched, clock, changes, observed, identities, lane };
}

const NOTHING_WRITTEN = Promise.resolve({ hasWritten: false });
const create = (name: string) => (): Draft[] => [workspaceDraft(name)];
const typesIn = (lines: readonly LocatedEvent[]) => lines.map(({ event }) => event.t);
const names = (lane: Lane) => allWorkspaces(lane.memory).map(({ displayName }) => displayName);

describe('Lane', () => {
  it('resolves each write with all events of its append', async () => {
    const { lane, watched } = setUp();
    const written = await Promise.all(['A', 'B', 'C'].map((name) => lane.append(create(name))));
    expect(written.map(typesIn)).toEqual([
      ['log.seg', 'ws.new', 'ws.new', 'ws.new'],
      ['log.seg', 'ws.new', 'ws.new', 'ws.new'],
      ['log.seg', 'ws.new', 'ws.new', 'ws.new'],
    ]);
    expect(watched.appends).toHaveLength(1);
    expect(names(lane)).toEqual(['A', 'B', 'C', 'Default']);
  });

  it('decides each write on the memory that includes earlier writes', async () => {
    const { lane } = setUp();
    const seen: number[] = [];
    const writes = ['A', 'B'].map((name) =>
      lane.append((memory) => {
        seen.push(allWorkspaces(memory).length);
        return [workspaceDraft(name)];
      }),
    );
    await Promise.all(writes);
    expect(seen).toEqual([1, 2]);
  });

  it('leaves its memory unchanged until the append has succeeded', async () => {
    const { lane, watched } = setUp();
    await lane.append(create('A'));
    const before = lane.memory;
    watched.beforeAppend = () => {
      expect(lane.memory).toBe(before);
      throw new Refusal('The disk is full.');
    };
    await expect(lane.append(create('B'))).rejects.toThrow('The disk is full.');
    expect(lane.memory).toBe(before);
  });

  it('folds no memory in the trace lane', async () => {
    const { lane, changes } = setUp('trace');
    const before = lane.memory;
    await lane.append(create('A'));
    expect(lane.memory).toBe(before);
    expect(changes).toEqual([]);
  });

  it('calls its hooks before and after an append takes effect', async () => {
    const steps: string[] = [];
    const { lane, changes } = setUp('core', {
      onEvent: ({ t }) => void steps.push(`${t} ${names(lane).length}`),
      afterAppend: ({ lines }) => {
        steps.push(`appended ${lines.length}, ${names(lane).length}`);
        return Promise.resolve();
      },
    });
    await lane.append(create('A'));
    expect(steps).toEqual(['log.seg 1', 'ws.new 1', 'appended 2, 2']);
    expect(changes).toEqual([{ memory: true, traces: false, chat: false }]);
  });

  it('resolves a write only after `afterAppend`', async () => {
    let isDone = false;
    const { lane } = setUp('core', {
      afterAppend: async () => {
        for (let tick = 0; tick < 20; tick++) await Promise.resolve();
        isDone = true;
      },
    });
    await lane.append(create('A'));
    expect(isDone).toBe(true);
  });

  it('reads events that others have added, and flags the first scan', async () => {
    const scans: boolean[] = [];
    const { lane, files } = setUp('core', {
      afterScan: ({ isFirst }) => {
        scans.push(isFirst);
        return NOTHING_WRITTEN;
      },
    });
    expect(lane.hasRead).toBe(false);
    await lane.catchUp();
    const lines = linesOf([workspaceDraft('Other')], WRITER_A);
    files.put(`${ROOT}/core/other.jsonl`, joinLines(lines));
    await lane.catchUp();
    expect([lane.hasRead, scans, names(lane)]).toEqual([true, [true, false], ['Default', 'Other']]);
  });

  it('reports a loss after the next scan if the hook has failed', async () => {
    const losses: boolean[] = [];
    let isFailing = false;
    const { lane, files } = setUp('core', {
      afterScan: async ({ takeLoss }) => {
        if (isFailing) throw new Refusal('Cannot read the folder.');
        losses.push(takeLoss());
        return NOTHING_WRITTEN;
      },
    });
    const path = `${ROOT}/core/other.jsonl`;
    files.put(path, joinLines(linesOf([workspaceDraft('Other')], WRITER_A)));
    await lane.catchUp();
    await files.remove(path);
    isFailing = true;
    await expect(lane.catchUp()).rejects.toThrow('Cannot read the folder.');
    isFailing = false;
    await lane.catchUp();
    await lane.catchUp();
    expect(losses).toEqual([false, true, false]);
  });

  it('passes on events of other lanes, and takes in its own from other folders', async () => {
    const misplaced: string[] = [];
    const { lane, files } = setUp('core', {
      onMisplaced: (events) => void misplaced.push(typesIn(events).join()),
    });
    const [trace, workspace] = linesOf([
      { t: 'trace.new', e: 't', d: {} },
      workspaceDraft('Elsewhere'),
    ]);
    files.put(`${ROOT}/core/other.jsonl`, trace!.bytes);
    await lane.catchUp();
    await lane.catchUp();
    expect(misplaced).toEqual(['trace.new']);
    await lane.receive([
      { event: workspace!.event, path: `${ROOT}/trace/x.jsonl`, from: 0, to: 9 },
    ]);
    expect(names(lane)).toEqual(['Default', 'Elsewhere']);
  });

  it('reports the bytes of new lines, except of the first scan and its own appends', async () => {
    const lines: string[] = [];
    const { lane, files } = setUp('core', {
      onNewLine: (bytes) => void lines.push(new TextDecoder().decode(bytes)),
    });
    const others = linesOf([workspaceDraft('One'), workspaceDraft('Two')], WRITER_A);
    files.put(`${ROOT}/core/other.jsonl`, others[0]!.bytes);
    await lane.catchUp();
    await lane.append(create('Own'));
    files.put(`${ROOT}/core/other.jsonl`, joinLines(others));
    await lane.catchUp();
    expect(lines.map((line) => `${line}\n`)).toEqual([new TextDecoder().decode(others[1]!.bytes)]);
  });

  it('scans again after a hook that has written to it', async () => {
    const { lane, files } = setUp('core', {
      afterScan: () => {
        files.put(`${ROOT}/core/other.jsonl`, joinLines(linesOf([workspaceDraft('Healed')])));
        return Promise.resolve({ hasWritten: true });
      },
    });
    await lane.catchUp();
    expect(names(lane)).toEqual(['Default', 'Healed']);
  });

  it('records in a `set` event which versions it replaces', async () => {
    const { lane } = setUp();
    const set = (value: string) => () => [{ t: 'set', e: 'x', d: { '/purpose': value } }];
    const written = await Promise.all([lane.append(set('a')), lane.append(set('b'))]);
    const [, first, second] = written[1].map(({ event }) => event);
    expect([first!.d, second!.d]).toEqual([
      { '/purpose': 'a' },
      { '/purpose': 'b', [REPLACES_KEY]: [versionKey(first!)] },
    ]);
  });

  it('shares one scan among concurrent calls', async () => {
    let scans = 0;
    const { lane } = setUp('core', {
      afterScan: () => {
        scans++;
        return NOTHING_WRITTEN;
      },
    });
    await Promise.all([lane.catchUp(), lane.catchUp(), lane.catchUp()]);
    expect(scans).toBe(1);
  });

  it('drains its queue even if a write fails', async () => {
    const { lane, watched } = setUp();
    watched.beforeAppend = async () => {
      for (let tick = 0; tick < 20; tick++) await Promise.resolve();
      throw new Refusal('The disk is full.');
    };
    const failures: unknown[] = [];
    lane.append(create('A')).catch((error: unknown) => failures.push(error));
    await lane.drain();
    expect(failures).toHaveLength(1);
    await lane.drain();
    expect(watched.appends).toHaveLength(1);
  });

  it('writes nothing if a write has no events', async () => {
    const { lane, watched } = setUp();
    expect(await lane.append(() => [])).toEqual([]);
    expect(watched.appends).toEqual([]);
  });

  it('takes in each of many events once, and yields to the host between them', async () => {
    const turnsFor = async (count: number) => {
      const { scheduler, turns } = createEagerScheduler();
      const { lane, files, observed } = setUp('core', {}, scheduler);
      const drafts = Array.from({ length: count }, (_, at) => workspaceDraft(`W${at}`));
      files.put(`${ROOT}/core/other.jsonl`, joinLines(linesOf(drafts, WRITER_A)));
      await lane.catchUp();
      expect(observed).toHaveLength(count);
      return turns();
    };
    expect(await turnsFor(1001)).toBeGreaterThan(await turnsFor(1));
  });

  it('takes in the seal of a full segment', async () => {
    const { lane, observed } = setUp('trace');
    const draft = { t: 'trace.new', e: 't', d: { input: 'x'.repeat(70_000) } };
    for (let at = 0; at < 3; at++) await lane.append(() => [draft]);
    await lane.drain();
    expect(observed).toContain('log.seal');
  });

  it('abandons a writer of which others have seen later events', async () => {
    const { lane } = setUp();
    await lane.append(create('A'));
    const writer = lane.writer!;
    lane.checkAnnounced({ lane: 'core', writer, n: 2, hash: undefined });
    await lane.append(create('B'));
    expect(lane.writer).toBe(writer);
    lane.checkAnnounced({ lane: 'core', writer, n: 99, hash: undefined });
    await lane.append(create('C'));
    expect(lane.writer).not.toBe(writer);
  });

  it('reports a stored writer that it cannot continue', async () => {
    const abandoned: { n: number }[] = [];
    const { lane, files } = setUp('core', { onAbandoned: (last) => void abandoned.push(last) });
    await lane.append(create('A'));
    const writer = lane.writer!;
    await lane.release();
    await lane.append(create('B'));
    expect([lane.writer, abandoned]).toEqual([writer, []]);
    await lane.release();
    const mark = { t: 'log.mark', e: '', d: { seen: { core: { [writer]: [99] } } } };
    files.put(`${ROOT}/core/other.jsonl`, joinLines(linesOf([mark], WRITER_A)));
    await lane.catchUp();
    await lane.append(create('C'));
    expect(lane.writer).not.toBe(writer);
    expect(abandoned).toMatchObject([{ lane: 'core', writer }]);
  });

  it('stores its writer on release', async () => {
    const { lane, identities } = setUp();
    await lane.append(create('A'));
    const { writer } = lane;
    await lane.release();
    expect(lane.writer).toBeUndefined();
    expect(identities.records.get('core')?.map((record) => record.writer)).toEqual([writer]);
  });
});
