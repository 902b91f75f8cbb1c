import { describe, expect, test } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';
import { open } from '../shared-browser.js';
import { openSettings, press, row as setting, textIn, vaultAfter } from './settings-window.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('further cases of moves'));

const notes = { 'Garden/Beds.md': '# Beds\n\nThree of them.', 'Garden/Pond.md': '# Pond' };

/** A workspace, a state, a record and a call that name the note about the beds. */
const filled = () =>
  vaultAfter(async (vault) => {
    for (const [path, text] of Object.entries(notes)) vault.files.put(path, text);
    await vault.data('createWorkspace', { ...garden, keyFiles: ['Garden/Beds.md'] });
    await vault.data('createState', {
      ...stateNamed('Beds drawn'),
      activeFiles: ['Garden/Beds.md', 'Garden/Pond.md'],
    });
    await vault.data('createRecord', {
      resource: 'issue',
      title: 'Sow the beans',
      files: ['Garden/Beds.md'],
    });
  });

async function openVault(settings = {}): Promise<ChromiumHost> {
  const data = { '.obsidian/plugins/savepoint/data.json': JSON.stringify(settings) };
  return open({ files: { ...notes, ...(await filled()), ...data } });
}

const rename = ({ page }: ChromiumHost, from: string, to: string) =>
  page.evaluate(
    async ([path, target]) => {
      const { vault, fileManager } = window.__host.host.app;
      const folder = target.slice(0, Math.max(0, target.lastIndexOf('/')));
      if (folder !== '' && !vault.getAbstractFileByPath(folder)) await vault.createFolder(folder);
      await fileManager.renameFile(vault.getAbstractFileByPath(path)!, target);
    },
    [from, to] as const,
  );

/** Returns the data of the moves in the log. */
async function moves(host: ChromiumHost): Promise<unknown[]> {
  const files: FileSet = await host.snapshot();
  return Object.keys(files)
    .filter((path) => path.startsWith('Savepoint/core/'))
    .flatMap((path) => (textIn(files, path) ?? '').split('\n'))
    .filter((line) => line.includes('"t":"path.moved"'))
    .map((line) => (JSON.parse(line) as { d: { from: string; to?: string } }).d)
    .map(({ from, to }) => [from, to]);
}

const row = ({ page }: ChromiumHost, title: string) =>
  page.locator('.savepoint-line').filter({
    has: page.locator('.savepoint-line-title > bdi', { hasText: new RegExp(`^${title}$`, 'u') }),
  });

describe('a renamed note', () => {
  test('keeps its memory, in the note pane, in states and workspaces', async () => {
    const host = await openVault();
    const { page } = host;
    await page.evaluate(() => window.__host.host.app.workspace.openLinkText('Garden/Beds', ''));
    await host.runCommand('Savepoint: Open memory of this note');
    await row(host, 'Beds drawn').waitFor();
    await rename(host, 'Garden/Beds.md', 'Garden/Raised beds.md');
    await expect.poll(() => moves(host)).toEqual([['Garden/Beds.md', 'Garden/Raised beds.md']]);
    await page.locator('.savepoint-header-title', { hasText: 'Raised beds' }).waitFor();
    for (const title of ['Beds drawn', 'Sow the beans', 'Garden']) await row(host, title).waitFor();

    await row(host, 'Beds drawn').click();
    const link = page.locator('.savepoint-view a', { hasText: 'Raised beds' });
    await link.first().waitFor();
    await expect.poll(() => page.getByText(/files? (is|are) unchanged/u).count()).toBe(1);
    expect(await page.getByText('missing').count()).toBe(0);
  });

  testInFull('is not recorded if memory does not refer to it', async () => {
    const host = await openVault();
    await rename(host, 'Garden/Pond.md', 'Garden/Pool.md');
    await expect.poll(() => moves(host)).toEqual([['Garden/Pond.md', 'Garden/Pool.md']]);
    await rename(host, 'Garden/Pool.md', 'Garden/Lake.md');
    await host.page.evaluate(() => window.__host.host.app.vault.create('Other.md', ''));
    await rename(host, 'Other.md', 'Another.md');
    await rename(host, 'Garden/Lake.md', 'Garden/Sea.md');
    await expect.poll(async () => (await moves(host)).length).toBe(3);
    expect(JSON.stringify(await moves(host))).not.toContain('Other');
  });
});

testInFull('a renamed folder is one move, however many notes it contains', async () => {
  const host = await openVault();
  await rename(host, 'Garden', 'Allotment');
  await expect.poll(() => moves(host)).toEqual([['Garden', 'Allotment']]);
  await host.runCommand('Savepoint: Open memory');
  await row(host, 'Garden').click();
  await host.page.getByText('Allotment').first().waitFor();
});

