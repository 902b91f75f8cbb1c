// Tier full: further cases of the note mirror, which tests/transfer covers without the app
import { describe, expect, test } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';
import { open } from '../shared-browser.js';
import { openSettings, press, row, savedSettings, textIn, vaultAfter } from './settings-window.js';

const FOLDER = 'Savepoint/notes';
const PLAN = `${FOLDER}/Garden/Plan.md`;

const filled = () =>
  vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    await vault.data('createState', {
      ...stateNamed('Plan'),
      activeFiles: ['Garden/Beds.md'],
      tags: ['spring'],
    });
    await vault.data('createState', stateNamed('a/b'));
    await vault.data('createState', stateNamed('a?b'));
  });

const notesIn = (files: FileSet) =>
  Object.keys(files)
    .filter((path) => path.startsWith(`${FOLDER}/`) && path.endsWith('.md'))
    .sort();

const switchOf = ({ page }: ChromiumHost) =>
  row(page, 'Write each state as a note').locator('input, [role="switch"]').first();

/** Turns the mirror on in the open settings, and waits until every note is written. */
async function turnOn(host: ChromiumHost, notes = 3): Promise<void> {
  await press(host.page, switchOf(host), 'Space');
  await upToDate(host, notes);
}

async function upToDate({ page }: ChromiumHost, notes: number): Promise<void> {
  await row(page, 'Notes of states')
    .getByText(`${notes} notes are up to date in "${FOLDER}".`)
    .waitFor();
}

const edit = ({ page }: ChromiumHost, path: string, text: string) =>
  page.evaluate(([file, content]) => window.__host.host.app.vault.adapter.write(file, content), [
    path,
    text,
  ] as const);

