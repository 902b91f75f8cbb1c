// Tier full: imports large files
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import {
  cutIntoSegments,
  entityIdFrom,
  fitsInLine,
  encodeSegment,
  type StampedDraft,
} from '../../../src/transfer/foreign/import-segments.js';
import { CHAIN_START, lineHash } from '../../../src/storage/format/line-hash.js';
import { encodeLine } from '../../../src/storage/format/line.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';

const draft = (e: string, month: number, more: Partial<StampedDraft> = {}): StampedDraft => ({
  t: 'set',
  e,
  d: { '/x': e },
  lane: 'core',
  h: `2025-0${month}-01T00:00:00.000Z.0000`,
  ...more,
});

describe('cutIntoSegments', () => {
  it('groups drafts by lane, month and size, each with its own writer', async () => {
    const big = { d: { '/x': 'x'.repeat(300_000) } };
    const drafts = [
      draft('a', 1),
      draft('b', 2),
      draft('c', 1, { lane: 'chat' }),
      draft('d', 2, big),
      draft('e', 2, big),
      draft('f', 1),
    ];
    const shape = (segments: Awaited<ReturnType<typeof cutIntoSegments>>) =>
      segments
        .map(
          ({ lane, writer, drafts: held }) =>
            `${lane} ${writer} ${held.map(({ e }) => e).join('')}`,
        )
        .sort();
    const segments = shape(await cutIntoSegments(drafts, NOOP_SCHEDULER));
    expect(segments.map((segment) => segment.replace(/ \w{12} /, ' '))).toEqual(
      expect.arrayContaining(['chat c', 'core af', 'core bd', 'core e']),
    );
    expect(new Set(segments.map((segment) => segment.split(' ')[1])).size).toBe(4);
    expect(shape(await cutIntoSegments([...drafts].reverse(), NOOP_SCHEDULER))).toEqual(segments);
    const other = shape(
      await cutIntoSegments([draft('a', 1), draft('f', 1, { d: { '/x': 'g' } })], NOOP_SCHEDULER),
    );
    expect(segments).not.toContain(other[0]);
  });

  it('fills segments with as many drafts as fit, but at least one', async () => {
    const sized = (e: string, length: number) => draft(e, 1, { d: { '/x': 'x'.repeat(length) } });
    const cuts = async (...lengths: number[]) => {
      const segments = await cutIntoSegments(
        lengths.map((length, at) => sized(String(at), length)),
        NOOP_SCHEDULER,
      );
      return segments.map(({ drafts }) => drafts.length).sort();
    };
    expect(await cuts(600_000, 600_000)).toEqual([1, 1]);
    expect(await cuts(300_000, 100_000, 100_000, 100_000, 100_000)).toEqual([2, 3]);
    expect(await cuts(...Array.from({ length: 12 }, () => 100_000))).toEqual([2, 5, 5]);
  });

  it('returns drafts that are encoded as sealed segments', async () => {
    const segments = await cutIntoSegments(
      [draft('a', 1), draft('b', 1), draft('c', 1, { lane: 'trace' })],
      NOOP_SCHEDULER,
    );
    expect(segments.map(({ lane }) => lane)).toEqual(['core', 'trace']);
    const bytes = await encodeSegment('nexus', segments[0]!);
    const { lines, problems } = parseSegment(bytes);
    expect(problems).toEqual([]);
    expect(lines.map(({ event: { t, n } }) => [t, n])).toEqual([
      ['log.seg', 1],
      ['set', 2],
      ['set', 3],
      ['log.seal', 4],
    ]);
    expect(lines.map(({ event }) => event.p)).toEqual([
      CHAIN_START,
      ...lines.slice(0, -1).map(({ from, to }) => lineHash(bytes.subarray(from, to))),
    ]);
    expect(lines[0]?.event).toMatchObject({
      e: '',
      d: { fmt: 1, app: 'savepoint import', device: 'import of nexus' },
    });
    expect(lines.at(-1)?.event).toMatchObject({ e: '', d: { count: 3 } });
  });
});

describe('entityIdFrom', () => {
  it('returns the same id only for the same keys', async () => {
    const ids = await Promise.all([
      entityIdFrom('a', 'bc'),
      entityIdFrom('a', 'bc'),
      entityIdFrom('ab', 'c'),
    ]);
    expect(ids[0]).toMatch(/^[a-km-np-z2-9]{16}$/);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
  });
});

describe('fitsInLine', () => {
  const line = (d: JsonObject) => () =>
    encodeLine({
      v: 1,
      w: 'a'.repeat(12),
      n: 9_999_999,
      p: CHAIN_START,
      h: '2025-01-01T00:00:00.000Z.0000',
      t: 'state.new',
      e: 'e'.repeat(16),
      d,
    });

  it.each(['x', 'ü', '\u2028', '{"v":', '\u0000', '😀'])(
    'agrees with the encoded length of %j',
    (unit) => {
      let [low, high] = [0, 1_100_000];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (fitsInLine({ t: 'state.new', e: 'e'.repeat(16), d: { '/x': unit.repeat(middle) } }))
          low = middle;
        else high = middle - 1;
      }
      expect(line({ '/x': unit.repeat(low) })).not.toThrow();
      expect(line({ '/x': unit.repeat(Math.ceil(low * 1.01)) })).toThrow('too long');
    },
  );
});
