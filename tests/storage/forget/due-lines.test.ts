import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { dueLines, stubTargets } from '../../../src/storage/forget/due-lines.js';
import type { ForgottenRange, HashedLine } from '../../../src/storage/forget/forget-event.js';
import type { ForgetDecision } from '../../../src/storage/forget/forget-decisions.js';
import { numberedLines, numbersOf } from '../../../src/storage/forget/forgotten-lines.js';
import { withoutNewline } from '../../../src/storage/format/stub.js';
import {
  eventOf,
  lineOf,
  linesOf,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../../fakes/events.js';
import { stubOf } from './forget-events.js';

const lines = linesOf(['One', 'Two', 'Three', 'Four'].map((name) => workspaceDraft(name)));
const hashes = lines.map(({ hash }) => hash);
const [one, two, three, four] = hashes;

/** The range of the lines with the numbers `from` to `to`. */
function rangeOf(from: number, to: number, hash = hashes[to - 1]!): ForgottenRange {
  const named = lines.slice(from - 1, to);
  return { writer: WRITER_A, from, to, crcs: named.map(({ event }) => event.c), hash };
}

const FORGED = '0'.repeat(32);

type Choice = ForgetDecision['choice'] | undefined;

interface Here {
  readonly lines: readonly HashedLine[];
  readonly createdElsewhere?: ReadonlySet<string>;
  readonly shown?: readonly LogEvent[];
  readonly turns?: readonly string[];
}

/** What a device destroys that has these lines. */
function dueWith(
  choice: Choice,
  ranges: readonly ForgottenRange[],
  { lines: here, createdElsewhere = new Set(), shown = [], turns = [] }: Here,
) {
  const forget = {
    key: 'key',
    event: eventOf({ t: 'log.forget', w: WRITER_B }),
    content: { device: 'phone', turns, ranges },
    decision: choice && { choice, seenAt: 0 },
    isHere: true,
    workspaces: new Set<string>(),
    isKept: false,
    isAnswered: false,
  };
  const named = { byNumber: numberedLines(here), createdElsewhere, waiting: [] };
  const isHidden = (event: LogEvent) => !shown.includes(event);
  return dueLines([forget], named, isHidden)[0]!;
}

/** What a device destroys that has the lines of these numbers. */
function dueOf(choice: Choice, ranges: readonly ForgottenRange[], held: readonly number[]) {
  const due = dueWith(choice, ranges, { lines: held.map((n) => lines[n - 1]!) });
  const { key, numbers, isPartial } = due;
  return { key, hashes: [...due.hashes].sort(), numbers, isPartial };
}

describe('The lines that are due', () => {
  it.each<[Choice]>([['own'], ['agreed'], ['open'], [undefined]])(
    'are those that the hash of a range proves, if the decision is %s',
    (choice) => {
      expect(dueOf(choice, [rangeOf(2, 3)], [1, 2, 3, 4])).toEqual({
        key: 'key',
        hashes: [two, three].sort(),
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
      hashes: (expected ?? []).sort(),
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

  it('are not those that the user shows, nor damaged forms of these', () => {
    const range = rangeOf(1, 3);
    for (const choice of ['own', 'agreed', 'open'] as const) {
      const due = dueWith(choice, [range], { lines, shown: [lines[1]!.event] });
      expect([...due.hashes].sort()).toEqual([one, three].sort());
      expect(due.numbers).toEqual(['aaaaaaaaaaaa:1', 'aaaaaaaaaaaa:3']);
    }
  });
});

describe('The items that are removed', () => {
  const ids = (...args: Parameters<typeof dueWith>) => dueWith(...args).ids.toSorted();

  it('are those that the lines create', () => {
    expect(ids('agreed', [rangeOf(2, 3)], { lines })).toEqual(['ws-Three', 'ws-Two']);
  });

  it('are none of a line that changes an item, or of an unnamed one', () => {
    const drafts = [
      { t: 'set', e: 'ws-One', d: { '/name': 'Mine' } },
      { t: 'x.new', e: '', d: {} },
    ];
    const junk = linesOf(drafts);
    const crcs = junk.map(({ event }) => event.c);
    const range = { writer: WRITER_A, from: 1, to: 2, crcs, hash: junk[1]!.hash };
    expect(ids('agreed', [range], { lines: junk })).toEqual([]);
    expect([...dueWith('agreed', [range], { lines: junk }).hashes]).toHaveLength(2);
  });

  it('are not those that a line elsewhere creates as well', () => {
    const createdElsewhere = new Set(['ws-Two']);
    expect(ids('agreed', [rangeOf(2, 3)], { lines, createdElsewhere })).toEqual(['ws-Three']);
  });

  it('are not those that a line of the same number creates as well', () => {
    const twin = lineOf({ ...lines[1]!.event, d: { name: 'Twin' } });
    expect(ids('own', [rangeOf(2, 3)], { lines: [...lines, twin] })).toEqual(['ws-Three']);
  });

  it('are not those of a line that the user shows, or of a stub', () => {
    const shown = [lines[1]!.event];
    expect(ids('agreed', [rangeOf(2, 3)], { lines, shown })).toEqual(['ws-Three']);
    const here = [lines[0]!, stubOf(lines[1]!), ...lines.slice(2)];
    expect(ids('agreed', [rangeOf(2, 3)], { lines: here })).toEqual(['ws-Three']);
  });

  it('are none if only messages are forgotten', () => {
    const due = dueWith('agreed', [rangeOf(2, 3)], { lines, turns: ['one'] });
    expect([due.ids, due.turns]).toEqual([[], ['one']]);
    expect([...due.hashes].sort()).toEqual([two, three].sort());
  });

  it('are none because of a forged event', () => {
    expect(ids('agreed', [rangeOf(2, 3, FORGED)], { lines })).toEqual([]);
  });

  it('have texts that are found in other files', () => {
    const [secret, plan] = linesOf([
      workspaceDraft('One', 'ws-1', { description: 'Xq7-umbrella-violin opens the door' }),
      workspaceDraft('Two', 'ws-2', { description: 'Another purpose of some length' }),
    ]);
    const crcs = [secret!.event.c];
    const range = { writer: WRITER_A, from: 1, to: 1, crcs, hash: secret!.hash };
    const { isIn } = dueWith('agreed', [range], { lines: [secret!, plan!] });
    expect(isIn('They said: Xq7-umbrella-violin opens the door')).toBe(true);
    expect(isIn('Another purpose of some length')).toBe(false);
  });
});

describe('The lines that become stubs', () => {
  const [line] = linesOf([workspaceDraft('One')]);
  const bytes = withoutNewline(line!);
  const own = lineOf({ t: 'log.seg', n: 7 });
  const due = {
    key: 'key',
    isPartial: false,
    hashes: new Set([line!.hash]),
    numbers: ['aaaaaaaaaaaa:1'],
    ids: [],
    turns: [],
    isIn: () => false,
  };

  it('have one of the numbers and one of the hashes', () => {
    const other = { ...due, hashes: new Set<string>(), numbers: ['aaaaaaaaaaaa:2'] };
    const targets = stubTargets([other, due]);
    expect(targets.has(line!.event, bytes)).toBe(true);
    expect(targets.has({ ...line!.event, n: 3 }, bytes)).toBe(false);
    expect(targets.has(line!.event, withoutNewline(lines[1]!))).toBe(false);
    expect(stubTargets([]).has(line!.event, bytes)).toBe(false);
  });

  it('are never lines of the log itself', () => {
    const hashes = new Set([own.hash]);
    const targets = stubTargets([{ ...due, hashes, numbers: ['aaaaaaaaaaaa:7'] }]);
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
