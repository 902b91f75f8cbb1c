import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NO_ACTIVITY } from '../../../src/apps/transcripts/activity.js';
import { SessionFiles, sessionsOf } from '../../../src/node/capture/session-files.js';
import {
  privateTimes,
  timesOf,
  withMark,
  type CapturedSession,
} from '../../../src/node/capture/captured-session.js';
import { createFolder, node } from '../folders.js';

const sessionNamed = (id: string): CapturedSession => ({
  client: 'codex',
  id,
  transcript: '',
  folder: '/app',
  marks: [],
  stamp: '',
  isUnattended: false,
  activity: NO_ACTIVITY,
  changedAt: 1,
  isSealed: false,
  hasEnded: false,
});

it('returns the sessions that changed last, and removes old ones', async () => {
  const state = createFolder();
  const folder = join(state, 'sessions');
  const files = new SessionFiles(node, folder);
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
  await files.removeAll();
  expect(await ids(5)).toEqual([]);
});

it('keeps of an old session when it was private, since it may go on, and nothing else', async () => {
  const files = new SessionFiles(node, join(createFolder(), 'sessions'));
  const mark = { at: 1, size: 0, isPrivate: true };
  const turn = { id: 'm', message: 'Plan the beds', answer: '', isTask: true };
  const activity = { ...NO_ACTIVITY, turns: [turn] } as unknown as typeof NO_ACTIVITY;
  const session = { ...sessionNamed('a'), stamp: 'read', activity };
  await files.update('codex', 'a', () => withMark(session, mark));
  await files.update('codex', 'b', () => session);
  await files.removeBefore(Infinity);
  await files.removeBefore(Infinity);
  expect(await files.newest(5)).toMatchObject([
    { id: 'a', marks: [mark], stamp: '', activity: { turns: [] } },
  ]);
});

it('belongs to one link, so a project linked to another place begins empty', async () => {
  const state = createFolder();
  const link = { project: 'key', vault: '/vault', workspaceId: 'ws' };
  const ids = async (of: typeof link) =>
    (await sessionsOf(node, state, of).newest(5)).map(({ id }) => id);
  await sessionsOf(node, state, link).update('codex', 'a', () => sessionNamed('a'));
  expect(await ids({ ...link })).toEqual(['a']);
  for (const other of [{ project: 'other' }, { vault: '/other' }, { workspaceId: 'other' }])
    expect(await ids({ ...link, ...other })).toEqual([]);
});

it('treats a damaged session as one that was private until now', async () => {
  const state = createFolder();
  const folder = join(state, 'sessions');
  const files = new SessionFiles(node, folder);
  await files.update('codex', 'a', () => sessionNamed('a'));
  const [name = ''] = readdirSync(folder);
  const wrong = [
    { marks: [7] },
    { marks: [{ at: '1', size: 0, isPrivate: true }] },
    { activity: { ...NO_ACTIVITY, files: 'Beds.md' } },
    { activity: { ...NO_ACTIVITY, todos: [null] } },
    { activity: { ...NO_ACTIVITY, turns: [7] } },
    { activity: { ...NO_ACTIVITY, turnCount: '7' } },
    { activity: { ...NO_ACTIVITY, model: 7 } },
  ].map((fields) => JSON.stringify({ ...sessionNamed('a'), ...fields }));
  for (const text of ['{"cl', '[]', '{"client":"codex","id":"a"}', ...wrong]) {
    writeFileSync(join(folder, name), text);
    expect(await files.newest(5)).toEqual([]);
    await files.update('codex', 'a', (known) => {
      // it may have been private
      expect(known?.marks).toMatchObject([{ isPrivate: true }]);
      return sessionNamed('a');
    });
  }
});

it('a session was private from a private mark to the next other one', () => {
  const mark = (at: number, isPrivate: boolean, size = 0) => ({ at, size, isPrivate });
  const marks = [mark(20, true), mark(5, false), mark(10, true), mark(30, false)];
  const session = marks.reduce(withMark, sessionNamed('a'));
  expect(privateTimes(session)).toEqual([
    { from: 10, to: 20 },
    { from: 20, to: 30 },
  ]);
  expect(privateTimes({ marks: [mark(10, true)] })).toEqual([{ from: -Infinity, to: Infinity }]);
  let many = withMark(sessionNamed('b'), mark(0, true));
  for (let at = 1; at < 1000; at++) many = withMark(many, mark(at, false));
  expect(many.marks.length).toBeLessThan(250);
  expect(privateTimes(many)).toEqual([{ from: -Infinity, to: 1 }]);
});

it('what has no time was written between the marks around it', () => {
  const session = {
    marks: [
      { at: 10, size: 0, isPrivate: false },
      { at: 20, size: 100, isPrivate: false },
    ],
  };
  expect(timesOf(session, 50, 5, 99)).toEqual({ from: 10, to: 20 });
  expect(timesOf(session, 101, 5, 99)).toEqual({ from: 20, to: 99 });
  expect(timesOf({ marks: [] }, 50, 5, 99)).toEqual({ from: 5, to: 99 });
  expect(timesOf(session, undefined, 5, 99)).toEqual({ from: 5, to: 99 });
});