describe('the mirror', () => {
  test('is off by default, and then writes a note with links for each state', async () => {
    const host = await open({ files: { ...(await filled()), 'Garden/Beds.md': '# Beds' } });
    const { page } = host;
    await openSettings(host);
    await row(page, 'Write each state as a note').waitFor();
    expect(await row(page, 'Notes of states').isVisible()).toBe(false);
    expect(notesIn(await host.snapshot())).toEqual([]);
    await turnOn(host);
    const files = await host.snapshot();
    expect(notesIn(files)).toEqual(
      [PLAN, `${FOLDER}/Garden/a-b (2).md`, `${FOLDER}/Garden/a-b.md`].sort(),
    );
    expect(textIn(files, PLAN)).toContain('- [[Garden/Beds.md]]');
    expect(await savedSettings(host)).toBeUndefined(); // the switch is stored on the device
    const seen = () =>
      page.evaluate((path) => {
        const { metadataCache } = window.__host.host.app;
        return {
          links: Object.keys(metadataCache.resolvedLinks[path] ?? {}),
          properties: metadataCache.getCache(path)?.frontmatter,
        };
      }, PLAN);
    await expect.poll(seen).toMatchObject({
      links: ['Garden/Beds.md'],
      properties: { name: 'Plan', workspace: 'Garden', archived: false, tags: ['spring'] },
    });
  });

  test('restores deleted notes, but never touches the user’s own', async () => {
    const mine = '# Mine\n';
    const host = await open({
      files: { ...(await filled()), [PLAN]: mine, [`${FOLDER}/Garden/My thoughts.md`]: mine },
    });
    const { page } = host;
    await openSettings(host);
    await turnOn(host);
    await row(page, 'Notes of states')
      .getByText('Kept 1 note of yours with the same name.')
      .waitFor();
    const files = await host.snapshot();
    const second = `${FOLDER}/Garden/Plan (2).md`;
    expect(textIn(files, PLAN)).toBe(mine);
    expect(textIn(files, `${FOLDER}/Garden/My thoughts.md`)).toBe(mine);
    const written = textIn(files, second)!;
    expect(written).toContain('# Plan');

    await page.evaluate(async (path) => {
      const { vault, fileManager } = window.__host.host.app;
      await fileManager.trashFile(vault.getFileByPath(path)!);
    }, second);
    await expect.poll(async () => textIn(await host.snapshot(), second)).toBe(written);

    const kept = written.replace(/^savepoint: .*\n/m, '');
    // Without its marker, the note belongs to the user.
    await edit(host, second, kept);
    await expect
      .poll(async () => textIn(await host.snapshot(), `${FOLDER}/Garden/Plan (3).md`))
      .toBe(written);
    expect(textIn(await host.snapshot(), second)).toBe(kept);
  });

  test('keeps an edited note as a copy, and its properties and tags in place', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    await turnOn(host);
    await page.keyboard.press('Escape');
    const written = textIn(await host.snapshot(), PLAN)!;
    const edited = `${written}\nA thought of mine.\n`;
    const copy = `${FOLDER}/Garden/Plan (edited).md`;
    await edit(host, PLAN, edited);
    const notice = page.locator('.notice', {
      hasText: 'Savepoint writes the note "Plan". Your edited version is now "Plan (edited)".',
    });
    await notice.waitFor();
    await expect.poll(async () => textIn(await host.snapshot(), PLAN)).toBe(written);
    expect(textIn(await host.snapshot(), copy)).toBe(edited);

    await notice.getByRole('button', { name: 'Undo' }).click();
    const second = `${FOLDER}/Garden/Plan (2).md`;
    await expect.poll(async () => textIn(await host.snapshot(), second)).toBe(written);
    const files = await host.snapshot();
    expect(textIn(files, PLAN)).toContain('A thought of mine.');
    expect(textIn(files, PLAN)).not.toMatch(/^savepoint:/m);
    expect(notesIn(files)).not.toContain(copy);

    await page.evaluate(async (path) => {
      const { vault, fileManager } = window.__host.host.app;
      await fileManager.processFrontMatter(vault.getFileByPath(path)!, (properties) => {
        properties['rating'] = 5;
        (properties['tags'] as string[]).push('mine');
      });
    }, second);
    await host.runCommand('Savepoint: Archive state');
    await page.locator('.prompt-input').fill('Plan');
    await page.locator('.suggestion-item', { hasText: 'Plan' }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => textIn(await host.snapshot(), second))
      .toMatch(/\narchived: true\ntags:\n {2}- "spring"\n {2}- "mine"\n[^]*\nrating: 5\n/);
  });

  test('marks an archived state, and rewrites no other note', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    await turnOn(host);
    const before = await host.snapshot();
    await page.keyboard.press('Escape');
    await host.runCommand('Savepoint: Archive state');
    await page.locator('.prompt-input').fill('Plan');
    await page.locator('.suggestion-item', { hasText: 'Plan' }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => textIn(await host.snapshot(), PLAN)).toContain('archived: true');
    const after = await host.snapshot();
    expect(notesIn(after)).toEqual(notesIn(before));
    for (const path of notesIn(before).filter((each) => each !== PLAN))
      expect(after[path]).toEqual(before[path]); // including the modification time
  });

  test('rewrites nothing after a restart, and can remove its unedited notes', async () => {
    const first = await open({ files: await filled(), isRestarted: true });
    await openSettings(first);
    await turnOn(first);
    const before = await first.snapshot();
    const host = await first.restart();
    try {
      await openSettings(host);
      await upToDate(host, 3);
      const after = await host.snapshot();
      for (const path of notesIn(before)) expect(after[path]).toEqual(before[path]);
      await press(host.page, switchOf(host), 'Space');
      await expect.poll(() => row(host.page, 'Notes of states').isVisible()).toBe(false);
      await edit(host, PLAN, 'edited');
      await press(host.page, row(host.page, 'Remove notes').getByRole('button'));
      await press(host.page, host.page.getByRole('button', { name: 'Remove notes' }).last());
      await host.page.locator('.notice', { hasText: 'Removed 2 notes.' }).waitFor();
      expect(notesIn(await host.snapshot())).toEqual([PLAN]);
      expect(textIn(await host.snapshot(), PLAN)).toBe('edited');
    } finally {
      await host.close();
    }
  });

  test('moves the notes of a renamed workspace, and keeps unknown ones', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    await turnOn(host);
    const stranger = textIn(await host.snapshot(), PLAN)!.replace(
      /^savepoint: "\S+/m,
      'savepoint: "aaaaaaaaaaaaaaaa',
    );
    await page.evaluate(
      (folder) => window.__host.host.app.vault.createFolder(folder),
      `${FOLDER}/Lost`,
    );
    await edit(host, `${FOLDER}/Lost/State.md`, stranger);
    const renamed = await vaultAfter(async (vault) => {
      await vault.data('createWorkspace', garden);
      await vault.data('createState', {
        ...stateNamed('Plan'),
        activeFiles: ['Garden/Beds.md'],
        tags: ['spring'],
      });
      await vault.data('createState', stateNamed('a/b'));
      await vault.data('createState', stateNamed('a?b'));
      await vault.data('updateWorkspace', { name: 'Garden', newName: 'Orchard' });
    });
    for (const [path, file] of Object.entries(renamed))
      if (path.includes('/core/')) await edit(host, path, file as string);
    await page.keyboard.press('Escape');
    await host.runCommand('Savepoint: Search memory');
    await page.keyboard.type('plan');
    await expect
      .poll(async () => notesIn(await host.snapshot()))
      .toEqual(
        [
          `${FOLDER}/Lost/State.md`,
          `${FOLDER}/Orchard/Plan.md`,
          `${FOLDER}/Orchard/a-b (2).md`,
          `${FOLDER}/Orchard/a-b.md`,
        ].sort(),
      );
    expect(Object.keys(await host.snapshot())).not.toContain(`${FOLDER}/Garden/`);
  });

  test('reports a failed write, and succeeds once the disk works', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    await page.evaluate((path) => window.__host.medium.faults.broken.add(path), FOLDER);
    await press(page, switchOf(host), 'Space');
    await row(page, 'Notes of states')
      .getByText(`Some notes in "${FOLDER}" could not be written`)
      .waitFor();
    await page.evaluate(() => window.__host.medium.faults.broken.clear());
    await press(page, switchOf(host), 'Space');
    await turnOn(host);
    host.pageErrors.splice(0); // the disk error was also logged to the console
  });

  test('moves with the data folder', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    await turnOn(host);
    await press(page, row(page, 'Data folder').getByRole('button', { name: 'Move…' }));
    await page.getByLabel('New folder').fill('Memory');
    await page.getByText('"Memory" is available.').waitFor();
    await press(page, page.getByRole('button', { name: 'Move memory' }));
    await row(page, 'Notes of states')
      .getByText('3 notes are up to date in "Memory/notes".')
      .waitFor();
    const after = Object.keys(await host.snapshot());
    expect(after).toContain('Memory/notes/Garden/Plan.md');
    expect(after.filter((path) => path.startsWith('Savepoint/'))).toEqual([]);
  });
});
