import { describe, expect, it } from 'vitest';
import {
  createCallList,
  runOfJson,
  runToJson,
  type CallList,
  type CallRun,
} from '../../../src/indexing/memory/call-list.js';
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

const heldIn = (calls: CallList) =>
  calls.runs().reduce((sum, { count, passed }) => sum + count - passed.length, 0);

function takeAll(calls: CallList): CallList {
  for (const place of calls.latestMissing(Infinity)) calls.take(place, place % 10 !== 9);
  return calls;
}

function reopened(runs: readonly CallRun[], entries: readonly TraceEntry[]): CallList {
  const calls = createCallList(
    runs.map(
      (run) =>
        runOfJson(JSON.parse(JSON.stringify(runToJson(run))) as Json) ?? expect.fail('no run'),
    ),
  );
  calls.update(listOf(entries));
  return calls;
}

describe('a list of calls', () => {
  it('tells the latest that are missing, and what came later before those', () => {
    const entries = entriesTo(10);
    const calls = createCallList([]);
    calls.update({ entries, count: 10 });
    expect(calls.latestMissing(2)).toEqual([8, 9]);
    calls.take(8, true);
    calls.take(9, false);
    expect([calls.missing(), heldIn(calls), calls.latestMissing(2)]).toEqual([8, 1, [6, 7]]);
    entries.push(entryAt(10));
    expect(calls.update({ entries, count: 11 })).toEqual([]);
    expect([calls.missing(), calls.latestMissing(2)]).toEqual([9, [7, 10]]);
    expect(calls.latestMissing(100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10]);
  });

  it('finds a call by its place in a file, and none that has gone', () => {
    const calls = createCallList([]);
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

  it('answers which of the index have gone, and has what was beside them taken in anew', () => {
    const entries = entriesTo(30);
    const calls = createCallList([]);
    calls.update(listOf(entries));
    takeAll(calls);
    expect(calls.update(listOf(entries.toSpliced(9, 2))).map(({ n }) => n)).toEqual([10]);
    expect(calls.latestMissing(100)).toEqual([6, 7, 8, 9, 10, 11]);
    expect(calls.missing()).toBe(6);
    takeAll(calls);
    expect([calls.missing(), heldIn(calls)]).toEqual([0, 25]);
  });

  it('takes a call that stands elsewhere now for another', () => {
    const entries = entriesTo(30);
    const calls = createCallList([]);
    calls.update(listOf(entries));
    takeAll(calls);
    const moved = entries.with(20, { ...entries[20]!, path: 'elsewhere' });
    expect(calls.update(listOf(moved)).map(({ path }) => path)).toEqual(['file 0']);
    expect(calls.isMissing(20)).toBe(true);
    expect(calls.find('elsewhere', 20)?.n).toBe(20);
  });

  it('knows from what was kept what is in the index, and takes in what has come since', () => {
    const entries = entriesTo(5000);
    const calls = createCallList([]);
    calls.update(listOf(entries));
    for (const place of calls.latestMissing(3000)) calls.take(place, place % 10 !== 9);
    const runs = calls.runs();
    expect(runs.map(({ count }) => count)).toEqual([48, 1024, 1024, 904]);
    const later = reopened(runs, entriesTo(5100));
    expect(later.missing()).toBe(2103); // and the three beside those
    expect(later.latestMissing(104).slice(0, 5)).toEqual([1999, 2000, 2001, 2002, 5000]);
    expect(takeAll(later).runs()).toEqual(takeAll(reopened([], entriesTo(5100))).runs());
  });

  it('tells runs anew after a change, as a list does that has them all to tell', () => {
    const entries = entriesTo(5000);
    const calls = createCallList([]);
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

  it('takes in anew the run of which a call is another now, or has gone', () => {
    const entries = entriesTo(5000);
    const calls = createCallList([]);
    calls.update(listOf(entries));
    const runs = takeAll(calls).runs();
    const missingIn = (now: readonly TraceEntry[]) => reopened(runs, now).latestMissing(Infinity);
    expect(missingIn(entries)).toEqual([]);
    const second = Array.from({ length: 1024 }, (_, at) => 1024 + at);
    const besideSecond = [1021, 1022, 1023, ...second, 2048, 2050];
    expect(missingIn(entries.with(1500, { ...entries[1500]!, c: 'other' }))).toEqual(besideSecond);
    expect(missingIn(entries.with(1500, { ...entries[1500]!, path: 'other' }))).toEqual(
      besideSecond,
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

  it('does not read as a run what is none', () => {
    const run: CallRun = {
      first: { h: 'h', w: 'w', n: 1, c: 'c' },
      count: 3,
      passed: [1],
      hash: 5,
    };
    expect([run, { ...run, passed: [] }].map((each) => runOfJson(runToJson(each)))).toEqual([
      run,
      { ...run, passed: [] },
    ]);
    for (const value of [null, {}, [], ['h', 'w', 1, 'c', '3', 5, 0], [1, 'w', 1, 'c', 3, 5, 0]])
      expect(runOfJson(value)).toBeUndefined();
  });
});
