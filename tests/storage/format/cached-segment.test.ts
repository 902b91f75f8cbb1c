import { describe, expect, it } from 'vitest';
import type { FileInfo } from '../../../src/platform/files.js';
import {
  decodeCachedSegment,
  encodeCachedSegment,
} from '../../../src/storage/format/cached-segment.js';
import { LANES, type LaneName } from '../../../src/storage/format/lanes.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import { joinLines, lineOf, WRITER_A, WRITER_B } from '../../fakes/events.js';

const PATH = 'S/trace/2026-11/a "b" ü.jsonl';
const LINES = [
  lineOf({ t: 'log.seg', n: 1, d: { fmt: 1, app: 'x', device: 'y' } }),
  lineOf({
    t: 'trace.new',
    n: 2,
    e: 'one',
    d: { ws: 'default', input: { deep: ['x'.repeat(300)] } },
  }),
  lineOf({ t: 'trace.new', n: 3, e: 'two', d: { ws: 'другой \u2028', tool: 'x' } }),
  lineOf({ t: 'msg.new', w: WRITER_B, n: 9, e: 'three', d: { conv: 'default', text: 'é' } }),
  lineOf({ t: 'trace.new', v: 2, n: 4, e: 'later', d: { ws: 'default' } }),
  lineOf({ t: 'trace.new', n: 5, e: 'odd', d: { ws: 7 } }),
  lineOf({ t: 'trace.new', n: 900, e: 'far', d: { ws: 'default' } }),
  lineOf({ t: 'log.seal', n: 6, d: { count: 5 } }),
  lineOf({ t: 'session.new', n: 7, e: 'v', d: { ws: 'default', session: 's', checkpoint: {} } }),
];
const BYTES = joinLines(LINES);
const INFO: FileInfo = { kind: 'file', size: BYTES.length, mtime: 1795167178271.5, fileId: '42' };

function kept(lane: LaneName, bytes = BYTES, info = INFO): Uint8Array {
  return encodeCachedSegment(lane, PATH, info, bytes, parseSegment(bytes));
}

describe.each(LANES)('a cached segment of the lane %s', (lane) => {
  it('has every line, without the data of on-demand events', () => {
    const found = decodeCachedSegment(lane, PATH, INFO, kept(lane))!;
    const expected = parseSegment(BYTES);
    expect({ settled: found.settled, problems: found.problems }).toEqual({
      settled: expected.settled,
      problems: expected.problems,
    });
    const onDemand = { core: [], chat: [3], trace: [1, 2, 6], session: [8] }[lane] as number[];
    const fields = ['conv', 'ws', ...(lane === 'session' ? ['session'] : [])];
    for (const [at, { event, from, to }] of found.lines.entries()) {
      const { event: whole, ...place } = expected.lines[at]!;
      const { v, w, n, h, t, c, d } = whole;
      const kept = Object.entries(d).filter(([key]) => fields.includes(key));
      expect({ from, to }).toEqual(place);
      if (!onDemand.includes(at)) expect(event).toEqual(whole);
      else
        expect(event).toEqual({
          v,
          w,
          n,
          h,
          t,
          c,
          p: '',
          e: '',
          d: Object.fromEntries(kept),
        });
      expect(t).toBe(LINES[at]!.event.t);
    }
    expect(found.lines).toHaveLength(LINES.length);
  });

  it('preserves problems and glued lines', () => {
    const bytes = new Uint8Array([
      ...LINES[1]!.bytes.subarray(0, 50),
      ...BYTES,
      ...LINES[2]!.bytes.subarray(0, 30),
    ]);
    const info = { ...INFO, size: bytes.length };
    const found = decodeCachedSegment(lane, PATH, info, kept(lane, bytes, info))!;
    const expected = parseSegment(bytes);
    expect(found.problems).toEqual(expected.problems);
    expect(found.settled).toBe(expected.settled);
    expect(found.lines.map(({ event: { w, n, c }, from, to }) => [w, n, c, from, to])).toEqual(
      expected.lines.map(({ event: { w, n, c }, from, to }) => [w, n, c, from, to]),
    );
  });

  it('may be empty', () => {
    const info = { ...INFO, size: 0 };
    expect(decodeCachedSegment(lane, PATH, info, kept(lane, new Uint8Array(), info))).toEqual({
      lines: [],
      problems: [],
      settled: 0,
    });
  });

  it('is not used for a file that has changed', () => {
    const record = kept(lane);
    const { fileId: _, ...unknown } = INFO;
    const others: FileInfo[] = [
      { ...INFO, size: INFO.size + 1 },
      { ...INFO, mtime: INFO.mtime + 1 },
      { ...INFO, fileId: '43' },
      unknown,
    ];
    for (const info of others)
      expect(decodeCachedSegment(lane, PATH, info, record)).toBeUndefined();
    expect(decodeCachedSegment(lane, `${PATH}2`, INFO, record)).toBeUndefined();
    expect(
      decodeCachedSegment(lane, PATH, unknown, kept(lane, BYTES, unknown))?.lines,
    ).toHaveLength(LINES.length);
  });

  it('is not used if a byte of its record is changed or missing', () => {
    const record = kept(lane);
    for (let at = 0; at < record.length; at++) {
      const damaged = record.slice();
      damaged[at]! ^= 1 << (at % 8);
      expect(decodeCachedSegment(lane, PATH, INFO, damaged)).toBeUndefined();
      if (at % 7 === 0)
        expect(decodeCachedSegment(lane, PATH, INFO, record.subarray(0, at))).toBeUndefined();
    }
  });
});

it('a cached trace segment is less than an eighth of its file', () => {
  const traces = Array.from({ length: 200 }, (_, n) =>
    lineOf({
      t: 'trace.new',
      w: WRITER_A,
      n: n + 1,
      e: 'x',
      d: { ws: 'default', input: 'y'.repeat(400) },
    }),
  );
  const bytes = joinLines(traces);
  expect(kept('trace', bytes, { ...INFO, size: bytes.length }).length).toBeLessThan(
    bytes.length / 8,
  );
});
