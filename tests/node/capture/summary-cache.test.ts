import { appendFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logFingerprint, SummaryCache } from '../../../src/node/capture/summary-cache.js';
import { createFolder, node } from '../folders.js';

it('logFingerprint changes with the files of the log and the version', async () => {
  const folder = createFolder();
  const fingerprint = (version = '1.0.0') => logFingerprint(node, folder, version);
  expect(await fingerprint()).toBe(undefined);
  mkdirSync(join(folder, 'core', '2026'), { recursive: true });
  const file = join(folder, 'core', '2026', 'a.jsonl');
  writeFileSync(file, 'one\n');
  const first = await fingerprint();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await fingerprint()).toBe(first);
  expect(await fingerprint('1.0.1')).not.toBe(first);
  writeFileSync(join(folder, 'README.md'), 'not of the log');
  expect(await fingerprint()).toBe(first);
  symlinkSync(join(folder, 'gone'), join(folder, 'core', 'link'));
  expect(await fingerprint()).toBe(first);
  appendFileSync(file, 'two\n');
  expect(await fingerprint()).not.toBe(first);
});

it('a summary is found only with the fingerprint and workspace it was stored for', async () => {
  const folder = createFolder();
  const cache = new SummaryCache(node, folder, 'one');
  const news = { summary: { name: 'One', decision: '' }, checkpoints: [] };
  expect(await cache.read('a')).toBe(undefined);
  await cache.write('a', news);
  expect(await cache.read('a')).toEqual(news);
  expect(await cache.read('b')).toBe(undefined);
  expect(await new SummaryCache(node, folder, 'two').read('a')).toBe(undefined);
  const [name = ''] = readdirSync(join(folder, 'briefs'));
  writeFileSync(join(folder, 'briefs', name), '{"fingerprint');
  expect(await cache.read('a')).toBe(undefined);
});
