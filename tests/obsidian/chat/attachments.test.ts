import { expect, it } from 'vitest';
import { readAttachment } from '../../../src/obsidian/chat/attachments.js';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';

function attach(text: string) {
  const vault = {
    getFileByPath: (path: string) => ({ path }),
    cachedRead: () => Promise.resolve(text),
  };
  const savepoint = { app: { vault } } as unknown as Savepoint;
  return readAttachment(savepoint, { kind: 'note', path: 'A.md' });
}

it('attaches a note whole up to 100 KB, and else its first 100 KB without half a character', async () => {
  const whole = 'é'.repeat(51_200);
  expect(await attach(whole)).toMatchObject({ source: 'the note "A.md"', text: whole });
  const { source, text } = await attach(`x${whole}`);
  expect(source).toBe('the note "A.md" (only its first 100 of 101 KB)');
  expect(text).toBe(`x${'é'.repeat(51_199)}`);
});
