import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  MAX_TAIL_BYTES,
  readTranscriptFile,
} from '../../../src/node/capture/read-transcript-file.js';
import { createFolder, node } from '../folders.js';

it('continues after the last complete line', async () => {
  const file = join(createFolder(), 't.jsonl');
  writeFileSync(file, '{"ä":1}\n{"b":2}\n{"to');
  const first = await readTranscriptFile(node, file, 0);
  expect(first).toMatchObject({ lines: ['{"ä":1}', '{"b":2}', '{"to'], offset: 17 });
  appendFileSync(file, 'rn":3}\n');
  expect(await readTranscriptFile(node, file, 17)).toMatchObject({
    lines: ['{"torn":3}'],
    offset: 28,
  });
  expect(await readTranscriptFile(node, file, 28)).toMatchObject({ lines: [], offset: 28 });
});

it('reads a file that has become shorter from its start', async () => {
  const file = join(createFolder(), 't.jsonl');
  writeFileSync(file, '{"a":1}\n');
  expect(await readTranscriptFile(node, file, 1000)).toMatchObject({
    lines: ['{"a":1}'],
    offset: 8,
  });
});

it('reads only the end of a transcript of 200 MB', async () => {
  const file = join(createFolder(), 't.jsonl');
  writeFileSync(file, '{"first":1}\n');
  truncateSync(file, 200 * 1024 * 1024);
  const rest = `\n${'{"line":1}\n'.repeat(1000)}`;
  appendFileSync(file, rest);
  const part = await readTranscriptFile(node, file, 0);
  expect(part?.lines).toHaveLength(1000);
  expect(part?.offset).toBe(200 * 1024 * 1024 + rest.length);
});

it('reads at most its limit even if there is no line break', async () => {
  const file = join(createFolder(), 't.jsonl');
  writeFileSync(file, '');
  truncateSync(file, 200 * 1024 * 1024);
  const part = await readTranscriptFile(node, file, 0);
  expect(part?.lines.join('').length).toBe(MAX_TAIL_BYTES);
  expect(part?.offset).toBe(0);
});

it('returns nothing for a folder and a missing file', async () => {
  const folder = createFolder();
  mkdirSync(join(folder, 'x'));
  expect(await readTranscriptFile(node, join(folder, 'x'), 0)).toBeUndefined();
  expect(await readTranscriptFile(node, join(folder, 'y'), 0)).toBeUndefined();
});
