import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { JsonFile } from '../../../src/node/ports/json-file.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

it('creates its folder only when it writes', async () => {
  const folder = join(temporaryFolder('state'), 'new');
  const file = new JsonFile(node, join(folder, 'x.json'));
  expect(await file.read()).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  expect(await file.update(() => ({ a: 1 }))).toEqual({ a: 1 });
  expect(await file.read()).toEqual({ a: 1 });
});

it('leaves the file and no draft when a change fails', async () => {
  const folder = temporaryFolder('state');
  const file = new JsonFile(node, join(folder, 'x.json'));
  await file.update(() => 1);
  await expect(file.update(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual(['x.json']);
  expect(readFileSync(join(folder, 'x.json'), 'utf8')).toBe('1');
});

it('treats a damaged file as missing', async () => {
  const path = join(temporaryFolder('state'), 'x.json');
  writeFileSync(path, '{"a');
  expect(await new JsonFile(node, path).read()).toBeUndefined();
});
