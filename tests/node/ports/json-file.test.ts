import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createJsonFile } from '../../../src/node/ports/json-file.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

it('creates its folder only when it writes', async () => {
  const folder = join(temporaryFolder('state'), 'new');
  const file = createJsonFile(node, join(folder, 'x.json'));
  expect(await file.read()).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  expect(await file.update(() => ({ a: 1 }))).toEqual({ a: 1 });
  expect(await file.read()).toEqual({ a: 1 });
});

it('leaves the file and no draft when a change fails', async () => {
  const folder = temporaryFolder('state');
  const file = createJsonFile(node, join(folder, 'x.json'));
  await file.update(() => 1);
  await expect(file.update(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual(['x.json']);
  expect(readFileSync(join(folder, 'x.json'), 'utf8')).toBe('1');
});

it('tells a damaged file from a missing one', async () => {
  const path = join(temporaryFolder('state'), 'x.json');
  writeFileSync(path, '{"a');
  expect(await createJsonFile(node, path).read()).toBeNull();
});

afterEach(() => {
  vi.useRealTimers();
});

it('reads a file again only after a change, also by another program', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const path = join(temporaryFolder('state'), 'x.json');
  const readFile = vi.fn(node.fs.readFile);
  const fs = { ...node.fs, readFile: readFile as typeof node.fs.readFile };
  const file = createJsonFile({ ...node, fs }, path);
  await file.update(() => ({ a: 1 }));
  readFile.mockClear();
  for (let time = 0; time < 3; time++) expect(await file.read()).toEqual({ a: 1 });
  expect(readFile).toHaveBeenCalledTimes(1);
  await createJsonFile(node, path).update(() => ({ a: 2 }));
  expect(await file.read()).toEqual({ a: 2 });
});
