import { describe, expect, it } from 'vitest';
import type { Draft, Json } from '../../../src/model/event.js';
import {
  forgetDrafts,
  forgetOf,
  type HashedLine,
} from '../../../src/storage/forget/forget-event.js';
import { encodeStub } from '../../../src/storage/format/stub.js';
import { eventOf, linesOf, WRITER_A, WRITER_B, workspaceDraft } from '../../fakes/events.js';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const named = (n: number) => workspaceDraft(`Name ${n}`);
const A = linesOf(numbers(5).map(named));
const B = linesOf(numbers(3).map(named), WRITER_B);

/** What the events forget, as a reader takes it. */
const contentOf = (drafts: readonly Draft[]) => drafts.map((draft) => forgetOf(eventOf(draft))!);
const forget = (lines: readonly HashedLine[]) => contentOf(forgetDrafts(lines, 'phone'));
const runsOf = (lines: readonly HashedLine[]) =>
  forget(lines).flatMap(({ ranges }) => ranges.map(({ writer, from, to }) => [writer, from, to]));

/** Many successive lines of a writer, whose hashes are invented. */
function manyLines(count: number, w = WRITER_A, first = 1) {
  const { event } = A[0]!;
  const hashOf = (n: number) => String(n).padStart(32, '0');
  return Array.from({ length: count }, (_, at) => {
    const n = first + at;
    return {
      event: { ...event, w, n, p: hashOf(n - 1), t: 'x.new', e: `id-${n}` },
      hash: hashOf(n),
    };
  });
}

describe('The events that forget lines', () => {
  it('name a run of lines by its numbers, CRCs and the hash of the last one', () => {
    const lines = A.slice(1, 4);
    expect(forgetDrafts(lines, 'phone')).toEqual([
      {
        t: 'log.forget',
        e: '',
        d: {
          device: 'phone',
          ranges: [
            {
              w: WRITER_A,
              from: 2,
              to: 4,
              crcs: lines.map(({ event }) => event.c).join(''),
              hash: lines[2]!.hash,
            },
          ],
        },
      },
    ]);
  });

  it('are none if there are no lines', () => {
    expect(forgetDrafts([], 'phone')).toEqual([]);
  });

  it('do not depend on the order of the lines', () => {
    const lines = [...A, ...B];
    const expected = forgetDrafts(lines, 'phone');
    for (let turn = 1; turn < lines.length; turn++) {
      const turned = [...lines.slice(turn), ...lines.slice(0, turn)];
      expect(forgetDrafts(turned, 'phone')).toEqual(expected);
      expect(forgetDrafts(turned.toReversed(), 'phone')).toEqual(expected);
    }
    expect(runsOf(lines)).toEqual([
      [WRITER_A, 1, 5],
      [WRITER_B, 1, 3],
    ]);
  });

  it.each<[string, HashedLine[], [string, number, number][]]>([
    [
      'at a gap',
      [A[0]!, A[1]!, A[3]!],
      [
        [WRITER_A, 1, 2],
        [WRITER_A, 4, 4],
      ],
    ],
    [
      'for another writer',
      [A[0]!, B[1]!],
      [
        [WRITER_A, 1, 1],
        [WRITER_B, 2, 2],
      ],
    ],
    [
      'for another writer that claims to go on',
      [A[0]!, { ...B[1]!, event: { ...B[1]!.event, p: A[0]!.hash } }],
      [
        [WRITER_A, 1, 1],
        [WRITER_B, 2, 2],
      ],
    ],
    [
      'for a line that does not follow the one before',
      [A[0]!, { ...A[1]!, event: { ...A[1]!.event, p: A[4]!.hash } }],
      [
        [WRITER_A, 1, 1],
        [WRITER_A, 2, 2],
      ],
    ],
    [
      'for a second line of the same number',
      [A[0]!, A[1]!, { ...A[1]!, hash: '0'.repeat(32) }],
      [
        [WRITER_A, 1, 2],
        [WRITER_A, 2, 2],
      ],
    ],
    [
      'for a line of a later number that claims to follow',
      [A[0]!, { ...A[1]!, event: { ...A[1]!.event, n: 3 } }],
      [
        [WRITER_A, 1, 1],
        [WRITER_A, 3, 3],
      ],
    ],
  ])('begin another run %s', (_, lines, expected) => {
    expect(runsOf(lines)).toEqual(expected);
  });

  it('leave out lines of the log itself and stubs', () => {
    const [seg, item] = linesOf([{ t: 'log.seg', e: '', d: {} }, named(2)]);
    const stub = encodeStub(B[0]!.event, B[0]!.hash);
    expect(runsOf([seg!, item!, stub])).toEqual([[WRITER_A, 2, 2]]);
    expect(forgetDrafts([seg!, stub], 'phone')).toEqual([]);
  });
});

describe('The messages of the events', () => {
  const turns = ['["codex","s1","t1"]', '["codex","s1","t2"]'];

  it('are the only ones that are forgotten of the sessions in the lines', () => {
    const [content] = contentOf(forgetDrafts(A, 'phone', turns));
    expect(content!.turns).toEqual(turns);
    expect(forget(A)[0]!.turns).toEqual([]);
    expect(forgetDrafts(A, 'phone')[0]!.d).not.toHaveProperty('turns');
  });

  it('are in each of several events', () => {
    const lines = numbers(2000).flatMap((n) => manyLines(1, WRITER_A, n * 2));
    const contents = contentOf(forgetDrafts(lines, 'phone', turns));
    expect(contents.length).toBeGreaterThan(1);
    for (const content of contents) expect(content.turns).toEqual(turns);
  });
});

describe('The size of the events', () => {
  const LIMIT = 60 * 1024;
  const bytesOf = ({ d }: Draft) => JSON.stringify(d).length;

  it.each<[string, HashedLine[]]>([
    ['of long runs', numbers(20).flatMap((n) => manyLines(1000, WRITER_A, n * 2000))],
    ['of single lines', numbers(2000).flatMap((n) => manyLines(1, WRITER_A, n * 2))],
    ['of one long run', manyLines(20_000)],
    ['of short runs', numbers(300).flatMap((n) => manyLines(40, WRITER_A, n * 100))],
  ])('is at most 60 KB, without many events: %s', (_, lines) => {
    const drafts = forgetDrafts(lines, 'phone');
    const sizes = drafts.map(bytesOf);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMIT);
    expect(drafts.length).toBeGreaterThan(1);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(drafts.length).toBeLessThanOrEqual(Math.ceil((total / LIMIT) * 1.5));
    const ranges = drafts.flatMap(({ d }) => d['ranges'] as Json[]);
    const valid = contentOf(drafts).flatMap((content) => content.ranges);
    expect(valid).toHaveLength(ranges.length);
    expect(valid.reduce((sum, { crcs }) => sum + crcs.length, 0)).toBe(lines.length);
  });
});
