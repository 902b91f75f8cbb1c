import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ProjectFile } from '../../../src/node/projects/project-file.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

const AT = '2026-11-23T10:00:00.000Z';

it('loses no entry of programs that write at the same time', async () => {
  const folder = temporaryFolder('state');
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
  await Promise.all(
    keys.map((key) => new ProjectFile(node, folder).setWorkspace(key, `ws of ${key}`, AT)),
  );
  const file = new ProjectFile(node, folder);
  for (const key of keys) expect(await file.workspaceOf(key)).toBe(`ws of ${key}`);
  expect(readdirSync(folder)).toEqual(['projects.json']);
  if (process.platform !== 'win32')
    expect(statSync(join(folder, 'projects.json')).mode & 0o777).toBe(0o600);
});

it('creates its folder only when it writes', async () => {
  const folder = join(temporaryFolder('state'), 'new');
  const file = new ProjectFile(node, folder);
  expect(await file.workspaceOf('key')).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  await file.setWorkspace('key', 'ws', AT);
  expect(await file.workspaceOf('key')).toBe('ws');
});

it('replaces a damaged file, and ignores invalid entries', async () => {
  const folder = temporaryFolder('state');
  const path = join(folder, 'projects.json');
  const file = new ProjectFile(node, folder);
  for (const text of ['{"key', '[]', '{"key":{"workspace":5},"toString":null}']) {
    writeFileSync(path, text);
    expect(await file.workspaceOf('key')).toBeUndefined();
  }
  await file.setWorkspace('key', 'ws', AT);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ key: { workspace: 'ws', at: AT } });
});

it('forgets the projects that were used longest ago', async () => {
  const folder = temporaryFolder('state');
  const many = Array.from({ length: 1000 }, (_, index) => [
    `key ${index}`,
    { workspace: 'ws', at: AT },
  ]);
  writeFileSync(join(folder, 'projects.json'), JSON.stringify(Object.fromEntries(many)));
  const file = new ProjectFile(node, folder);
  await file.setWorkspace('key 0', 'again', AT);
  await file.setWorkspace('new', 'ws', AT);
  expect(await file.workspaceOf('key 0')).toBe('again');
  expect(await file.workspaceOf('key 1')).toBeUndefined();
  expect(await file.workspaceOf('key 2')).toBe('ws');
});
