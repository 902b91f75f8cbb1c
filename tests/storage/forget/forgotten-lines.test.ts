import { describe, expect, it } from 'vitest';
import { forgetKey, forgetOf, type HashedLine } from '../../../src/storage/forget/forget-event.js';
import {
  ForgottenLines,
  isContradicted,
  linesOfRange,
  numberedLines,
} from '../../../src/storage/forget/forgotten-lines.js';
import { lineOf, WRITER_B } from '../../fakes/events.js';
import { forgedForget, forgetLine, lineRun, stubOf } from './forget-events.js';

const rangeOf = ({ event }: HashedLine) => forgetOf(event)!.ranges[0]!;

describe('ForgottenLines', () => {
  const run: HashedLine[] = lineRun(3);
  const [first, second, third] = run as [HashedLine, HashedLine, HashedLine];
  const ofTwo = forgetLine([first, second]).event;
  const ofThree = forgetLine([second, third], 'laptop').event;
  const [keyOfTwo, keyOfThree] = [forgetKey(ofTwo), forgetKey(ofThree)];

  function withBoth(): ForgottenLines {
    const lines = new ForgottenLines();
    lines.add(ofTwo);
    lines.add(ofThree);
    return lines;
  }

  it('knows each line of a range, by its writer, number and CRC', () => {
    const lines = new ForgottenLines();
    expect(lines.isEmpty).toBe(true);
    expect(lines.keysOf(first.event)).toEqual([]);
    expect(lines.add(ofTwo)).toBe(keyOfTwo);
    expect(lines.isEmpty).toBe(false);
    const { w, n, c } = second.event;
    for (const stamp of [first.event, { w, n, c }]) expect(lines.keysOf(stamp)).toEqual([keyOfTwo]);
    for (const other of [{ w: WRITER_B }, { n: n + 1 }, { n: 0 }, { c: first.event.c }])
      expect(lines.keysOf({ w, n, c, ...other })).toEqual([]);
  });

  it('knows all events that name a line', () => {
    const lines = withBoth();
    expect(lines.keysOf(first.event)).toEqual([keyOfTwo]);
    expect(lines.keysOf(second.event)).toEqual([keyOfTwo, keyOfThree]);
    expect(lines.forgets.map(({ key, event }) => [key, event])).toEqual([
      [keyOfTwo, ofTwo],
      [keyOfThree, ofThree],
    ]);
  });

  it.each([
    ['one that it knows', ofTwo],
    ['one with the same content', lineOf({ ...ofTwo, n: 7 }).event],
    ['one of another type', lineOf({ ...ofTwo, t: 'log.retire' }).event],
    ['one of a newer version', lineOf({ ...ofTwo, v: 2 }).event],
    ['one without a valid range', lineOf({ t: 'log.forget', d: { ranges: [{}] } }).event],
  ])('takes in no event but new ones: not %s', (_, event) => {
    const lines = withBoth();
    expect(lines.add(event)).toBeUndefined();
    expect(lines.forgets).toHaveLength(2);
    expect(lines.keysOf(first.event)).toEqual([keyOfTwo]);
  });

  it('knows only the lines of other events after one was removed', () => {
    const lines = withBoth();
    lines.remove(keyOfTwo);
    expect([first, second, third].map(({ event }) => lines.keysOf(event))).toEqual([
      [],
      [keyOfThree],
      [keyOfThree],
    ]);
    expect(lines.isEmpty).toBe(false);
    lines.remove(keyOfThree);
    expect(lines.isEmpty).toBe(true);
    expect(lines.keysOf(third.event)).toEqual([]);
    expect(lines.add(ofTwo)).toBe(keyOfTwo);
    expect(lines.keysOf(second.event)).toEqual([keyOfTwo]);
  });

  it('proves a stub by the hash of a range that it completes', () => {
    const lines = withBoth();
    const stubs = [first, second, third].map(stubOf);
    const [one, two, three] = stubs as [HashedLine, HashedLine, HashedLine];
    const foreign = stubOf({ event: first.event, hash: third.hash });
    const proved = (here: HashedLine[], ...of: HashedLine[]) => [...lines.provedStubs(here, of)];
    expect(proved([], ...stubs, foreign)).toEqual([one, two, three]);
    expect(proved([first], two)).toEqual([two]);
    expect(proved([], one, foreign)).toEqual([]);
    expect(proved([first, second, third])).toEqual([]);
    lines.remove(keyOfThree);
    expect(proved([second], one, two, three)).toEqual([one, two]);
  });
});

