import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { readLargeFile } from '../../../src/storage/read/large-file.js';
import { linesOf, workspaceDraft } from '../../fakes/events.js';
import { createFolder, node } from '../../node/folders.js';

const MB = 1024 * 1024;
/** Bytes of the file that are passed in, as the reader has read them. */
const FIRST_BYTES = 3 * MB;
/** Bytes that are then read at once. */
const PIECE_BYTES = 8 * MB;

const LINES = linesOf(['One', 'Two', 'Three', 'Four'].map((name) => workspaceDraft(name)));

/** Reads a file that has a line at each of the offsets, and the filler everywhere else. */
async function readWith(offsets: readonly number[], size: number, filler: number) {
  const content = new Uint8Array(size).fill(filler);
  offsets.forEach((offset, at) => {
    if (offset > 0) content[offset - 1] = 0x0a;
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
    expect(lines.map(({ from, event }) => [from, event.n])).toEqual(
      offsets.map((offset, at) => [offset, at + 1]),
    );
    expect(problems).toEqual([{ kind: 'damaged', from: 0 }]);
    expect(size).toBe(21 * MB);
  });

  it('finds nothing in a file of NULs', async () => {
    expect(await readWith([], 21 * MB, 0)).toMatchObject({ lines: [], settled: 21 * MB });
  });
});
