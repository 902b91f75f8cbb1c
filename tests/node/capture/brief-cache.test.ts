import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BriefCache, fileStamps, logStamps } from '../../../src/node/capture/brief-cache.js';
import { createFolder, node } from '../folders.js';

it('logStamps change with the files of the log', async () => {
  const folder = createFolder();
  expect(await logStamps(node, folder)).toEqual([]);
  mkdirSync(join(folder, 'core', '2026'), { recursive: true });
  const file = join(folder, 'core', '2026', 'a.jsonl');
  writeFileSync(file, 'one\n');
  const first = await logStamps(node, folder);
  expect(first).toHaveLength(1);
  expect(await logStamps(node, folder)).toEqual(first);
  writeFileSync(join(folder, 'README.md'), 'not of the log');
  symlinkSync(join(folder, 'gone'), join(folder, 'core', 'link'));
  expect(await logStamps(node, folder)).toEqual(first);
  appendFileSync(file, 'two\n');
  expect(await logStamps(node, folder)).not.toEqual(first);
});

it('a brief is found until something that it depends on has changed', async () => {
  const folder = createFolder();
  const file = join(folder, 'active.md');
  const missing = join(folder, 'missing.md');
  writeFileSync(file, 'one');
  const cache = new BriefCache(node, folder, ['one', 'project']);
  const brief = { text: 'Brief of workspace "One".', stateId: 'st' };
  const files = [file, missing];
  const write = async (until?: number) =>
    cache.write('a', brief, { files, fileStamps: await fileStamps(node, files), until });
  expect(await cache.read('a', 0)).toBe(undefined);
  await write();
  expect(await cache.read('a', 0)).toEqual(brief);
  expect(await cache.read('b', 0)).toBe(undefined);
  expect(await new BriefCache(node, folder, ['one', 'other']).read('a', 0)).toBe(undefined);
  writeFileSync(missing, '');
  expect(await cache.read('a', 0)).toBe(undefined);
  rmSync(missing);
  expect(await cache.read('a', 0)).toEqual(brief);
  appendFileSync(file, 'two');
  expect(await cache.read('a', 0)).toBe(undefined);
  await write(1000);
  expect(await cache.read('a', 999)).toEqual(brief);
  expect(await cache.read('a', 1000)).toBe(undefined); // a record is due
  const [name = ''] = readdirSync(join(folder, 'briefs'));
  writeFileSync(join(folder, 'briefs', name), '{"stamp');
  expect(await cache.read('a', 0)).toBe(undefined);
});
