import { describe, expect, it } from 'vitest';
import { NO_ACTIVITY } from '../../../src/apps/transcripts/activity.js';
import { turnKey } from '../../../src/model/event.js';
import type { CapturedSession } from '../../../src/node/capture/captured-session.js';
import {
  forgetSessions,
  forgetSessionsNamed,
  sessionsOf,
} from '../../../src/node/capture/session-files.js';
import type { Removal } from '../../../src/storage/forget/due-lines.js';
import { WRITER_A } from '../../fakes/events.js';
import { createFolder, node } from '../folders.js';

const HASH = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
const turnNamed = (id: string) => ({ id, message: `Message ${id}`, answer: '', isTask: true });

/** A session with two messages, whose last version in the log is the line with this hash. */
function sessionNamed(id: string, hash: string | undefined): CapturedSession {
  const turns = ['m1', 'm2'].map(turnNamed);
  const line = hash === undefined ? undefined : { w: WRITER_A, n: 1, c: '00000000', hash };
  return {
    client: 'codex',
    id,
    transcript: '',
    folder: '/app',
    marks: [],
    stamp: 'read',
    isUnattended: false,
    activity: { ...NO_ACTIVITY, turns } as unknown as typeof NO_ACTIVITY,
    changedAt: 1,
    isSealed: false,
    hasEnded: false,
    ...(line && { written: { id: `id-${id}`, hash: 'x', at: 1, bytes: 1, bytesOfDay: 1, line } }),
  };
}

const removalOf = (removal: Partial<Removal>): Removal => ({
  hashes: new Set([OTHER]),
  ids: [],
  turns: [],
  isIn: () => false,
  ...removal,
});

/** Returns the messages that are left of the sessions after removals, by id. */
async function afterRemovals(...removals: Removal[]): Promise<Record<string, readonly string[]>> {
  const state = createFolder();
  const link = { project: 'key', vault: '/vault', workspaceId: 'ws' };
  const files = sessionsOf(node, state, link);
  const sessions = [sessionNamed('named', HASH), sessionNamed('other', 'c'.repeat(32))];
  for (const each of [...sessions, sessionNamed('unwritten', undefined)])
    await files.update('codex', each.id, () => each);
  await forgetSessions(node, state, removals);
  const left = await files.newest(5);
  return Object.fromEntries(
    left.map(({ id, activity }) => [id, activity.turns.map((turn) => turn.id)]),
  );
}

const ALL = ['m1', 'm2'];

describe('What was noted of sessions', () => {
  it('goes if the last line that they wrote was destroyed', async () => {
    expect(await afterRemovals(removalOf({ hashes: new Set([HASH]) }))).toEqual({
      named: [],
      other: ALL,
      unwritten: ALL,
    });
  });

  it.each<[string, Partial<Removal>]>([
    ['other lines', {}],
    ['no line', { hashes: new Set() }],
    [
      'other lines, whatever ids an event lists',
      { ids: ['', 'id-named', 'named', '["codex","named"]', '["codex","unwritten"]'] },
    ],
    ['other lines of a session with messages', { turns: [turnKey('codex', 'named', 'm1')] }],
  ])('stays if these were destroyed: %s', async (_, removal) => {
    const left = { named: ALL, other: ALL, unwritten: ALL };
    expect(await afterRemovals(removalOf(removal))).toEqual(left);
  });

  it('goes in part if only messages of it are forgotten', async () => {
    const turns = [turnKey('codex', 'named', 'm1'), turnKey('codex', 'other', 'm2')];
    const removal = removalOf({ hashes: new Set([HASH]), turns });
    expect(await afterRemovals(removal)).toEqual({ named: ['m2'], other: ALL, unwritten: ALL });
  });

  it('goes as a whole if another event forgets all of it', async () => {
    const hashes = new Set([HASH]);
    const some = removalOf({ hashes, turns: [turnKey('codex', 'named', 'm1')] });
    expect((await afterRemovals(some, removalOf({ hashes })))['named']).toEqual([]);
  });

  it('goes if the user forgets a session by its app and id', async () => {
    const state = createFolder();
    const link = { project: 'key', vault: '/vault', workspaceId: 'ws' };
    const files = sessionsOf(node, state, link);
    for (const id of ['one', 'two'])
      await files.update('codex', id, () => sessionNamed(id, undefined));
    await forgetSessionsNamed(node, state, [{ client: 'claude-code', id: 'one' }]);
    const turnsIn = async () =>
      (await files.newest(5)).map(({ id, activity }) => [id, activity.turns.length]).sort();
    expect(await turnsIn()).toEqual([
      ['one', 2],
      ['two', 2],
    ]);
    await forgetSessionsNamed(node, state, [{ client: 'codex', id: 'one' }]);
    expect(await turnsIn()).toEqual([
      ['one', 0],
      ['two', 2],
    ]);
  });
});
