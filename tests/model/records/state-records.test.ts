import { expect, it } from 'vitest';
import { emptyMemory, entityOf, fold } from '../../../src/model/memory.js';
import { recordData } from '../../../src/model/records/record.js';
import { recordsOfState } from '../../../src/model/records/state-records.js';
import { stateData, stateOf } from '../../../src/model/state.js';
import { clockText, contentOf, eventOf } from '../../fakes/events.js';

it('a decision is the latest of its title, also among those of one millisecond', () => {
  const by = { client: 'test', session: 's', device: 'd' };
  const record = (e: string, ws: string, count: number) => {
    const d = recordData(ws, { kind: 'decision', title: 'Use pnpm' }, { by });
    return eventOf({ t: 'record.new', e, n: count, h: clockText(1, count), d });
  };
  const content = contentOf('Plan', { decisions: ['Use pnpm'] });
  const origin = { state: 'original', ws: 'w0', at: clockText(2).slice(0, -5) };
  const d = { ...stateData('w1', content, 'x'), origin };
  const saved = eventOf({ t: 'state.new', e: 's', n: 9, h: clockText(3), d });
  for (const ids of [
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
    ['b', 'c', 'a'],
  ])
    for (const ws of [
      ['w0', 'w0', 'w1'],
      ['w1', 'w1', 'w0'],
      ['w0', 'w1', 'w0'],
    ]) {
      const records = ids.map((id, at) => record(id, ws[at]!, at));
      const memory = fold(emptyMemory, [...records, saved]);
      const [decision] = recordsOfState(memory, stateOf(entityOf(memory, 's'))!);
      expect(decision?.record?.id).toBe(ids[2]);
    }
});
