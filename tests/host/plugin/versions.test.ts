// Tier full: the app, and programs of other versions that AI apps start
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { installProgram } from '../../../src/node/install/install-program.js';
import type { Answer } from '../../../src/toolkit/answer.js';
import { PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { node } from '../../node/folders.js';
import { createDesktopPlace, startDesktop, whenShown, type DesktopPlace } from './desktop-app.js';

const { version: own } = JSON.parse(
  readFileSync(join(dirname(PROGRAM), 'manifest.json'), 'utf8'),
) as { version: string };

/** Installs this program for AI apps under an invented version, and connects to it as they do. */
async function connectVersion({ vault, state }: DesktopPlace, version: string) {
  const folder = temporaryFolder('version');
  mkdirSync(folder, { recursive: true });
  const code = readFileSync(PROGRAM, 'utf8').replaceAll(`version:"${own}"`, `version:"${version}"`);
  writeFileSync(join(folder, 'main.js'), code);
  const launcher = await installProgram(node, state, { file: join(folder, 'main.js'), version });
  const client = new Client({ name: 'savepoint-tests', version: '1.0.0' });
  const args = [launcher, 'mcp', '--vault', vault, '--state', state];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  onTestFinished(() => client.close());
  return async (name: string) =>
    (await client.callTool({ name: 'createState', arguments: stateNamed(name) }))
      .structuredContent as Answer;
}

const currentIn = ({ state }: DesktopPlace) =>
  readFileSync(join(state, 'program/current'), 'utf8').split('-')[0];

const ROW = '.setting-item';

test('an older program works, says once what to do, and is replaced only by a press', async () => {
  const place = createDesktopPlace();
  copyFileSync(PROGRAM, join(place.vault, '.obsidian/plugins/savepoint/main.js'));
  const { host, openPage, clickNow } = await startDesktop(place);
  const save = await connectVersion(place, '0.0.9');
  const { success, notice } = await save('First');
  expect(success).toBe(true);
  expect(notice).toContain(
    `This app starts version 0.0.9 of Savepoint, and version ${own} answers in Obsidian: tell the user to press Update in Obsidian`,
  );
  expect((await save('Second')).notice).toBeUndefined();
  expect(currentIn(place)).toBe('0.0.9');
  await openPage('AI apps');
  const row = () =>
    host.evaluate((_, selector) => {
      const rows = [...document.querySelectorAll<HTMLElement>(selector)];
      const found = rows.find((each) => each.textContent?.includes('Program for AI apps'));
      return found?.style.display === 'none' ? 'hidden' : found?.textContent;
    }, ROW);
  await expect.poll(row).toContain('AI apps start version 0.0.9, which is older than this plugin.');
  await clickNow(`${ROW} button`, 'Update');
  await expect.poll(row).toBe('hidden');
  expect(currentIn(place)).toBe(own);
  expect(host.errors).toEqual([]);
});

test('a newer program works, says once what to do, and is not replaced', async () => {
  const place = createDesktopPlace();
  const { host, run, texts } = await startDesktop(place);
  const save = await connectVersion(place, '9.9.9');
  const { success, notice } = await save('First');
  expect(success).toBe(true);
  expect(notice).toContain('tell the user to update the plugin Savepoint in Obsidian.');
  expect((await save('Second')).notice).toBeUndefined();
  await run('check-connections');
  await whenShown(async () => expect(await texts('.savepoint-verdict-title')).toHaveLength(1));
  expect(currentIn(place)).toBe('9.9.9');
  expect(host.errors).toEqual([]);
});
