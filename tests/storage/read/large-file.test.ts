import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { readLargeFile } from '../../../src/storage/read/large-file.js';
import { joinLines, linesOf, workspaceDraft } from '../../fakes/events.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { createFolder, node } from '../../node/folders.js';

const MB = 1024 * 1024;
/** Bytes of the file that are passed in, as the reader has read them. */
const FIRST_BYTES = 3 * MB;
/** Bytes that are then read at once. */
const PIECE_BYTES = 8 * MB;

const LINES = linesOf(['One', 'Two', 'Three', 'Four'].map((name) => workspaceDraft(name)));

/** Reads a file that has a line at each of the offsets, and the filler everywhere else. */
async function readWith(
  offsets: readonly number[],
  size: number,
  filler: number,
  afterNewlines = true,
) {
  const content = new Uint8Array(size).fill(filler);
  offsets.forEach((offset, at) => {
    if (afterNewlines && offset > 0) content[offset - 1] = 0x0a;
    content.set(LINES[at]!.bytes, offset);
  });
  const folder = createFolder();
  writeFileSync(join(folder, 'big.jsonl'), content);
  const files = createFolderFiles(node, folder);
  return readLargeFile(files, 'big.jsonl', content.slice(0, FIRST_BYTES));
}

describe('readLargeFile', () => {
  it.each([
    ['NULs', 0],
    ['lines without events', 0x0a],
  ])('finds every event among %s, and reports the file as damaged', async (_, filler) => {
    const offsets = [MB, FIRST_BYTES - 10, FIRST_BYTES + PIECE_BYTES - 200, 20 * MB + 3];
    const { lines, problems, size } = await readWith(offsets, 21 * MB, filler);
    expect(lines.map(({ event, from, to }) => [event.n, from, to - from])).toEqual(
      offsets.map((offset, at) => [at + 1, offset, LINES[at]!.bytes.length - 1]),
    );
    expect(problems).toEqual([{ kind: 'damaged', from: 0 }]);
    expect(size).toBe(21 * MB);
  });

  it('finds a line that begins after NULs in one piece and ends in the next', async () => {
    const offsets = [FIRST_BYTES - 10, FIRST_BYTES + PIECE_BYTES - 20];
    const { lines } = await readWith(offsets, 12 * MB, 0, false);
    expect(lines.map(({ from }) => from)).toEqual(offsets);
  });

  it('finds the lines of pieces that do not begin at a word of memory', async () => {
    const content = joinLines(LINES);
    const shifted = new Uint8Array(content.length + 1).subarray(1);
    shifted.set(content);
    const { lines, size } = await readLargeFile(createMemoryFiles(), 'removed.jsonl', shifted);
    expect(lines.map(({ event }) => event.n)).toEqual([1, 2, 3, 4]);
    expect(size).toBe(content.length);
  });

  it('finds nothing in a file of NULs', async () => {
    expect(await readWith([], 21 * MB, 0)).toMatchObject({ lines: [], settled: 21 * MB });
  });
});
