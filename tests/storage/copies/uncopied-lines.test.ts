import { beforeEach, describe, expect, it } from 'vitest';
import { joinBytes } from '../../../src/platform/bytes/bytes.js';
import { CoreLines } from '../../../src/storage/copies/core-copies.js';
import { withoutNewline, encodeStub } from '../../../src/storage/format/stub.js';
import type { EncodedLine } from '../../../src/storage/format/line.js';
import { UncopiedLines } from '../../../src/storage/copies/uncopied-lines.js';
import {
  joinLines,
  lineOf,
  linesOf,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../../fakes/events.js';
import { createMemoryCopies } from '../helpers.js';

const DRAFTS = ['One', 'Two', 'Three'].map((name) => workspaceDraft(name));
const LINES = linesOf(DRAFTS);
const LAST = LINES.at(-1)!;

const coreLine = (line: EncodedLine) => ({ event: line.event, bytes: withoutNewline(line) });

function setOf(lines: readonly EncodedLine[]): CoreLines {
  const set = new CoreLines();
  for (const line of lines) set.add(coreLine(line));
  return set;
}

const NO_LINES = setOf([]);

let copies: ReturnType<typeof createMemoryCopies>;
let uncopied: UncopiedLines;

beforeEach(() => {
  copies = createMemoryCopies();
  uncopied = new UncopiedLines(copies);
});

/** Returns a line of half a megabyte, besides its newline. */
function halfMegabyte(n: number): Uint8Array {
  const line = (purpose: string) =>
    lineOf({ ...workspaceDraft('Long', 'w', { purpose }), n }).bytes;
  return line('x'.repeat(512 * 1024 + 1 - line('').length));
}

/** Returns the numbers of the lines that a vault without any line would have lost. */
const keptNumbers = () => uncopied.lostFrom(NO_LINES).map(({ event }) => event.n);

describe('lines that could not be copied', () => {
  it('are kept byte by byte until they can be', async () => {
    await uncopied.add(joinLines(LINES.slice(0, 2)));
    await uncopied.add(joinLines(LINES.slice(2)));
    expect(uncopied.lostFrom(NO_LINES)).toEqual(LINES.map(coreLine));
  });

  it('are lost only if the vault has lost them too', async () => {
    await uncopied.add(joinLines(LINES));
    expect(uncopied.lostFrom(setOf(LINES.slice(0, 2)))).toEqual([coreLine(LAST)]);
    expect(uncopied.lostFrom(setOf(LINES))).toEqual([]);
  });

  it('are kept no more once all is copied', async () => {
    await uncopied.add(joinLines(LINES));
    await uncopied.settle(LINES.map(coreLine));
    expect(keptNumbers()).toEqual([]);
  });

  it('are remembered by the device up to the last one', async () => {
    await uncopied.add(joinLines(LINES));
    expect(await copies.lacking()).toEqual(new Map([[WRITER_A, { n: 3, hash: LAST.hash }]]));
  });

  it('are not remembered if there are none', async () => {
    await uncopied.add(new Uint8Array());
    expect(await copies.lacking()).toEqual(new Map());
  });

  it('take at most 8 MB of memory, the last ones', async () => {
    const lines = Array.from({ length: 18 }, (_, index) => halfMegabyte(index + 1));
    const numbers = lines.map((_, index) => index + 1);
    await uncopied.add(joinBytes(lines.slice(0, 10)));
    for (const line of lines.slice(10, 16)) await uncopied.add(line);
    expect(keptNumbers()).toEqual(numbers.slice(0, 16));
    for (const line of lines.slice(16)) await uncopied.add(line);
    expect(keptNumbers()).toEqual(numbers.slice(2));
  });
});

describe('the end of a writer while copying failed', () => {
  const lost = [{ lane: 'core', writer: WRITER_A, n: 3, hash: LAST.hash }];
  const others = linesOf(DRAFTS, WRITER_B);

  it('is not lost if nothing failed', async () => {
    expect(await uncopied.settle(LINES.map(coreLine))).toEqual([]);
  });

  it.each<[string, readonly EncodedLine[]]>([
    ['the line itself', [LAST]],
    ['its stub, after it was forgotten', [encodeStub(LAST.event, LAST.hash)]],
  ])('is known by %s, and then nothing is lacking any more', async (_, known) => {
    await uncopied.add(joinLines(LINES));
    expect(await uncopied.settle(setOf([...others, ...known]))).toEqual([]);
    expect(await copies.lacking()).toEqual(new Map());
  });

  it.each<[string, readonly EncodedLine[]]>([
    ['nothing', []],
    ['earlier lines', LINES.slice(0, 2)],
    ['lines of another writer', others],
    ['another line of that number', linesOf([...DRAFTS.slice(0, 2), workspaceDraft('Clone')])],
  ])('is lost if only %s is known, even for a later process', async (_, known) => {
    await uncopied.add(joinLines(LINES));
    expect(await uncopied.settle(setOf(known))).toEqual(lost);
    expect(await new UncopiedLines(copies).settle(setOf(known))).toEqual(lost);
  });

  it('is told for each writer', async () => {
    await uncopied.add(joinLines(LINES));
    await uncopied.add(joinLines(others));
    expect(await uncopied.settle(setOf(others))).toEqual(lost);
    expect([...(await copies.lacking()).keys()]).toEqual([WRITER_A]);
  });
});