describe('The lines of a range', () => {
  const run: HashedLine[] = lineRun(3);
  const [first, second, third] = run as [HashedLine, HashedLine, HashedLine];
  const stubs = run.map(stubOf) as [HashedLine, HashedLine, HashedLine];
  const range = rangeOf(forgetLine(run));
  /** A line with the number of the second, which the third does not follow. */
  const fork: HashedLine = lineOf({ ...second.event, d: { name: 'Fork' } });
  const forkStub = stubOf(fork);
  const linesHere = (lines: HashedLine[], of = range) => linesOfRange(of, numberedLines(lines));

  it.each<[string, HashedLine[], HashedLine[]]>([
    ['the lines', run, run],
    ['their stubs', stubs, stubs],
    ['lines and stubs', [third, second, stubs[0]], [stubs[0], second, third]],
    ['a line and its stub', [...run, stubs[1]], [first, second, stubs[1], third]],
    ['several copies of a line', [first, ...run], [first, ...run]],
    ['no other line of a number', [first, fork, second, third], run],
    ['no stub of another line', [first, forkStub, second, third], run],
    ['no line after them', [...run, ...lineRun(4).slice(3)], run],
    ['no line of another writer', [...lineRun(3, WRITER_B), ...run], run],
  ])('are %s', (_, here, expected) => {
    expect(inOrder(linesHere(here))).toEqual(inOrder(expected));
    expect(isContradicted(range, numberedLines(here))).toBe(false);
  });

  it('are those that the last one follows if the last number has several', () => {
    const other = stubOf(lineOf({ ...third.event, d: { name: 'Other' }, p: fork.hash }));
    for (const here of [
      [first, forkStub, second, other, third],
      [first, second, forkStub, third, other],
    ])
      expect(inOrder(linesHere(here))).toEqual(run);
  });

  it.each<[string, HashedLine[], boolean]>([
    ['the first is missing', [second, third], false],
    ['one in the middle is missing', [first, third], false],
    ['the last is missing', [first, second], false],
    ['one has another CRC', [first, fork, third], false],
    ['all are missing', [], false],
    ['a stub is that of another line', [first, forkStub, third], true],
    [
      'the last stub is that of another line',
      [first, second, stubOf({ ...third, hash: first.hash })],
      true,
    ],
  ])('are not known if %s', (_, here, isForged) => {
    expect(linesHere(here)).toBeUndefined();
    expect(isContradicted(range, numberedLines(here))).toBe(isForged);
  });

  it.each<[string, HashedLine[]]>([
    ['other lines', lineRun(3, WRITER_B)],
    ['some of them', [first, second]],
    ['the first of them', [first]],
  ])('are not known if the hash is that of %s, which is forged', (_, proof) => {
    const forged = rangeOf(forgedForget(run, proof));
    expect(linesHere(run, forged)).toBeUndefined();
    expect(isContradicted(forged, numberedLines(run))).toBe(true);
  });

  it('are not known if the last one follows none of the others', () => {
    const two = rangeOf(forgetLine([first, second]));
    expect(linesHere([stubOf({ ...first, hash: third.hash }), second], two)).toBeUndefined();
    expect(linesHere([fork, third], rangeOf(forgetLine([second, third])))).toBeUndefined();
  });

  it('are found in time although each number has many lines', () => {
    const long = lineRun(2000);
    const forks = Array.from({ length: 2000 }, (_, at) =>
      stubOf({ ...second, hash: String(at).padStart(32, '0') }),
    );
    const byNumber = numberedLines([...long, ...forks]);
    expect(linesOfRange(rangeOf(forgetLine(long)), byNumber)).toHaveLength(2000);
  });
});

/** Returns lines by number, with a stub after the line that it replaces. */
function inOrder(lines: readonly HashedLine[] | undefined): readonly HashedLine[] | undefined {
  const rank = ({ event: { n, t } }: HashedLine) => 2 * n + Number(t === 'forgotten');
  return lines?.toSorted((a, b) => rank(a) - rank(b));
}
