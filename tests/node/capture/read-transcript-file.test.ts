import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  firstFolder,
  READ_LIMITS,
  readTranscriptFile,
  transcriptFiles,
} from '../../../src/node/capture/read-transcript-file.js';
import { claudeCodeTranscript } from '../../../src/apps/transcripts/claude-code.js';
import { createFolder, node } from '../folders.js';

it('returns the lines, with the byte after each', async () => {
  const file = join(createFolder(), 't.jsonl');
  writeFileSync(file, '{"ä":1}\n\n{"b":2}\r\n{"to');
  expect(await readTranscriptFile(node, file)).toMatchObject({
    lines: [
      { text: '{"ä":1}', end: 9 },
      { text: '{"b":2}', end: 19 },
      { text: '{"to', end: 23 },
    ],
    size: 23,
  });
});

it('reads only the beginning and the end of a transcript of 200 MB', async () => {
  const file = join(createFolder(), 't.jsonl');
  writeFileSync(file, '{"first":1}\n');
  truncateSync(file, 200 * 1024 * 1024);
  const rest = `\n${'{"line":1}\n'.repeat(1000)}`;
  appendFileSync(file, rest);
  const read = await readTranscriptFile(node, file);
  const texts = read?.lines.map(({ text }) => text) ?? [];
  expect([texts[0], texts.length]).toEqual(['{"first":1}', 1001]);
  expect(read?.lines.at(-1)).toEqual({ text: '{"line":1}', end: read?.size });
});

it('reads at most its limit even if there is no line break', async () => {
  const file = join(createFolder(), 't.jsonl');
  writeFileSync(file, '');
  truncateSync(file, 200 * 1024 * 1024);
  const read = await readTranscriptFile(node, file);
  const length = read?.lines.reduce((sum, { text }) => sum + text.length, 0);
  expect(length).toBe(READ_LIMITS.end);
});

it('returns nothing for a folder and a missing file', async () => {
  const folder = createFolder();
  mkdirSync(join(folder, 'x'));
  expect(await readTranscriptFile(node, join(folder, 'x'))).toBeUndefined();
  expect(await readTranscriptFile(node, join(folder, 'y'))).toBeUndefined();
});

it('finds the folder of the first entries, and the files of subagents', async () => {
  const folder = createFolder();
  const file = join(folder, 's.jsonl');
  const lines = [{ type: 'mode' }, { type: 'user', cwd: '/first' }, { type: 'user', cwd: '/b' }];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(await firstFolder(node, 'claude-code', file)).toBe('/first');
  expect(await firstFolder(node, 'claude-code', '')).toBeUndefined();
  expect(await transcriptFiles(node, file, claudeCodeTranscript)).toEqual([file]);
  mkdirSync(join(folder, 's', 'subagents'), { recursive: true });
  for (const name of ['agent-a.jsonl', 'agent-a.meta.json'])
    writeFileSync(join(folder, 's', 'subagents', name), '');
  expect(await transcriptFiles(node, file, claudeCodeTranscript)).toEqual([
    file,
    join(folder, 's', 'subagents', 'agent-a.jsonl'),
  ]);
});
