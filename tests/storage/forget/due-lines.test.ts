import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { dueLinesOf, numbersOf, stubTargets } from '../../../src/storage/forget/due-lines.js';
import { hashOfRange, type ForgottenRange } from '../../../src/storage/forget/forget-event.js';
import type { ForgetDecision } from '../../../src/storage/forget/forgets.js';
import { numberedLines } from '../../../src/storage/forget/forgotten-lines.js';
import { withoutNewline } from '../../../src/storage/format/stub.js';
import {
  eventOf,
  lineOf,
  linesOf,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../../fakes/events.js';

const lines = linesOf(['One', 'Two', 'Three', 'Four'].map((name) => workspaceDraft(name)));
const hashes = lines.map(({ hash }) => hash);
const [one, two, three, four] = hashes;

/** The range of the lines with the numbers `from` to `to`. */
function rangeOf(from: number, to: number, hash?: string): ForgottenRange {
  const named = lines.slice(from - 1, to);
  const crcs = named.map(({ event }) => event.c);
  return {
    writer: WRITER_A,
    from,
    to,
    crcs,
    hash: hash ?? hashOfRange(hashes.slice(from - 1, to)),
  };
}

const FORGED = '0'.repeat(32);

type Choice = ForgetDecision['choice'] | undefined;

/** What a device that holds the lines of these numbers destroys. */
function dueOf(choice: Choice, ranges: readonly ForgottenRange[], held: readonly number[]) {
  const forget = {
    key: 'key',
    event: eventOf({ t: 'log.forget', w: WRITER_B }) satisfies LogEvent,
    content: { device: 'phone', entities: [], ranges },
    decision: choice && { choice, seenAt: 0 },
  };
  return dueLinesOf(forget, numberedLines(held.map((n) => lines[n - 1]!)));
}

describe('The lines that are due', () => {
  it.each<[Choice]>([['own'], ['agreed'], ['open'], [undefined]])(
    'are those that the hash of a range proves, if the decision is %s',
    (choice) => {
      expect(dueOf(choice, [rangeOf(2, 3)], [1, 2, 3, 4])).toEqual({
        key: 'key',
        hashes: [two, three],
        numbers: ['aaaaaaaaaaaa:2', 'aaaaaaaaaaaa:3'],
        isPartial: false,
      });
    },
  );

  it.each<[string, Choice, ForgottenRange, number[], (string | undefined)[] | undefined]>([
    ['what is left of a range that this device forgot', 'own', rangeOf(1, 3), [1, 3], [one, three]],
    ['what is left of a range once its user agrees', 'agreed', rangeOf(1, 3), [1, 3], [one, three]],
    ['nothing of a range that lacks a line before', 'open', rangeOf(1, 3), [1, 3], undefined],
    ['nothing of it if no decision is stored', undefined, rangeOf(1, 3), [1, 3], undefined],
    ['nothing because of a forged event', 'agreed', rangeOf(1, 2, FORGED), [1, 2], undefined],
    ['nothing because of one in seven days', 'open', rangeOf(1, 2, FORGED), [1, 2], undefined],
    ['all that its own program names', 'own', rangeOf(1, 2, FORGED), [1, 2], [one, two]],
  ])('are %s', (_, choice, range, held, expected) => {
    expect(dueOf(choice, [range], held)).toEqual({
      key: 'key',
      hashes: expected ?? [],
      numbers: expected ? numbersOf(range) : [],
      isPartial: expected === undefined,
    });
  });

  it('are those of each range that is proved, while others stay', () => {
    expect(dueOf('open', [rangeOf(1, 2), rangeOf(4, 4)], [1, 4])).toEqual({
      key: 'key',
      hashes: [four],
      numbers: ['aaaaaaaaaaaa:4'],
      isPartial: true,
    });
  });
});

describe('The lines that become stubs', () => {
  const [line] = linesOf([workspaceDraft('One')]);
  const bytes = withoutNewline(line!);
  const own = lineOf({ t: 'log.seg', n: 7 });
  const due = { key: 'key', isPartial: false, hashes: [line!.hash], numbers: ['aaaaaaaaaaaa:1'] };

  it('have one of the numbers and one of the hashes', () => {
    const targets = stubTargets([{ ...due, hashes: [], numbers: ['aaaaaaaaaaaa:2'] }, due]);
    expect(targets.has(line!.event, bytes)).toBe(true);
    expect(targets.has({ ...line!.event, n: 3 }, bytes)).toBe(false);
    expect(targets.has(line!.event, withoutNewline(lines[1]!))).toBe(false);
    expect(stubTargets([]).has(line!.event, bytes)).toBe(false);
  });

  it('are never lines of the log itself', () => {
    const targets = stubTargets([{ ...due, hashes: [own.hash], numbers: ['aaaaaaaaaaaa:7'] }]);
    expect(targets.has(own.event, withoutNewline(own))).toBe(false);
  });

  it('may have damaged forms, which have one of the numbers', () => {
    const targets = stubTargets([due, { ...due, numbers: ['bbbbbbbbbbbb:5'] }]);
    const found = [
      { w: WRITER_A, n: 1 },
      { w: WRITER_B, n: 5 },
      { w: WRITER_A, n: 5 },
      { w: WRITER_B, n: 1 },
    ].filter((stamp) => targets.hasNumber(stamp));
    expect(found).toEqual([
      { w: WRITER_A, n: 1 },
      { w: WRITER_B, n: 5 },
    ]);
  });
});
