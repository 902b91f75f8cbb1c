import { describe, expect, it } from 'vitest';
import { CallList } from '../../../src/indexing/memory/call-list.js';
import { runFromJson, runToJson, type CallRun } from '../../../src/indexing/memory/call-runs.js';
import type { Json } from '../../../src/model/event.js';
import type { TraceEntry } from '../../../src/storage/log.js';

const IN_A_FILE = 100;
const entryAt = (at: number): TraceEntry => ({
  owner: 'w',
  path: `file ${Math.floor(at / IN_A_FILE)}`,
  from: at,
  to: at + 1,
  h: String(at).padStart(6, '0'),
  w: 'a',
  n: at,
  c: String(at % 7),
});
const entriesTo = (count: number) => Array.from({ length: count }, (_, at) => entryAt(at));
const listOf = (entries: readonly TraceEntry[]) => ({ entries, count: entries.length });

const indexedIn = (calls: CallList) =>
  calls.runs().reduce((sum, { count, skipped }) => sum + count - skipped.length, 0);

function takeAll(calls: CallList): CallList {
  for (const position of calls.latestMissing(Infinity))
    calls.markProcessed(position, position % 10 !== 9);
  return calls;
}

function reopened(runs: readonly CallRun[], entries: readonly TraceEntry[]): CallList {
  const calls = new CallList(
    runs.map(
      (run) =>
        runFromJson(JSON.parse(JSON.stringify(runToJson(run))) as Json) ?? expect.fail('no run'),
    ),
  );
  calls.update(listOf(entries));
  return calls;
}

describe('CallList', () => {
  it('returns the latest missing calls first, then older ones', () => {
    const entries = entriesTo(10);
    const calls = new CallList([]);
    calls.update({ entries, count: 10 });
    expect(calls.latestMissing(2)).toEqual([8, 9]);
    calls.markProcessed(8, true);
    calls.markProcessed(9, false);
    expect([calls.missing, indexedIn(calls), calls.latestMissing(2)]).toEqual([8, 1, [6, 7]]);
    entries.push(entryAt(10));
    expect(calls.update({ entries, count: 11 })).toEqual([]);
    expect([calls.missing, calls.latestMissing(2)]).toEqual([9, [7, 10]]);
    expect(calls.latestMissing(100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10]);
  });

  it('finds a call by its position in a file unless it is deleted', () => {
    const calls = new CallList([]);
    const entries = entriesTo(300);
    calls.update(listOf(entries));
    expect([
      calls.find('file 1', 150)?.n,
      calls.find('file 1', 50),
      calls.find('file 9', 1),
    ]).toEqual([150, undefined, undefined]);
    calls.update(listOf(entries.toSpliced(150, 1)));
    expect([calls.find('file 1', 150), calls.find('file 1', 151)?.n]).toEqual([undefined, 151]);
  });

  it('returns deleted indexed calls, and marks their neighbors as missing', () => {
    const entries = entriesTo(30);
    const calls = new CallList([]);
    calls.update(listOf(entries));
    takeAll(calls);
    expect(calls.update(listOf(entries.toSpliced(9, 2))).map(({ n }) => n)).toEqual([10]);
    expect(calls.latestMissing(100)).toEqual([6, 7, 8, 9, 10, 11]);
    expect(calls.missing).toBe(6);
    takeAll(calls);
    expect([calls.missing, indexedIn(calls)]).toEqual([0, 25]);
  });

  it('treats a call that has moved as a different one', () => {
    const entries = entriesTo(30);
    const calls = new CallList([]);
    calls.update(listOf(entries));
    takeAll(calls);
    const moved = entries.with(20, { ...entries[20]!, path: 'elsewhere' });
    expect(calls.update(listOf(moved)).map(({ path }) => path)).toEqual(['file 0']);
    expect(calls.isMissing(20)).toBe(true);
    expect(calls.find('elsewhere', 20)?.n).toBe(20);
  });

  it('restores persisted runs, and marks new calls as missing', () => {
    const entries = entriesTo(5000);
    const calls = new CallList([]);
    calls.update(listOf(entries));
    for (const position of calls.latestMissing(3000))
      calls.markProcessed(position, position % 10 !== 9);
    const runs = calls.runs();
    expect(runs.map(({ count }) => count)).toEqual([48, 1024, 1024, 904]);
    const later = reopened(runs, entriesTo(5100));
    expect(later.missing).toBe(2103); // 2,000 unprocessed calls, 100 new ones and three neighbors
    expect(later.latestMissing(104).slice(0, 5)).toEqual([1999, 2000, 2001, 2002, 5000]);
    expect(takeAll(later).runs()).toEqual(takeAll(reopened([], entriesTo(5100))).runs());
  });

  it('returns the same runs after a change as a new list does', () => {
    const entries = entriesTo(5000);
    const calls = new CallList([]);
    calls.update(listOf(entries));
    takeAll(calls).runs();
    const changed = entries.toSpliced(2500, 3);
    calls.update(listOf(changed));
    expect(calls.runs().map(({ count }) => count)).toEqual([1024, 1024, 569, 1024, 901]);
    const asBefore = (all: readonly CallRun[]) =>
      all.map(({ first, count, hash }) => ({ first, count, hash }));
    expect(asBefore(takeAll(calls).runs())).toEqual(
      asBefore(takeAll(reopened([], changed)).runs()),
    );
  });

  it('marks a run as missing if one of its calls is changed or deleted', () => {
    const entries = entriesTo(5000);
    const calls = new CallList([]);
    calls.update(listOf(entries));
    const runs = takeAll(calls).runs();
    const missingIn = (now: readonly TraceEntry[]) => reopened(runs, now).latestMissing(Infinity);
    expect(missingIn(entries)).toEqual([]);
    const second = Array.from({ length: 1024 }, (_, at) => 1024 + at);
    const aroundSecond = [1021, 1022, 1023, ...second, 2048, 2050];
    expect(missingIn(entries.with(1500, { ...entries[1500]!, c: 'other' }))).toEqual(aroundSecond);
    expect(missingIn(entries.with(1500, { ...entries[1500]!, path: 'other' }))).toEqual(
      aroundSecond,
    );
    expect(missingIn(entries.toSpliced(1500, 1))).toEqual([
      1021,
      1022,
      1023,
      ...second.slice(0, -1),
      2047,
      2049,
    ]);
    expect(missingIn(entries.toSpliced(1024, 1024))).toEqual([1021, 1022, 1023, 1024, 1026]);
    expect(missingIn([])).toEqual([]);
  });

  it('parses nothing but a valid run', () => {
    const run: CallRun = {
      first: { h: 'h', w: 'w', n: 1, c: 'c' },
      count: 3,
      skipped: [1],
      hash: 5,
    };
    expect([run, { ...run, skipped: [] }].map((each) => runFromJson(runToJson(each)))).toEqual([
      run,
      { ...run, skipped: [] },
    ]);
    for (const value of [null, {}, [], ['h', 'w', 1, 'c', '3', 5, 0], [1, 'w', 1, 'c', 3, 5, 0]])
      expect(runFromJson(value)).toBeUndefined();
  });
});
