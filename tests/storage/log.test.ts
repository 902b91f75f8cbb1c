import { describe, expect, it } from 'vitest';
import { conversationData, conversationOf } from '../../src/model/conversation.js';
import { CALL_KEY, REPLACES_KEY, type LogEvent } from '../../src/model/event.js';
import { allStates, allWorkspaces, lookupWorkspace, isNameTaken } from '../../src/model/lookup.js';
import { entityOf, registerOf, VAULT_SCOPE } from '../../src/model/memory.js';
import { messageData } from '../../src/model/message.js';
import { mapEntries } from '../../src/model/persistent-map.js';
import { Refusal } from '../../src/model/refusal.js';
import { traceData, type Trace } from '../../src/model/trace.js';
import { FileChangedError } from '../../src/platform/files.js';
import { watermarkOf } from '../../src/storage/format/watermark.js';
import { decodeLine, encodeLine } from '../../src/storage/format/line.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import type { Decide } from '../../src/storage/log.js';
import type { Log } from '../../src/storage/vault-log.js';
import { canonicalMemory } from '../fakes/canonical.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import {
  clockText,
  joinLines,
  lineOf,
  linesOf,
  stateDraft,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../fakes/events.js';
import { createMemoryCache } from '../fakes/memory-cache.js';
import type { WatchedFiles } from '../fakes/watched-files.js';
import { twinOf } from '../simulation/forge.js';
import {
  createMemoryCopies,
  createVault,
  eventsIn,
  put,
  putWorkspace,
  ROOT,
  segmentsIn,
  typesOf,
} from './helpers.js';

const MINUTE = 60_000;
/** The last valid timestamp. */
const LATEST = '2199-12-31T23:59:59.999Z.ffff';

async function names(log: Log): Promise<string[]> {
  return allWorkspaces(await log.memory()).map(({ displayName }) => displayName);
}

function segmentAppends(watched: WatchedFiles): number {
  return watched.appends.filter(({ path }) => path.endsWith('.jsonl')).length;
}

/** Creates a workspace as the tool does, and refuses a taken name. */
function create(name: string): Decide<string> {
  return (memory) => {
    if (isNameTaken(memory, VAULT_SCOPE, name)) throw new Refusal(`"${name}" is taken.`);
    return { drafts: [workspaceDraft(name)], answer: `made ${name}` };
  };
}

function failAppends(watched: WatchedFiles): void {
  watched.beforeAppend = () => {
    throw new Refusal('The disk is full.');
  };
}

function trace(tool: string, ws = 'default') {
  const call = {
    workspaceId: ws,
    sessionId: 's',
    toolset: 'a',
    tool,
    input: '{}',
    outcome: 'ok',
    isSuccess: true,
  };
  return { t: 'trace.new', e: `trace-${tool}`, d: traceData(call) };
}

