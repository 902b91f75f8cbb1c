import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../../../src/model/event.js';
import {
  watermarkDraft,
  watermarkOf,
  type Watermark,
} from '../../../src/storage/format/watermark.js';
import { eventOf, WRITER_A, WRITER_B } from '../../fakes/events.js';

const HASH = '1'.repeat(32);

const read = (d: JsonObject) => watermarkOf(eventOf({ t: 'log.mark', d }))!;

describe('watermarks', () => {
  it('are found among events without parsing the data of the others', () => {
    let reads = 0;
    const event: LogEvent = {
      ...eventOf({ t: 'state.new' }),
      get d() {
        reads++;
        return {};
      },
    };
    expect([watermarkOf(event), reads]).toEqual([undefined, 0]);
  });

  it('belong to no entity, and are read as they were written', () => {
    const watermark: Watermark = {
      seen: [
        { lane: 'core', writer: WRITER_A, n: 3, hash: HASH },
        { lane: 'trace', writer: WRITER_B, n: 7, hash: undefined },
      ],
      gaps: new Map([
        [
          WRITER_A,
          [
            [1, 1],
            [2, 2],
          ],
        ],
      ]),
      isComplete: true,
    };
    const draft = watermarkDraft(watermark);
    expect(draft.e).toBe('');
    expect(read(draft.d)).toEqual(watermark);
  });

  it.each<[string, JsonObject]>([
    ['no content', {}],
    ['lists instead of writers', { seen: [1], gaps: [1] }],
    ['texts instead of writers', { seen: { core: 'x' }, gaps: 'x' }],
    ['writers without a number', { seen: { core: { [WRITER_A]: 'x', [WRITER_B]: [0] } } }],
  ])('mention nothing if they have %s', (_, d) => {
    expect(read(d)).toEqual({ seen: [], gaps: new Map(), isComplete: false });
  });

  it('keep only ranges of two sequence numbers in ascending order', () => {
    const ranges = [5, 'x', [], [1], [1, 'x'], ['x', 2], [0, 2], [1, 0.5], [3, 2], [4, 6]];
    expect(read({ gaps: { [WRITER_A]: ranges, [WRITER_B]: 'x' } }).gaps).toEqual(
      new Map<string, unknown>([
        [WRITER_A, [[4, 6]]],
        [WRITER_B, []],
      ]),
    );
  });
});
