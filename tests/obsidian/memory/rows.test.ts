import { describe, expect, it } from 'vitest';
import { stateRows, timelineRows } from '../../../src/obsidian/memory/rows.js';
import { timelineOf } from '../../../src/obsidian/memory/timeline.js';
import { entriesAt, statesAt, traceOf } from './memories.js';

async function rowsOf(expanded: string[], traces: ReturnType<typeof traceOf>[] | undefined) {
  const moments = timelineOf(await statesAt(10), entriesAt(11, 12));
  const calls = moments[0]?.kind === 'calls' ? moments[0].calls.key : '';
  const keys = new Set(expanded.map((key) => key.replace('CALLS', calls)));
  return timelineRows(moments, keys, () => traces).map(({ kind, level, at, of, isExpanded }) => [
    kind,
    level,
    `${at}/${of}`,
    isExpanded,
  ]);
}

describe('the rows of a timeline', () => {
  it('are one per entry while nothing is expanded', async () => {
    expect(await rowsOf([], undefined)).toEqual([
      ['calls', 1, '1/2', false],
      ['state', 1, '2/2', undefined],
    ]);
  });

  it('include a loading row while calls are read', async () => {
    expect((await rowsOf(['CALLS'], undefined))[1]).toEqual(['reading', 2, '1/1', undefined]);
  });

  it('show the calls of a single session without a session row', async () => {
    expect(await rowsOf(['CALLS'], [traceOf(), traceOf()])).toEqual([
      ['calls', 1, '1/2', true],
      ['call', 2, '1/2', undefined],
      ['call', 2, '2/2', undefined],
      ['state', 1, '2/2', undefined],
    ]);
  });

  it('show several sessions, with calls under the expanded ones', async () => {
    const traces = [traceOf(), traceOf({ sessionId: 's2' }), traceOf()];
    expect(await rowsOf(['CALLS', 'CALLS session s1'], traces)).toEqual([
      ['calls', 1, '1/2', true],
      ['session', 2, '1/2', true],
      ['call', 3, '1/2', undefined],
      ['call', 3, '2/2', undefined],
      ['session', 2, '2/2', false],
      ['state', 1, '2/2', undefined],
    ]);
  });

  it('keep the keys of calls when another call arrives', async () => {
    const moments = timelineOf(await statesAt(), entriesAt(1, 2));
    const keys = (count: number) =>
      timelineRows(moments, new Set(['calls ' + entriesAt(1)[0]!.h]), () =>
        Array.from({ length: count }, () => traceOf()),
      ).map(({ key }) => key);
    expect(keys(3).slice(2)).toEqual(keys(2).slice(1));
  });

  it('number the states of a workspace from 1', async () => {
    expect(stateRows(await statesAt(1, 2)).map(({ key, at, of }) => [key, at, of])).toEqual([
      ['state st-at 2', 1, 2],
      ['state st-at 1', 2, 2],
    ]);
  });
});