describe('writing', () => {
  it('returns the answer once the events are in the log and the memory', async () => {
    const { files, open } = createVault();
    const log = open();
    expect(await log.write(create('Plan'))).toBe('made Plan');
    expect(typesOf(await eventsIn(files))).toBe('log.seg log.vault ws.new');
    expect(await names(log)).toEqual(['Default', 'Plan']);
  });

  it('decides the first write on everything that other logs have written', async () => {
    const { open } = createVault();
    const [one, other] = [open(), open()];
    await one.write(create('Plan'));
    await expect(other.write(create('plan'))).rejects.toThrow('taken');
    await other.write(create('Other'));
    expect([await names(one), await names(other)]).toEqual([
      ['Default', 'Other', 'Plan'],
      ['Default', 'Other', 'Plan'],
    ]);
  });

  it('decides each concurrent write on the result of earlier ones', async () => {
    const { open } = createVault();
    const log = open();
    const results = await Promise.allSettled(
      ['Plan', 'PLAN', 'Other', ' plan '].map((name) => log.write(create(name))),
    );
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect(await names(log)).toEqual(['Default', 'Other', 'Plan']);
  });

  it('rejects only the caller whose decision throws', async () => {
    const { open } = createVault();
    const log = open();
    const broken = () => {
      throw new TypeError('A bug');
    };
    const results = await Promise.allSettled([
      log.write(create('A')),
      log.write(broken),
      log.write(create('B')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(log.write(broken)).rejects.toThrow(TypeError);
    expect(await names(log)).toEqual(['A', 'B', 'Default']);
  });

  it('returns the answer if there is nothing to write', async () => {
    const { files, open } = createVault();
    expect(await open().write(() => ({ drafts: [], answer: 5 }))).toBe(5);
    expect(files.paths()).toEqual([]);
  });

  it('groups many concurrent writes into few appends', async () => {
    const { watched, open } = createVault();
    const log = open();
    await log.write(create('first'));
    const before = segmentAppends(watched);
    await Promise.all(Array.from({ length: 200 }, (_, i) => log.write(create(`Plan ${i}`))));
    expect(segmentAppends(watched) - before).toBeLessThan(10);
    expect(await names(log)).toHaveLength(202);
  });

  it('rejects every caller of a failed append, then uses a new writer', async () => {
    const { files, watched, open } = createVault();
    const log = open();
    await log.write(create('One'));
    const [before, bytes] = [canonicalMemory(await log.memory()), await segmentsIn(files)];
    failAppends(watched);
    const results = await Promise.allSettled([
      log.write(create('Two')),
      log.write(create('Three')),
    ]);
    for (const result of results)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { message: 'The disk is full.' },
      });
    expect(canonicalMemory(await log.memory())).toEqual(before);
    expect(await segmentsIn(files)).toEqual(bytes);
    watched.beforeAppend = () => undefined;
    await log.write(create('Two'));
    const writers = (await eventsIn(files)).filter(({ t }) => t === 'ws.new').map(({ w }) => w);
    expect(new Set(writers).size).toBe(2);
    expect(await names(open())).toEqual(['Default', 'One', 'Two']);
  });

  it('never acknowledges a torn append, and never writes to that file again', async () => {
    const { files, watched, open } = createVault();
    const log = open();
    await log.write(create('One'));
    const [{ path } = { path: '' }] = await segmentsIn(files);
    watched.beforeAppend = (to, bytes) => {
      files.put(
        to,
        joinLines([
          { bytes: new TextEncoder().encode(files.text(to)) },
          { bytes: bytes.slice(0, -20) },
        ]),
      );
      throw new Refusal('The disk is full.');
    };
    await expect(log.write(create('Two'))).rejects.toThrow('The disk is full.');
    const left = files.text(path);
    watched.beforeAppend = () => undefined;
    await log.write(create('Three'));
    expect(files.text(path)).toBe(left);
    expect(await names(open())).toEqual(['Default', 'One', 'Three']);
  });

  it('rejects if the log cannot be read, and writes nothing', async () => {
    const { files, watched, open } = createVault();
    const log = open();
    watched.beforeRead = () => {
      throw new Refusal('Cannot read the folder.');
    };
    await expect(log.write(create('One'))).rejects.toThrow('Cannot read the folder.');
    await expect(log.memory()).rejects.toThrow('Cannot read the folder.');
    expect(files.paths()).toEqual([]);
    watched.beforeRead = () => undefined;
    await log.write(create('One'));
    expect(await names(log)).toEqual(['Default', 'One']);
  });

  it('dates its entries to today even if the vault has a line dated 2199', async () => {
    const { files, open } = createVault();
    files.put(`${ROOT}/core/x.jsonl`, lineOf({ ...workspaceDraft('Last'), h: LATEST }).bytes);
    const log = open();
    await log.write(create('One'));
    await log.write(create('Two'));
    const own = (await eventsIn(files)).filter(({ w }) => w !== WRITER_A).map(({ h }) => h);
    expect(own.every((h) => h.startsWith('2026-11-20T09:00:00.000Z.'))).toBe(true);
    expect(own).toEqual([...new Set(own)].sort());
    expect(await names(log)).toEqual(['Default', 'Last', 'One', 'Two']);
  });

  it('keeps its timestamps ascending if a line dated 2199 arrives between writes', async () => {
    const { files, open } = createVault();
    const log = open();
    await log.write(create('One'));
    files.put(`${ROOT}/core/x.jsonl`, lineOf({ ...workspaceDraft('Last'), h: LATEST }).bytes);
    await log.memory();
    await log.write(create('Two'));
    const own = (await eventsIn(files)).filter(({ w }) => w !== WRITER_A).map(({ h }) => h);
    expect(own).toEqual([...new Set(own)].sort());
  });

  it('lets an edit win over the value that it replaces, even if dated 2199', async () => {
    const { files, open } = createVault();
    const log = open();
    await put(log, workspaceDraft('Plan', 'w1'));
    const poisoned = lineOf({ t: 'set', e: 'w1', h: LATEST, d: { '/purpose': 'poisoned' } });
    files.put(`${ROOT}/core/x.jsonl`, poisoned.bytes);
    const purposes = async () =>
      Promise.all(
        [log, open()].map(async (each) =>
          registerOf(entityOf(await each.memory(), 'w1'), '/purpose'),
        ),
      );
    expect(await purposes()).toEqual(['poisoned', 'poisoned']);
    await put(log, { t: 'set', e: 'w1', d: { '/purpose': 'mine' } });
    expect(await purposes()).toEqual(['mine', 'mine']);
    const [edit] = (await eventsIn(files)).filter(({ d }) => d['/purpose'] === 'mine');
    expect(edit?.d).toEqual({ '/purpose': 'mine', [REPLACES_KEY]: [`${WRITER_A}:1`] });
    await put(open(), { t: 'set', e: 'w1', d: { '/purpose': 'last' } });
    expect(await purposes()).toEqual(['last', 'last']);
  });

  it('folds two lines with one number, time and CRC to the same memory in any order', async () => {
    const line = lineOf(workspaceDraft('Plan'));
    const twin = twinOf(line.event);
    expect(decodeLine(twin, 0, twin.length - 1)).toMatchObject({ event: { c: line.event.c } });
    const orders = [
      [line.bytes, twin],
      [twin, line.bytes],
    ];
    const memories = orders.map(async ([first, second]) => {
      const { files, open } = createVault();
      const log = open();
      files.put(`${ROOT}/core/a.jsonl`, first!);
      await log.memory();
      files.put(`${ROOT}/core/b.jsonl`, second!);
      return [await log.memory(), await open().memory()].map(canonicalMemory);
    });
    const [[one, other] = [], ...rest] = await Promise.all(memories);
    expect([other, ...rest.flat()]).toEqual([one, one, one]);
  });

  it('folds to the same memory as a fresh log reads', async () => {
    const { clock, open } = createVault();
    const [one, other] = [open(), open()];
    for (let i = 0; i < 12; i++) {
      const log = i % 2 === 0 ? one : other;
      await put(log, workspaceDraft(`Plan ${i}`, `w${i}`), {
        t: 'set',
        e: `w${i}`,
        d: { '/name': `New ${i % 3}`, '/preferences/a': [-0, i] },
      });
      await put(log, await stateDraft(`State ${i % 4}`, `s${i}`, `w${i % 5}`));
      clock.advance(i % 4 === 3 ? 86_400_000 : 1000);
    }
    const fresh = canonicalMemory(await open().memory());
    expect(canonicalMemory(await one.memory())).toEqual(fresh);
    expect(canonicalMemory(await other.memory())).toEqual(fresh);
  });

  it('lets the causally later edit win, even with wrong clocks', async () => {
    const { clock, open } = createVault();
    const behind = { ...clock, now: () => clock.now() - 5 * 86_400_000 };
    const [ahead, late] = [open(), open({ clock: behind })];
    await put(ahead, workspaceDraft('Plan', 'w1'), {
      t: 'set',
      e: 'w1',
      d: { '/purpose': 'earlier' },
    });
    await late.memory();
    await put(late, { t: 'set', e: 'w1', d: { '/purpose': 'later' } });
    expect(registerOf(entityOf(await ahead.memory(), 'w1'), '/purpose')).toBe('later');
  });

  it('keeps both workspaces that two devices gave the same name', async () => {
    const { open } = createVault();
    const [one, other] = [createVault(), createVault()];
    await one.open().write(create('Plan'));
    await put(other.open(), workspaceDraft('plan', 'another'));
    const { files } = createVault();
    for (const { files: theirs } of [one, other])
      for (const { path, bytes } of await segmentsIn(theirs)) files.put(path, bytes);
    const found = lookupWorkspace(await open({ files }).memory(), 'Plan');
    expect(found).toHaveProperty('several');
  });

  it('leaves unknown types and later versions in the file', async () => {
    const { files, open } = createVault();
    const foreign = joinLines(
      linesOf([{ t: 'thing.new', e: 'x', d: { a: 1 } }, workspaceDraft('One')], WRITER_A),
    );
    files.put(`${ROOT}/core/x.jsonl`, foreign);
    files.put(`${ROOT}/core/y.jsonl`, lineOf({ ...workspaceDraft('Later'), v: 2, n: 3 }).bytes);
    const log = open();
    await log.write(create('Two'));
    expect(await names(log)).toEqual(['Default', 'One', 'Two']);
    expect(await files.read(`${ROOT}/core/x.jsonl`)).toEqual(foreign);
  });

  it('reports events of a later version once, in any lane', async () => {
    const { files, open } = createVault();
    let met = 0;
    const log = open({ onNewerVersion: () => void met++ });
    await putWorkspace(open(), 'Plan');
    await log.memory();
    expect(met).toBe(0);
    files.put(`${ROOT}/trace/y.jsonl`, lineOf({ t: 'trace.new', v: 2, d: {} }).bytes);
    await log.traceEntries('default');
    expect(met).toBe(1);
    files.put(`${ROOT}/core/y.jsonl`, lineOf({ ...workspaceDraft('Later'), v: 3, n: 3 }).bytes);
    await log.memory();
    expect(met).toBe(1);
  });

  it('writes README.md once', async () => {
    const { files, watched, open } = createVault();
    const log = open();
    await log.write(create('One'));
    await log.write(create('Two'));
    await open().write(create('Three'));
    expect(watched.appends.filter(({ path }) => path === `${ROOT}/README.md`)).toHaveLength(1);
    expect(files.text(`${ROOT}/README.md`)).toMatch(/^# Savepoint\n/);
  });

  it('writes README.md before the first line, because a process may be killed in between', async () => {
    const { watched, open } = createVault();
    await open().write(create('One'));
    const [first, second] = watched.appends.map(({ path }) => path);
    expect([first, second?.endsWith('.jsonl')]).toEqual([`${ROOT}/README.md`, true]);
  });

  it('keeps an existing README.md, and only warns if it cannot be written', async () => {
    const { files, open, warnings } = createVault();
    files.put(`${ROOT}/README.md`, 'Mine');
    await open().write(create('One'));
    expect([files.text(`${ROOT}/README.md`), warnings]).toEqual(['Mine', []]);
    const second = createVault();
    second.watched.beforeAppend = (path) => {
      if (path.endsWith('.md')) throw new Refusal('No.');
    };
    await second.open().write(create('One'));
    expect(second.warnings).toEqual([expect.stringContaining('README.md')]);
  });
});

describe('an idempotency key', () => {
  it('takes effect once, then makes writes return undefined', async () => {
    const { open } = createVault();
    const log = open();
    expect(await log.write(create('Plan'), 'key')).toBe('made Plan');
    expect(await log.write(create('Plan'), 'key')).toBeUndefined();
    expect(await names(log)).toEqual(['Default', 'Plan']);
  });

  it('takes effect once across concurrent calls and other logs', async () => {
    const { files, open } = createVault();
    const log = open();
    const answers = await Promise.all([1, 2, 3].map(() => log.write(create('Plan'), 'key')));
    expect(answers).toEqual(['made Plan', undefined, undefined]);
    expect(await open().write(create('Plan'), 'key')).toBeUndefined();
    const events = (await eventsIn(files)).filter(({ t }) => t === 'ws.new');
    expect(events.map(({ d }) => d[CALL_KEY])).toEqual(['key']);
  });

  it('stays unused if its write is refused or fails', async () => {
    const { watched, open } = createVault();
    const log = open();
    await log.write(create('Taken'));
    await expect(log.write(create('Taken'), 'key')).rejects.toThrow('taken');
    failAppends(watched);
    await expect(log.write(create('Plan'), 'key')).rejects.toThrow('full');
    watched.beforeAppend = () => undefined;
    expect(await log.write(create('Plan'), 'key')).toBe('made Plan');
  });

  it('rejects a concurrent repeat if the first write fails', async () => {
    const { watched, open } = createVault();
    const log = open();
    failAppends(watched);
    const results = await Promise.allSettled([
      log.write(create('Plan'), 'key'),
      log.write(create('Plan'), 'key'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('several logs on one folder', () => {
  it("see each other's writes at the next memory() call", async () => {
    const { open } = createVault();
    const [one, other] = [open(), open()];
    await one.write(create('A'));
    expect(await names(other)).toEqual(['A', 'Default']);
    await other.write(create('B'));
    expect(await names(one)).toEqual(['A', 'B', 'Default']);
    await Promise.all(
      ['C', 'D', 'E'].map((name, at) => (at % 2 === 0 ? one : other).write(create(name))),
    );
    expect([await names(one), await names(other)]).toEqual(
      Array(2).fill(['A', 'B', 'C', 'D', 'Default', 'E']),
    );
  });

  it('read what the last process has written before they continue its writer', async () => {
    const { open } = createVault();
    const identities = createMemoryIdentities();
    const copies = createMemoryCopies();
    const [one, other] = [open({ identities, copies }), open({ identities, copies })];
    expect(await names(one)).toEqual(['Default']);
    await other.write(create('A'));
    await other.close();
    await expect(one.write(create('A'))).rejects.toThrow('"A" is taken.');
    await one.write(create('B'));
    const copied = parseSegment(await copies.read(copies.record()!.ids[0]!)).lines;
    expect(copied.map(({ event }) => event.e)).toEqual(expect.arrayContaining(['ws-A', 'ws-B']));
  });

  it('return everything present at the time of the call, even mid-scan', async () => {
    const { files, watched, open } = createVault();
    const log = open();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    files.put(`${ROOT}/core/a.jsonl`, lineOf(workspaceDraft('Early')).bytes);
    watched.beforeRead = (path) => (path.endsWith('a.jsonl') ? held : undefined);
    const first = log.memory();
    await new Promise((resolve) => setImmediate(resolve));
    files.put(`${ROOT}/core/b.jsonl`, lineOf({ ...workspaceDraft('Late'), n: 2 }).bytes);
    const second = log.memory();
    letGo();
    expect(allWorkspaces(await first).length).toBeGreaterThanOrEqual(2);
    expect(allWorkspaces(await second).map(({ displayName }) => displayName)).toEqual([
      'Default',
      'Early',
      'Late',
    ]);
  });

  it('never change a memory that they have returned', async () => {
    const { open } = createVault();
    const log = open();
    await log.write(create('A'));
    const memory = await log.memory();
    const before = canonicalMemory(memory);
    await Promise.all(Array.from({ length: 30 }, (_, i) => log.write(create(`More ${i}`))));
    await put(log, { t: 'set', e: 'ws-A', d: { '/name': 'Z' } });
    expect(canonicalMemory(memory)).toEqual(before);
  });
});

describe('watermarks', () => {
  /** Returns the numbers in each watermark of a writer, by writer of the core lane. */
  async function seenBy(
    log: { files: Parameters<typeof eventsIn>[0] },
    writer: string,
  ): Promise<unknown[]> {
    return (await marksBy(log, writer)).map(seenIn);
  }

  function seenIn(event: LogEvent): unknown {
    const seen = watermarkOf(event)?.seen.filter(({ lane }) => lane === 'core') ?? [];
    return Object.fromEntries(seen.map(({ writer, n }) => [writer, n]));
  }

  async function marksBy(
    log: { files: Parameters<typeof eventsIn>[0] },
    writer: string,
  ): Promise<LogEvent[]> {
    return (await eventsIn(log.files)).filter(({ t, w }) => t === 'log.mark' && w === writer);
  }

  /** Creates two devices that have both written and seen all of each other's events. */
  async function twoDevices() {
    const vault = createVault();
    const [one, other] = ['one', 'other'].map((device) => vault.open({ device })) as [Log, Log];
    await one.write(create('One'));
    await other.write(create('Other'));
    await one.memory();
    await one.write(create('One more'));
    const events = await eventsIn(vault.files);
    const writerOf = (name: string) => events.find(({ d }) => d['name'] === name)!.w;
    return { ...vault, one, other, first: writerOf('One'), second: writerOf('Other') };
  }

  it('are written ten minutes after others have written', async () => {
    const { files, clock, one, first, second } = await twoDevices();
    clock.advance(10 * MINUTE - 1);
    await one.memory();
    expect(await marksBy({ files }, first)).toEqual([]);
    clock.advance(1);
    await one.memory();
    expect(await seenBy({ files }, first)).toEqual([{ [second]: 3 }]);
  });

  it('have the hash of the last event that they mention', async () => {
    const { files, clock, one, first, second } = await twoDevices();
    clock.advance(10 * MINUTE);
    await one.memory();
    const last = (await eventsIn(files)).find(({ w, n }) => w === second && n === 3)!;
    const [mark] = await marksBy({ files }, first);
    expect(mark!.d).toEqual({ seen: { core: { [second]: [3, encodeLine(last).hash] } } });
  });

  it('are written with the next write after 200 events', async () => {
    const { files, one, other, first, second } = await twoDevices();
    for (let i = 0; i < 4; i++)
      await put(other, ...Array.from({ length: 50 }, (_, at) => workspaceDraft(`Plan ${i} ${at}`)));
    await one.memory();
    await one.write(create('Now'));
    expect(await seenBy({ files }, first)).toEqual([{ [second]: 203 }]);
  });

  it('are written when a log is closed', async () => {
    const { files, one, other, first, second } = await twoDevices();
    await one.close();
    await other.memory();
    await other.close();
    expect(await seenBy({ files }, first)).toEqual([{ [second]: 3 }]);
    expect(await seenBy({ files }, second)).toEqual([{ [first]: 3 }, { [first]: 4 }]);
  });

  it('are not written by a log that has written nothing itself', async () => {
    const { files, clock, open } = createVault();
    await open().write(create('One'));
    const reader = open();
    await reader.memory();
    const before = await eventsIn(files);
    clock.advance(30 * MINUTE);
    await reader.memory();
    await reader.close();
    expect(await eventsIn(files)).toEqual(before);
  });

  it('do not cause further watermarks between two idle logs', async () => {
    const { files, clock, one, other } = await twoDevices();
    const sizes: number[] = [];
    for (let i = 0; i < 12; i++) {
      clock.advance(11 * MINUTE);
      await one.memory();
      await other.memory();
      sizes.push((await eventsIn(files)).length);
    }
    expect(new Set(sizes.slice(2)).size).toBe(1);
  });

  it('are written later if their write is refused', async () => {
    const { files, clock, one, other, first, second } = await twoDevices();
    await put(other, ...Array.from({ length: 250 }, (_, at) => workspaceDraft(`Plan ${at}`)));
    await one.memory();
    await expect(putWorkspace(one, 'Huge', 1024 * 1024)).rejects.toThrow(Refusal);
    clock.advance(10 * MINUTE);
    await one.memory();
    expect(await seenBy({ files }, first)).toEqual([{ [second]: 253 }]);
  });

  it('are still written after a watermark of a later version', async () => {
    const { files, clock, one, first, second } = await twoDevices();
    files.put(
      `${ROOT}/core/x.jsonl`,
      lineOf({ t: 'log.mark', v: 2, d: { seen: { [second]: 99 } } }).bytes,
    );
    await one.memory();
    clock.advance(10 * MINUTE);
    await one.memory();
    expect(await seenBy({ files }, first)).toEqual([{ [second]: 3 }]);
  });

  it('are written later if an append fails', async () => {
    const { files, watched, clock, one, first, second } = await twoDevices();
    failAppends(watched);
    clock.advance(10 * MINUTE);
    await one.memory();
    watched.beforeAppend = () => undefined;
    await one.write(create('Back'));
    await one.close();
    const others = (await eventsIn(files)).filter(({ t, w }) => t === 'log.mark' && w !== first);
    expect(others.map(seenIn)).toContainEqual({ [first]: 4, [second]: 3 });
  });

  it('only cause a warning if an append fails', async () => {
    const { watched, clock, warnings, one } = await twoDevices();
    failAppends(watched);
    clock.advance(10 * MINUTE);
    await one.memory();
    expect(warnings).toEqual([expect.stringContaining('No watermark was written')]);
  });

  it('omit the traces of their own process', async () => {
    const { files, clock, open } = createVault();
    const log = open();
    await log.writeTrace(trace('x'));
    await log.write(create('One'));
    clock.advance(86_400_000);
    await log.write(create('Two'));
    await log.close();
    expect((await eventsIn(files)).filter(({ t }) => t === 'log.mark')).toEqual([]);
  });

  it('cover the trace lane too', async () => {
    const { files, clock, one, other, first } = await twoDevices();
    await other.writeTrace(trace('x'));
    await one.traceEntries('default');
    const [seg] = await eventsIn(files, `${ROOT}/trace`);
    clock.advance(10 * MINUTE);
    await one.memory();
    expect((await marksBy({ files }, first)).at(-1)?.d).toHaveProperty(
      ['seen', 'trace', seg!.w],
      [2, expect.stringMatching(/^[0-9a-f]{32}$/)],
    );
  });
});

describe('traces', () => {
  it('are listed again only after another trace is written', async () => {
    const { open } = createVault();
    const [log, other] = [open(), open()];
    await log.writeTrace(trace('a'));
    const first = await log.traceEntries('default');
    expect(await log.traceEntries('default')).toBe(first);
    await other.writeTrace(trace('b'));
    const second = await log.traceEntries('default');
    expect(second.map(({ n }) => n)).toHaveLength(2);
    await log.writeTrace(trace('c'));
    expect(await log.traceEntries('default')).toHaveLength(3);
    expect(first).toHaveLength(1);
  });

  it('are returned newest first, by workspace', async () => {
    const { clock, open } = createVault();
    const log = open();
    for (const [tool, ws] of [
      ['a', 'default'],
      ['b', 'w1'],
      ['c', 'default'],
    ] as const) {
      await log.writeTrace(trace(tool, ws));
      clock.advance(1000);
    }
    for (const each of [log, open()]) {
      const entries = await each.traceEntries('default');
      expect((await each.readTraces(entries)).map(({ tool }) => tool)).toEqual(['c', 'a']);
      expect(await each.traceEntries('nothing')).toEqual([]);
    }
  });

  it('include those that other processes wrote', async () => {
    const { open } = createVault();
    const [one, other] = [open(), open()];
    await one.writeTrace(trace('a'));
    await other.writeTrace(trace('b'));
    expect(await one.traceEntries('default')).toHaveLength(2);
    expect(await other.traceEntries('default')).toHaveLength(2);
  });

  it('are skipped if they are invalid', async () => {
    const { open } = createVault();
    const log = open();
    await log.writeTrace({ t: 'trace.new', e: 'odd', d: { ws: 'default' } });
    expect(await log.recentTraces('default', 5)).toEqual([]);
    const entries = await log.traceEntries('default');
    expect(entries).toHaveLength(1);
    expect(await log.readTraces(entries)).toEqual([]);
  });

  it('of recent days are found without reading earlier ones', async () => {
    const { clock, open, watched } = createVault();
    for (const tool of ['a', 'b', 'c']) {
      await open().writeTrace(trace(tool));
      clock.advance(3 * 24 * 60 * MINUTE);
    }
    watched.reads.length = 0;
    expect((await open().recentTraces('default', 1)).map(({ tool }) => tool)).toEqual(['c']);
    expect(watched.reads).toHaveLength(1);
  });

  describe('of sessions', () => {
    const version = (session: string, ws: string, message: string) => ({
      t: 'session.new',
      e: `${session}-${message}`,
      d: { ws, client: 'codex', session, checkpoint: { turns: [{ message }] } },
    });
    const messages = (traces: readonly Trace[]) =>
      traces.map(({ checkpoint }) => checkpoint?.turns[0]?.message);

    it('are found in all workspaces, even if someone has retired them', async () => {
      const { files, open } = createVault();
      const log = open();
      await log.writeTrace(version('a', 'default', 'a'));
      await log.writeTrace(version('b', 'other', 'b'));
      await log.writeTrace(trace('c', 'other'));
      expect(messages(await log.recentCheckpoints(5))).toEqual(['b', 'a']);
      const lines = await eventsIn(files, `${ROOT}/session`);
      const { w, n } = lines.find(({ e }) => e === 'a-a')!;
      const range = { file: 'x', w, from: n, to: n, count: 1, sha256: '', why: 'age' };
      const d = { lane: 'session', ...range };
      files.put(`${ROOT}/core/x.jsonl`, lineOf({ t: 'log.retire', w: WRITER_B, d }).bytes);
      await log.memory();
      expect(messages(await log.recentCheckpoints(5))).toEqual(['b', 'a']);
    });

    it('are hidden by later versions in lists, old and new, and after a start', async () => {
      const { open } = createVault();
      const log = open();
      const listed = async (from: Log) =>
        messages(await from.readTraces(await from.traceEntries('default')));
      await log.writeTrace(version('a', 'default', 'first'));
      await log.writeTrace(version('b', 'default', 'other'));
      expect(await listed(log)).toEqual(['other', 'first']);
      await log.writeTrace(version('a', 'default', 'second'));
      expect(await listed(log)).toEqual(['second', 'other']);
      expect(messages(await log.recentTraces('default', 5))).toEqual(['second', 'other']);
      expect(messages(await open().recentTraces('default', 5))).toEqual(['second', 'other']);
      expect(await listed(open())).toEqual(['second', 'other']);
    });
  });

  it('are written by the same writer before and after those of earlier processes are read', async () => {
    const { files, open } = createVault();
    const identities = createMemoryIdentities();
    const earlier = open({ identities });
    await earlier.writeTrace(trace('a'));
    await earlier.close();
    const log = open({ identities });
    await log.writeTrace(trace('b'));
    expect(await log.traceEntries('default')).toHaveLength(2);
    await log.writeTrace(trace('c'));
    expect(new Set((await eventsIn(files, `${ROOT}/trace`)).map(({ w }) => w)).size).toBe(1);
  });

  it('are skipped if their file is deleted', async () => {
    const { files, open } = createVault();
    const log = open();
    await log.writeTrace(trace('a'));
    const entries = await log.traceEntries('default');
    for (const path of files.paths()) await files.remove(path);
    expect(await log.readTraces(entries)).toEqual([]);
  });

  it('are found in a renamed file, and only once if it has a copy', async () => {
    const { files, open } = createVault();
    const log = open();
    await log.writeTrace(trace('a'));
    const [path] = files.paths().filter((each) => each.endsWith('.jsonl'));
    const found = async () =>
      (await log.readTraces(await log.traceEntries('default'))).map(({ tool }) => tool);
    expect(await found()).toEqual(['a']);
    const text = files.text(path!);
    for (const name of [`${ROOT}/trace/a (1).jsonl`, `${ROOT}/trace/2026-11 (1)/b.jsonl`]) {
      files.put(name, text);
      expect(await found()).toEqual(['a']);
      for (const other of files.paths())
        if (other.startsWith(`${ROOT}/trace/`) && other !== name) await files.remove(other);
      expect(await found()).toEqual(['a']);
    }
  });

  it('are omitted if they are of a later version', async () => {
    const { files, open } = createVault();
    files.put(`${ROOT}/trace/x.jsonl`, lineOf({ ...trace('a'), v: 2 }).bytes);
    expect(await open().traceEntries('default')).toEqual([]);
  });

  it('are not folded into the memory', async () => {
    const { files, open } = createVault();
    files.put(`${ROOT}/core/x.jsonl`, lineOf({ ...trace('a'), e: 'default' }).bytes);
    const log = open();
    const before = canonicalMemory(await createVault().open().memory());
    expect(canonicalMemory(await log.memory())).toEqual(before);
  });

  it('fill segments of 128 KB', async () => {
    const { files, open } = createVault();
    const log = open();
    const long = { ...trace('x'), d: { ...trace('x').d, input: 'x'.repeat(1500) } };
    for (let i = 0; i < 100; i++) await log.writeTrace(long);
    const segments = await segmentsIn(files, `${ROOT}/trace`);
    expect(segments.length).toBe(2);
    expect(segments[0]!.bytes.length).toBeGreaterThan(126 * 1024);
    expect(segments[0]!.bytes.length).toBeLessThan(129 * 1024);
  });
});

describe('closing', () => {
  it('releases the writers of both lanes', async () => {
    const { open } = createVault();
    const identities = createMemoryIdentities();
    const log = open({ identities });
    await log.write(create('One'));
    await log.writeTrace(trace('a'));
    await log.close();
    expect([...identities.records].map(([lane, records]) => [lane, records.length])).toEqual([
      ['core', 1],
      ['trace', 1],
    ]);
  });

  it('waits for the writes in progress', async () => {
    const { open } = createVault();
    const identities = createMemoryIdentities();
    const log = open({ identities });
    await log.memory();
    const writes = Promise.all(
      Array.from({ length: 20 }, (_, i) => log.write((memory) => create(`Plan ${i}`)(memory))),
    );
    await log.close();
    await writes;
    expect(await names(open())).toHaveLength(21);
    expect(identities.records.get('core')).toHaveLength(1);
  });

  it('stops all further writes', async () => {
    const { files, clock, open } = createVault();
    const [one, other] = [open(), open()];
    await one.write(create('One'));
    await other.write(create('Two'));
    await one.memory();
    await one.close();
    const before = await eventsIn(files);
    clock.advance(60 * MINUTE);
    await other.memory();
    expect((await eventsIn(files)).filter(({ w }) => w === before[0]!.w)).toEqual(
      before.filter(({ w }) => w === before[0]!.w),
    );
  });

  it('warns if a writer cannot be stored', async () => {
    const { warnings, open } = createVault();
    const log = open({
      identities: {
        acquire: () => Promise.resolve(undefined),
        release: () => Promise.reject(new Refusal('No room.')),
      },
    });
    await log.write(create('One'));
    await log.close();
    expect(warnings).toEqual([expect.stringContaining('No room.')]);
  });

  it('leaves saved states unchanged', async () => {
    const { open } = createVault();
    const log = open();
    await put(log, await stateDraft('Save', 's1'));
    await log.close();
    expect(allStates(await open().memory(), 'default')).toMatchObject([
      { item: { name: 'Save', activeTask: 'Test' } },
    ]);
  });
});

describe('conversations', () => {
  const begun = (e: string) => ({
    t: 'conv.new',
    e,
    d: conversationData({ workspaceId: 'default', title: 'Talk' }),
  });
  const said = (e: string, conversationId = 'c1') => ({
    t: 'msg.new',
    e,
    d: messageData({
      conversationId,
      parentId: undefined,
      role: 'user',
      parts: [{ type: 'text', text: e }],
    }),
  });

  it('are stored separately from the memory and from traces', async () => {
    const { files, open } = createVault();
    const log = open();
    await putWorkspace(log, 'Plan');
    await log.writeTrace(trace('one'));
    const written = await Promise.all(
      [begun('c1'), said('m1'), said('m2'), said('m3', 'c2')].map((draft) => log.writeChat(draft)),
    );
    expect(written.map(({ t, e }) => `${t} ${e}`)).toEqual([
      'conv.new c1',
      'msg.new m1',
      'msg.new m2',
      'msg.new m3',
    ]);
    for (const each of [log, open()]) {
      const chat = await each.conversations();
      expect(
        [...mapEntries(chat.entities)]
          .map(([id]) => id)
          .filter((id) => id === 'c1' || id.startsWith('ws') || id.startsWith('trace')),
      ).toEqual(['c1']);
      expect(conversationOf(entityOf(chat, 'c1'))).toMatchObject({ title: 'Talk' });
      expect((await each.messages('c1')).map(({ id }) => id)).toEqual(['m2', 'm1']);
      expect(await names(each)).toEqual(['Default', 'Plan']);
      expect(entityOf(await each.memory(), 'c1').created).toBeUndefined();
    }
    const segments = (await segmentsIn(files, `${ROOT}/chat`)).flatMap(({ events }) => events);
    expect(typesOf(segments)).toBe('log.seg conv.new msg.new msg.new msg.new');
    expect(segments[0]?.d).toEqual({ fmt: 1, app: 'savepoint/test', device: 'test' });
  });

  it('are returned as written if one write creates and one changes the same', async () => {
    const log = createVault().open();
    const changed = { t: 'set', e: 'c1', d: { '/title': 'Walk' } };
    const written = await Promise.all([begun('c1'), changed].map((draft) => log.writeChat(draft)));
    expect(typesOf(written)).toBe('conv.new set');
  });

  it('take effect in the folder of the core lane too', async () => {
    const { files, open } = createVault();
    files.put(`${ROOT}/core/x.jsonl`, lineOf(begun('c1')).bytes);
    const log = open();
    await log.memory();
    const chat = await log.conversations();
    expect(conversationOf(entityOf(chat, 'c1'))).toMatchObject({ title: 'Talk' });
  });

  it('skip invalid messages and missing files', async () => {
    const { files, open } = createVault();
    const log = open();
    await log.writeChat({ t: 'msg.new', e: 'odd', d: { conv: 'c1' } });
    await log.writeChat(said('m1'));
    expect((await log.messages('c1')).map(({ id }) => id)).toEqual(['m1']);
    const [segment] = await segmentsIn(files, `${ROOT}/chat`);
    await files.remove(segment!.path);
    expect(await log.messages('c1')).toEqual([]);
  });

  it('notify listeners of writes by this log and by others', async () => {
    const { open } = createVault();
    const log = open();
    await log.conversations();
    const changes: unknown[] = [];
    log.onChange((change) => void changes.push(change));
    const chat = { memory: false, traces: false, chat: true };
    await log.writeChat(begun('c1'));
    expect(changes).toEqual([chat]);
    await open().writeChat(said('m1'));
    await log.messages('c1');
    expect(changes).toEqual([chat, chat]);
  });
});

describe('events outside the core lane', () => {
  it('include no vault id and no watermarks', async () => {
    const { files, open } = createVault();
    const other = open();
    for (let at = 0; at < 201; at++) await putWorkspace(other, `Plan ${at}`);
    const log = open();
    await log.memory();
    await log.writeTrace(trace('one'));
    await log.writeChat({
      t: 'conv.new',
      e: 'c1',
      d: conversationData({ workspaceId: 'default', title: 'Talk' }),
    });
    await log.writeTrace(trace('two'));
    expect(typesOf(await eventsIn(files, `${ROOT}/trace`))).toBe('log.seg trace.new trace.new');
    expect(typesOf(await eventsIn(files, `${ROOT}/chat`))).toBe('log.seg conv.new');
  });

  it('take effect according to their type, whatever folder they are in', async () => {
    const { files, open } = createVault();
    files.put(`${ROOT}/trace/x.jsonl`, lineOf(workspaceDraft('Moved')).bytes);
    files.put(`${ROOT}/core/x.jsonl`, lineOf({ ...trace('moved'), w: WRITER_B }).bytes);
    const log = open();
    await log.traceEntries('default');
    expect(await names(log)).toEqual(['Default', 'Moved']);
    const [entry, ...others] = await log.traceEntries('default');
    expect([entry?.path, others]).toEqual([`${ROOT}/core/x.jsonl`, []]);
    expect(await log.readTraces([entry!])).toMatchObject([{ tool: 'moved' }]);
  });

  it('lists traces until their files are deleted, whatever retires them', async () => {
    const { files, open } = createVault();
    const log = open();
    await log.memory();
    await log.writeTrace(trace('one'));
    const [{ w }] = (await eventsIn(files, `${ROOT}/trace`)) as [LogEvent];
    const d = { lane: 'trace', file: 'x', w, from: 1, to: 900, count: 900, sha256: '', why: 'age' };
    const changes: unknown[] = [];
    log.onChange((change) => void changes.push(change));
    files.put(`${ROOT}/core/other.jsonl`, lineOf({ t: 'log.retire', d }).bytes);
    await log.memory();
    await Promise.resolve();
    expect(changes).toEqual([]);
    await log.writeTrace(trace('two'));
    expect(await log.traceEntries('default')).toHaveLength(2);
    expect(await open().traceEntries('default')).toHaveLength(2);
  });
});

describe('a log', () => {
  it('warns once if the cache fails in every lane', async () => {
    const { warnings, open } = createVault();
    const refuse = () => Promise.reject(new Error('It is refused.'));
    const log = open({ cache: { load: refuse, save: refuse, clear: refuse } });
    await Promise.all([log.memory(), log.conversations(), log.traceEntries('default')]);
    expect(warnings).toEqual([expect.stringContaining('It is refused.')]);
  });

  it('writes no watermark for an abandoned trace writer', async () => {
    const { files, open } = createVault();
    const identities = createMemoryIdentities();
    const first = open({ identities });
    await first.writeTrace(trace('one'));
    await first.close();
    await files.remove((await segmentsIn(files, `${ROOT}/trace`))[0]!.path);
    const next = open({ identities });
    await next.writeTrace(trace('two'));
    await putWorkspace(next, 'Plan');
    await next.close();
    expect(typesOf(await eventsIn(files))).toBe('log.seg log.vault ws.new');
  });

  it('rejects writes while it cannot acquire a writer, and recovers', async () => {
    const { open } = createVault();
    const identities = createMemoryIdentities();
    let isFailing = true;
    const take: typeof identities.acquire = (lane) =>
      isFailing ? Promise.reject(new Error('no store')) : identities.acquire(lane);
    const log = open({ identities: { ...identities, acquire: take } });
    await log.memory();
    const writes = await Promise.allSettled([putWorkspace(log, 'One'), putWorkspace(log, 'Two')]);
    expect(writes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isFailing = false;
    await putWorkspace(log, 'Three');
    expect(await names(log)).toEqual(['Default', 'Three']);
  });

  it('abandons a writer of which others have seen later events', async () => {
    const { files, open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    const [{ w }] = (await eventsIn(files)) as [LogEvent];
    const seen = { core: { [w]: [99] } };
    const [mark] = linesOf([{ t: 'log.mark', e: '', d: { seen } }], WRITER_B);
    files.put(`${ROOT}/core/other.jsonl`, mark!.bytes);
    await log.memory();
    await putWorkspace(log, 'Two');
    const last = (await eventsIn(files)).find(({ e }) => e === 'ws-Two')!;
    expect([w, WRITER_B]).not.toContain(last.w);
  });

  it('opens each segment with an event of no entity', async () => {
    const { files, open } = createVault();
    await putWorkspace(open(), 'One');
    expect((await eventsIn(files))[0]).toMatchObject({ t: 'log.seg', e: '' });
  });

  it('abandons a writer with a fork', async () => {
    const { files, open } = createVault();
    const identities = createMemoryIdentities();
    const first = open({ identities });
    await putWorkspace(first, 'One');
    await first.close();
    const [{ w }] = (await eventsIn(files)) as [LogEvent];
    files.put(`${ROOT}/core/fork.jsonl`, lineOf({ t: 'set', w, n: 2 }).bytes);
    const log = open({ identities });
    await log.memory();
    await putWorkspace(log, 'Two');
    expect((await eventsIn(files)).find(({ d }) => d['name'] === 'Two')?.w).not.toBe(w);
  });

  it('rescans sealed segments once a second, even if the clock was set back', async () => {
    const { files, clock, open } = createVault();
    const writer = open();
    await putWorkspace(writer, 'Long', 70_000);
    await putWorkspace(writer, 'Next');
    const [sealed] = await segmentsIn(files);
    const log = open();
    await log.memory();
    const change = (name: string) => {
      const [more] = linesOf(
        [workspaceDraft(name)],
        `${name.toLowerCase().repeat(12)}`.slice(0, 12),
      );
      // The last line is still the seal.
      files.put(sealed!.path, Buffer.concat([more!.bytes, sealed!.bytes]));
    };
    change('A');
    clock.advance(999);
    expect(await names(log)).toEqual(['Default', 'Long', 'Next']);
    clock.advance(1);
    expect(await names(log)).toEqual(['A', 'Default', 'Long', 'Next']);
    change('BB');
    expect(await names(log)).toEqual(['A', 'Default', 'Long', 'Next']);
    clock.advance(-5000);
    expect(await names(log)).toEqual(['A', 'BB', 'Default', 'Long', 'Next']);
  });

  it('fails a write after five attempts if files keep changing', async () => {
    const { files, watched, open } = createVault();
    const log = open();
    await log.memory();
    watched.beforeAppend = (path) => {
      throw new FileChangedError(path);
    };
    await expect(putWorkspace(log, 'Plan')).rejects.toThrow(
      new Refusal(
        'Cannot save: another program keeps changing the files in the data folder while they are written. Nothing was saved; wait until your sync has finished and try again.',
      ),
    );
    expect([segmentAppends(watched), files.paths()]).toEqual([5, []]);
    await expect(putWorkspace(log, 'Again')).rejects.toThrow('Cannot save');
    expect(segmentAppends(watched)).toBe(10);
    watched.beforeAppend = () => undefined;
    await putWorkspace(log, 'Plan');
    expect(await names(log)).toEqual(['Default', 'Plan']);
  });

  it('identifies its vault by the latest segment if `log.vault` is lost', async () => {
    const { files, open } = createVault();
    await files.append(`${ROOT}/README.md`, new Uint8Array(1), { expect: 'new', durable: false });
    const idOf = (letter: string) => letter.repeat(16);
    const opening = (w: string, minute: number, vault: string, more: Partial<LogEvent> = {}) =>
      lineOf({ t: 'log.seg', w, h: clockText(minute), d: { vault }, ...more });
    const lines = [
      opening('aaaaaaaaaaaa', 1, idOf('a')),
      opening('bbbbbbbbbbbb', 3, idOf('b')),
      opening('cccccccccccc', 2, idOf('c')),
      opening('dddddddddddd', 4, idOf('d'), { v: 2 }),
      opening('eeeeeeeeeeee', 5, idOf('e'), { t: 'thing.new' }),
      opening('gggggggggggg', 6, 'too-short'),
    ];
    files.put(`${ROOT}/core/a.jsonl`, joinLines(lines));
    files.put(`${ROOT}/trace/a.jsonl`, opening('ffffffffffff', 9, idOf('f')).bytes);
    const log = open();
    await log.traceEntries('default');
    await putWorkspace(log, 'Plan');
    expect((await eventsIn(files)).find(({ t }) => t === 'log.vault')?.d).toEqual({
      id: idOf('b'),
    });
  });

  it('finishes pending writes and saves its cache before it closes', async () => {
    const { files, open } = createVault();
    const cache = createMemoryCache();
    const log = open({ cache });
    await log.memory();
    const writes = [putWorkspace(log, 'Plan'), log.writeTrace(trace('one'))];
    await log.close();
    expect(typesOf(await eventsIn(files))).toContain('ws.new');
    await Promise.all(writes);
    const next = open({ cache });
    await next.memory();
    await next.close();
    expect([...cache.records.get('core')!.keys()]).toEqual([(await segmentsIn(files))[0]!.path]);
  });
});