describe('renamed by another program', () => {
  /** Returns the vault's files after the folder or file was renamed on the disk. */
  async function filesAfter(from: string, to: string): Promise<FileSet> {
    const files = Object.entries({ ...notes, ...(await filled()) });
    return Object.fromEntries(
      files.map(([path, file]) => [
        path.startsWith(from) ? to + path.slice(from.length) : path,
        file,
      ]),
    );
  }

  test('a note keeps its memory, in the note pane, in states and links', async () => {
    const host = await open({ files: await filesAfter('Garden/Beds.md', 'Plans/Raised beds.md') });
    const { page } = host;
    await expect.poll(() => moves(host)).toEqual([['Garden/Beds.md', 'Plans/Raised beds.md']]);
    await page.evaluate(() => window.__host.host.app.workspace.openLinkText('Raised beds', ''));
    await host.runCommand('Savepoint: Open memory of this note');
    for (const title of ['Beds drawn', 'Sow the beans', 'Garden']) await row(host, title).waitFor();
    await row(host, 'Beds drawn').click();
    await page.locator('.savepoint-view a', { hasText: 'Raised beds' }).first().waitFor();
    await expect.poll(() => page.getByText(/files? (is|are) unchanged/u).count()).toBe(1);
    expect(await page.getByText('missing').count()).toBe(0);
  });

  testInFull('a changed note gets its memory back with its old name', async () => {
    const changed = {
      ...(await filesAfter('Garden/Beds.md', 'Garden/Raised beds.md')),
      'Garden/Raised beds.md': '# Beds\n\nFour of them.',
    };
    const host = await open({ files: changed });
    const { page } = host;
    await page.evaluate(() => window.__host.host.app.workspace.openLinkText('Raised beds', ''));
    await host.runCommand('Savepoint: Open memory of this note');
    await page.getByText('give it its old name in Obsidian').waitFor();
    expect(await moves(host)).toEqual([]);
    await rename(host, 'Garden/Raised beds.md', 'Garden/Beds.md');
    await row(host, 'Beds drawn').waitFor();
    await rename(host, 'Garden/Beds.md', 'Garden/Raised beds.md');
    await expect.poll(() => moves(host)).toEqual([['Garden/Beds.md', 'Garden/Raised beds.md']]);
    for (const title of ['Beds drawn', 'Sow the beans', 'Garden']) await row(host, title).waitFor();
  });

  testInFull('a note is found again while the app is open', async () => {
    const host = await open({ files: await filesAfter('Garden/Beds.md', 'Raised beds.md') });
    const first = ['Garden/Beds.md', 'Raised beds.md'];
    await expect.poll(() => moves(host)).toEqual([first]);
    await host.page.evaluate(async () => {
      const { vault } = window.__host.host.app;
      const file = vault.getFileByPath('Raised beds.md')!;
      await vault.create('Plans.md', await vault.read(file));
      await vault.delete(file);
    });
    await expect.poll(() => moves(host)).toEqual([first, ['Raised beds.md', 'Plans.md']]);
  });

  testInFull('a folder keeps its workspace, on a phone too', async () => {
    const host = await open({ files: await filesAfter('Garden', 'Allotment'), isMobile: true });
    await expect.poll(() => moves(host)).toEqual([['Garden', 'Allotment']]);
    await host.runCommand('Savepoint: Open memory');
    await row(host, 'Garden').click();
    const details = host.page.locator('.savepoint-details');
    await details.locator('summary').click();
    await details.getByText('Allotment', { exact: true }).waitFor();
    await details.getByText('Allotment/Beds.md', { exact: true }).waitFor();
  });
});

testInFull('the path of a note in an excluded folder is never written', async () => {
  const host = await openVault({ excludedFolders: ['Private'] });
  await rename(host, 'Garden/Beds.md', 'Private/Diary.md');
  await expect.poll(() => moves(host)).toEqual([['Garden/Beds.md', undefined]]);
  await rename(host, 'Private/Diary.md', 'Garden/Found.md');
  await rename(host, 'Garden/Pond.md', 'Garden/Pool.md');
  await expect.poll(async () => (await moves(host)).length).toBe(2);
  expect(JSON.stringify(await moves(host))).not.toMatch(/Diary|Private|Found/);
});

testInFull('links that the app updates in notes of states are no edits', async () => {
  const host = await openVault();
  await openSettings(host);
  const switchOf = setting(host.page, 'Write each state as a note').locator(
    'input, [role="switch"]',
  );
  await press(host.page, switchOf.first(), 'Space');
  const note = 'Savepoint/notes/Garden/Beds drawn.md';
  const text = async () => textIn(await host.snapshot(), note) ?? '';
  await expect.poll(text).toContain('[[Garden/Beds.md]]');
  await rename(host, 'Garden/Beds.md', 'Garden/Raised beds.md');
  await expect.poll(text).toContain('[[Garden/Raised beds.md]]');
  expect(Object.keys(await host.snapshot()).filter((path) => path.includes('edited'))).toEqual([]);
});
