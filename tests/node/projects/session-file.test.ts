import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSessionFile } from '../../../src/node/projects/session-file.js';
import { Sessions, type SessionState } from '../../../src/toolkit/sessions.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

function stateIn(workspaceId: string): SessionState {
  const sessions = new Sessions();
  sessions.enterWorkspace('any', workspaceId);
  sessions.setLastState('any', { workspaceId, id: 'state', isLoaded: true });
  return sessions.stateOf('any');
}

it('returns the state that was stored last for a session', async () => {
  const folder = join(temporaryFolder('state'), 'new');
  const file = createSessionFile(node, folder);
  expect(await file.read('a')).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  await file.save('a', stateIn('one'));
  await file.save('b', stateIn('two'));
  await file.save('a', stateIn('three'));
  expect(await createSessionFile(node, folder).read('a')).toEqual(stateIn('three'));
  expect(await file.read('b')).toEqual(stateIn('two'));
});

it('loses no session of programs that write at the same time', async () => {
  const folder = temporaryFolder('state');
  const ids = Array.from({ length: 10 }, (_, index) => `session ${index}`);
  await Promise.all(ids.map((id) => createSessionFile(node, folder).save(id, stateIn(id))));
  const file = createSessionFile(node, folder);
  for (const id of ids) expect(await file.read(id)).toEqual(stateIn(id));
  expect(readdirSync(folder)).toEqual(['sessions.json']);
});

it('forgets the sessions that were stored longest ago', async () => {
  const folder = temporaryFolder('state');
  const many = Array.from({ length: 200 }, (_, at) => ({ id: `${at}`, state: stateIn('one') }));
  writeFileSync(join(folder, 'sessions.json'), JSON.stringify(many));
  const file = createSessionFile(node, folder);
  await file.save('new', stateIn('two'));
  expect(await file.read('0')).toBeUndefined();
  expect(await file.read('1')).toEqual(stateIn('one'));
});

it('replaces a damaged file, and ignores invalid entries', async () => {
  const folder = temporaryFolder('state');
  const file = createSessionFile(node, folder);
  for (const text of ['{"id', '{}', '[{"id":"a","state":{"revision":"1"}},null]']) {
    writeFileSync(join(folder, 'sessions.json'), text);
    expect(await file.read('a')).toBeUndefined();
  }
  await file.save('a', stateIn('one'));
  expect(await file.read('a')).toEqual(stateIn('one'));
});
