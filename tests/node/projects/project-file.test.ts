import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProjectFile } from '../../../src/node/projects/project-file.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

const AT = '2026-11-23T10:00:00.000Z';
const use = (client: string, workspace: string) => ({ client, workspace, at: AT });

it('returns what a client and what any client used last, by any key of the project', async () => {
  const file = createProjectFile(node, temporaryFolder('state'));
  await file.addUse(['path', 'remote'], use('codex', 'one'));
  await file.addUse(['path', 'remote'], use('gemini', 'two'));
  expect(await file.usesIn(['other'], 'codex')).toEqual({});
  expect(await file.usesIn(['new', 'remote'], 'codex')).toEqual({
    usedByClient: 'one',
    usedByAny: 'two',
  });
  expect(await file.usesIn(['path'], 'opencode')).toEqual({ usedByAny: 'two' });
  await file.addUse(['path'], use('codex', 'three'));
  expect(await file.usesIn(['remote'], 'gemini')).toEqual({
    usedByClient: 'two',
    usedByAny: 'three',
  });
});

it('lets the first key decide if two find different projects', async () => {
  const file = createProjectFile(node, temporaryFolder('state'));
  await file.addUse(['path'], use('codex', 'one'));
  await file.addUse(['remote'], use('codex', 'two'));
  expect(await file.usesIn(['path', 'remote'], 'codex')).toMatchObject({ usedByAny: 'one' });
});

it('loses no use of programs that write at the same time', async () => {
  const folder = temporaryFolder('state');
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
  await Promise.all(
    keys.map((key) => createProjectFile(node, folder).addUse([key], use('', `ws of ${key}`))),
  );
  const file = createProjectFile(node, folder);
  for (const key of keys)
    expect(await file.usesIn([key], '')).toMatchObject({ usedByAny: `ws of ${key}` });
  expect(readdirSync(folder)).toEqual(['projects.json']);
  if (process.platform !== 'win32')
    expect(statSync(join(folder, 'projects.json')).mode & 0o777).toBe(0o600);
});

it('creates its folder only when it writes', async () => {
  const folder = join(temporaryFolder('state'), 'new');
  const file = createProjectFile(node, folder);
  expect(await file.usesIn(['key'], '')).toEqual({});
  expect(existsSync(folder)).toBe(false);
  await file.addUse(['key'], use('', 'ws'));
  expect(await file.usesIn(['key'], '')).toMatchObject({ usedByAny: 'ws' });
});

it('replaces a damaged file, and ignores invalid entries', async () => {
  const folder = temporaryFolder('state');
  const path = join(folder, 'projects.json');
  const file = createProjectFile(node, folder);
  for (const text of ['{"key', '{}', '[{"keys":["key"],"uses":[{"workspace":5}]},null]']) {
    writeFileSync(path, text);
    expect(await file.usesIn(['key'], '')).toEqual({});
  }
  await file.addUse(['key'], use('', 'ws'));
  expect(await file.usesIn(['key'], '')).toMatchObject({ usedByAny: 'ws' });
});

it('forgets the projects that were used longest ago', async () => {
  const folder = temporaryFolder('state');
  const many = Array.from({ length: 500 }, (_, index) => ({
    keys: [`key ${index}`],
    uses: [use('', 'ws')],
  }));
  writeFileSync(join(folder, 'projects.json'), JSON.stringify(many));
  const file = createProjectFile(node, folder);
  await file.addUse(['key 0'], use('', 'again'));
  await file.addUse(['new'], use('', 'ws'));
  expect(await file.usesIn(['key 0'], '')).toMatchObject({ usedByAny: 'again' });
  expect(await file.usesIn(['key 1'], '')).toEqual({});
  expect(await file.usesIn(['key 2'], '')).toMatchObject({ usedByAny: 'ws' });
});
