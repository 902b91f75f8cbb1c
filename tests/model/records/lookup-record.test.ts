import { describe, expect, it } from 'vitest';
import { emptyMemory, fold, type Memory } from '../../../src/model/memory.js';
import {
  allRecords,
  isOpenRecord,
  lookupRecord,
  recordById,
  shortRecordId,
} from '../../../src/model/records/lookup-record.js';
import { listedTitle, recordData } from '../../../src/model/records/record.js';
import { clockText, eventOf } from '../../fakes/events.js';

const by = { client: 'test', session: 's', device: 'd' };
const [first, second] = ['abcd2222aaaaaaaa', 'abcd3333aaaaaaaa'] as const;

/** Returns a memory with records in `w1`, each a minute after the one before. */
function memoryWith(titles: Readonly<Record<string, string>>, closed: readonly string[] = []) {
  const created = Object.entries(titles).map(([e, title], at) => {
    const d = recordData('w1', { kind: 'task', title }, { by });
    return eventOf({ t: 'record.new', e, h: clockText(at), d });
  });
  const sets = closed.map((e) =>
    eventOf({ t: 'set', e, h: clockText(90), d: { '/status': 'done' } }),
  );
  return fold(emptyMemory, [...created, ...sets]);
}

function idOf(memory: Memory, ref: string): unknown {
  const found = lookupRecord(memory, 'w1', ref);
  return 'record' in found ? found.record.id : found;
}

describe('records', () => {
  it('are listed newest first, by workspace', () => {
    const memory = memoryWith({ [first]: 'One', [second]: 'Two' });
    expect(allRecords(memory, 'w1').map(({ title }) => title)).toEqual(['Two', 'One']);
    expect(allRecords(memory, 'w2')).toEqual([]);
    expect(recordById(memory, first)?.title).toBe('One');
    expect(recordById(memory, undefined)).toBeUndefined();
  });

  it('are found by title or by the start of the id', () => {
    const memory = memoryWith({ [first]: 'Ship it', [second]: 'Test it' });
    expect(idOf(memory, ' SHIP  it')).toBe(first);
    expect(idOf(memory, 'ABCD2')).toBe(first);
    expect(shortRecordId({ id: first })).toBe('abcd22');
    expect(idOf(memory, 'abcd')).toMatchObject({ several: [{ id: second }, { id: first }] });
    expect(idOf(memory, 'Ship i')).toEqual({ hint: ' Did you mean "Ship it"?' });
  });

  it('are found by the beginning of a title that a list has cut', () => {
    const title = (end: string) => `${'A decision on several servers '.repeat(10)}${end}`;
    const titles = { [first]: title('in Bern'), [second]: title('in Rome') };
    const cut = listedTitle({ title: titles[first] });
    expect(cut).toHaveLength(120);
    expect(idOf(memoryWith(titles, [second]), cut)).toBe(first);
    expect(idOf(memoryWith(titles), cut)).toHaveProperty('several.length', 2);
    expect(idOf(memoryWith(titles), `${titles[first].slice(0, -2)}…`)).toBe(first);
    expect(idOf(memoryWith(titles), 'A decision…')).toHaveProperty('hint');
    expect(idOf(memoryWith(titles), cut.slice(0, -1))).toHaveProperty('hint');
  });

  it('of one title are told apart if only one of them is open', () => {
    const titles = { [first]: 'Ship it', [second]: 'ship it' };
    expect(idOf(memoryWith(titles), 'Ship it')).toHaveProperty('several.length', 2);
    expect(idOf(memoryWith(titles, [first]), 'Ship it')).toBe(second);
  });

  it('are open unless done, dropped, superseded or archived', () => {
    const open = recordById(memoryWith({ [first]: 'One' }), first)!;
    expect(isOpenRecord(open)).toBe(true);
    for (const change of [
      { status: 'done' as const },
      { status: 'dropped' as const },
      { supersededBy: second },
      { isArchived: true },
    ])
      expect(isOpenRecord({ ...open, ...change })).toBe(false);
  });
});
