import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NO_ACTIVITY } from '../../../src/apps/transcripts/activity.js';
import { SessionFiles, type CapturedSession } from '../../../src/node/capture/session-files.js';
import { createFolder, node } from '../folders.js';

const sessionNamed = (id: string): CapturedSession => ({
  client: 'codex',
  id,
  transcript: '',
  folder: '/app',
  offset: 0,
  activity: NO_ACTIVITY,
  changedAt: 1,
  isSealed: false,
  hasEnded: false,
});

it('returns the sessions that changed last, and removes old ones', async () => {
  const state = createFolder();
  const files = new SessionFiles(node, state, 'key');
  const folder = join(state, 'capture', 'sessions', 'key');
  for (const [index, id] of ['a', 'b', 'c'].entries()) {
    const before = new Set(index === 0 ? [] : readdirSync(folder));
    await files.update('codex', id, () => sessionNamed(id));
    const [name = ''] = readdirSync(folder).filter((each) => !before.has(each));
    utimesSync(join(folder, name), 100 + index, 100 + index);
  }
  const ids = async (limit: number) => (await files.newest(limit)).map(({ id }) => id);
  expect(await ids(2)).toEqual(['c', 'b']);
  await files.removeBefore(101_000);
  expect(await ids(5)).toEqual(['c', 'b']);
  expect(await new SessionFiles(node, state, 'other').newest(5)).toEqual([]);
  await files.removeAll();
  expect(await ids(5)).toEqual([]);
});

it('treats a damaged session as unknown', async () => {
  const state = createFolder();
  const files = new SessionFiles(node, state, 'key');
  const folder = join(state, 'capture', 'sessions', 'key');
  await files.update('codex', 'a', () => sessionNamed('a'));
  const [name = ''] = readdirSync(folder);
  for (const text of ['{"cl', '[]', '{"client":"codex","id":"a"}']) {
    writeFileSync(join(folder, name), text);
    expect(await files.newest(5)).toEqual([]);
    await files.update('codex', 'a', (known) => {
      expect(known).toBeUndefined();
      return sessionNamed('a');
    });
  }
});
