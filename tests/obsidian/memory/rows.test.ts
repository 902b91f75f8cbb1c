import { describe, expect, it } from 'vitest';
import { siblings, stateRow, timelineRows } from '../../../src/obsidian/memory/rows.js';
import { timelineSteps } from '../../../src/obsidian/memory/timeline.js';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { entriesAt, recordAt, statesAt, traceOf } from './memories.js';

async function rowsOf(expanded: string[], ...read: (ReturnType<typeof traceOf>[] | undefined)[]) {
  const minutes = Array.from({ length: 51 }, (_, minute) => 11 + minute);
  const entries = entriesAt(...minutes.slice(-1 - 50 * (read.length - 1)));
  const states = await statesAt(10);
  const moments = runToEnd(timelineSteps({ states, records: [recordAt(9)], entries }));
  const [, , last] = moments;
  const { day = '', groups = [] } = last?.kind === 'calls' ? last.calls : {};
  const keys = new Set(expanded.map((key) => key.replace('DAY', `day ${day}`)));
  const tracesOf = (group: (typeof groups)[number]) => read[groups.indexOf(group)];
  return timelineRows(moments, keys, tracesOf).map(({ kind, level, at, of, isExpanded }) => [
    kind,
    level,
    `${at}/${of}`,
    isExpanded,
  ]);
}

it('the closed records of a day are one row, which expands to them', () => {
  const records = [recordAt(2), recordAt(1)];
  const moments = [{ kind: 'closed' as const, day: 'today', records }];
  const rowsWith = (...expanded: string[]) =>
    timelineRows(moments, new Set(expanded), () => undefined).map(({ key, level, of }) => [
      key,
      level,
      of,
    ]);
  expect(rowsWith()).toEqual([['closed today', 1, 1]]);
  expect(rowsWith('closed today')).toEqual([
    ['closed today', 1, 1],
    ['record r2', 2, 2],
    ['record r1', 2, 2],
  ]);
});

describe('the rows of a timeline', () => {
  const first = [
    ['state', 1, '1/3', undefined],
    ['record', 1, '2/3', undefined],
  ];

  it('are one per state and record, and one for the calls of a day', async () => {
    expect(await rowsOf([], undefined)).toEqual([...first, ['calls', 1, '3/3', false]]);
  });

  it('include one loading row while calls are read', async () => {
    const rows = [...first, ['calls', 1, '3/3', true]];
    expect(await rowsOf(['DAY'], undefined)).toEqual([...rows, ['reading', 2, '1/1', undefined]]);
    expect(await rowsOf(['DAY'], [traceOf()], undefined)).toEqual([
      ...rows,
      ['session', 2, '1/2', false],
      ['reading', 2, '2/2', undefined],
    ]);
  });

  it('show the sessions of a day, with calls under the expanded ones', async () => {
    const traces = [traceOf(), traceOf({ sessionId: 's2' }), traceOf()];
    expect(await rowsOf(['DAY', 'DAY session s1'], traces)).toEqual([
      ...first,
      ['calls', 1, '3/3', true],
      ['session', 2, '1/2', true],
      ['call', 3, '1/2', undefined],
      ['call', 3, '2/2', undefined],
      ['session', 2, '2/2', false],
    ]);
  });

  it('leave out a day on which calls only saved states that are listed', async () => {
    const saved = traceOf({ tool: 'createState', input: '{"name":"at 10"}' });
    expect(await rowsOf([], [saved])).toEqual([
      ['state', 1, '1/2', undefined],
      ['record', 1, '2/2', undefined],
    ]);
  });

  it('number the states of a workspace from 1', async () => {
    expect(
      siblings(await statesAt(1, 2), 1, stateRow).map(({ key, at, of }) => [key, at, of]),
    ).toEqual([
      ['state st-at 2', 1, 2],
      ['state st-at 1', 2, 2],
    ]);
  });
});
