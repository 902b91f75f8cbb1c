import { describe, expect, test } from 'vitest';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import type { Store } from '../../../src/obsidian/store.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { AXE_DEVICES, expectNoViolations } from '../axe.js';
import { open as openShared, type OpenOptions } from '../shared-browser.js';
import type { FileSet } from '../obsidian/index.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('further cases of note search'));

const note = (text: string) => ({ text, mtime: START_TIME });
const NOTES: FileSet = {
  'Plan.md': note('A plan for the year.'),
  'Garden/Tomatoes.md': note(
    '# Watering\n\nFirst line.\n\nWater the tomatoes every second morning.\n',
  ),
  'House/Car.md': note('# Costs\nThe automobile needs new tyres before winter.\n'),
  'Diary/Secret.md': note('Tomatoes that nobody may know of.'),
};

async function open(options: OpenOptions = {}) {
  const host = await openShared({ files: NOTES, ...options });
  const { page } = host;
  return {
    ...host,
    page,
    run: (name: string) => host.runCommand(`Savepoint: ${name}`),
    titles: () => page.locator('.prompt .suggestion-title').allTextContents(),
    status: () => page.locator('.status-bar').textContent(),
    opened: () => page.evaluate(() => window.__host.host.app.workspace.getActiveFile()?.path),
  };
}

describe('Search notes', () => {
  test.each(AXE_DEVICES.map(([, isMobile]) => isMobile))(
    'finds notes by keyword and meaning while typing (mobile: %s)',
    async (isMobile) => {
      const { run, titles, page, opened, pageErrors, press } = await open({ isMobile });
      await run('Search notes');
      await page.keyboard.type('tomat', { delay: 20 });
      await expect.poll(async () => (await titles())[0]).toMatch(/^(Tomatoes › Watering|Secret)$/);
      await page.keyboard.type('oes water', { delay: 20 });
      await expect.poll(async () => (await titles())[0]).toBe('Tomatoes › Watering');
      const row = page.locator('.prompt .suggestion-item').first();
      expect(await row.locator('.suggestion-highlight').allTextContents()).toContain('tomatoes');
      expect(await row.locator('.suggestion-aux').textContent()).toBe('Garden');
      await expectNoViolations(page);
      await press('Enter');
      await expect.poll(opened).toBe('Garden/Tomatoes.md');

      await run('Search notes');
      await page.keyboard.type('vehicle expenses');
      await expect.poll(async () => (await titles())[0]).toBe('Car › Costs');
      await press('Control+Enter');
      await expect.poll(opened).toBe('House/Car.md');
      expect(
        await page.evaluate(
          () => window.__host.host.app.workspace.getLeavesOfType('markdown').length,
        ),
      ).toBe(2);
      expect(pageErrors).toEqual([]);
    },
  );

  testInFull('groups versions of a note, and counts the others', async () => {
    const text = Array.from({ length: 60 }, (_, at) => `branch${at}`).join(' ');
    const versions = Object.fromEntries(
      ['Draft', 'Final', 'Old'].map((folder) => [`${folder}/Pruning.md`, note(text)]),
    );
    const { run, titles, page } = await open({ files: { ...NOTES, ...versions } });
    await run('Search notes');
    await page.keyboard.type('branch0 branch7');
    await expect.poll(titles).toEqual(['Pruning']);
    const aux = page.locator('.prompt .suggestion-item .suggestion-aux');
    expect(await aux.locator('span').allTextContents()).toEqual(['Draft', 'also in 2 other notes']);
    await expectNoViolations(page);
  });

  testInFull('follows created and moved notes, and omits excluded folders', async () => {
    const { run, titles, page, press } = await open();
    const look = async (query: string) => {
      await run('Search notes');
      await page.keyboard.type(query);
    };
    await look('pumpkin');
    await expect
      .poll(() => page.locator('.suggestion-empty').textContent())
      .toBe('No notes match "pumpkin".');
    await press('Escape');
    await page.evaluate(async () => {
      const { vault } = window.__host.host.app;
      await vault.create('Garden/New.md', 'One pumpkin.');
    });
    await look('pumpkin');
    await expect.poll(titles).toEqual(['New']);
    const named = () =>
      page.evaluate(async () => {
        const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
          sessions: { savepoint: Store<Savepoint | undefined> };
        };
        const answer = await plugin.sessions.savepoint
          .get()!
          .call('searchDirectory', { query: 'new' });
        return answer.data;
      });
    expect(await named()).toEqual([{ path: 'Garden/New.md' }]);
    await press('Escape');
    await page.evaluate(async () => {
      const { vault } = window.__host.host.app;
      await vault.rename(vault.getAbstractFileByPath('Garden')!, 'Allotment');
    });
    await look('pumpkin');
    await expect
      .poll(() => page.locator('.prompt .suggestion-aux').allTextContents())
      .toEqual(['Allotment']);
    await press('Escape');
    await page.evaluate(async () => {
      const plugin = window.__host.host.app.plugins.plugins['savepoint']!;
      await plugin.saveData({ excludedFolders: ['Diary'] });
      await plugin.onExternalSettingsChange?.();
    });
    await look('nobody may know');
    await expect.poll(titles).not.toContain('Secret');
    await press('Escape');
  });

  testInFull('shows new matches after the query was typed', async () => {
    const { run, titles, page } = await open();
    await run('Search notes');
    await page.keyboard.type('pumpkin');
    const empty = page.locator('.suggestion-empty');
    await expect.poll(() => empty.textContent()).toBe('No notes match "pumpkin".');
    const asked = await page.evaluateHandle(() => {
      const count = { of: 0 };
      document.querySelector('.prompt-input')?.addEventListener('input', () => count.of++);
      return count;
    });
    const timesAsked = () => asked.evaluate((count) => count.of);
    const askedInASecond = async () => {
      const before = await timesAsked();
      await page.waitForTimeout(1000);
      return (await timesAsked()) - before;
    };
    // It does not search repeatedly while nothing changes.
    await expect.poll(askedInASecond, { timeout: 60_000 }).toBe(0);
    const before = await timesAsked();
    await page.evaluate(() => window.__host.host.app.vault.create('Garden/New.md', 'One pumpkin.'));
    await expect.poll(titles).toEqual(['New']);
    expect(await timesAsked()).toBeGreaterThan(before);
  });

  testInFull('stores its index in IndexedDB', async () => {
    const { page } = await open();
    await expect
      .poll(() =>
        page.evaluate(async () => {
          const [database] = await indexedDB.databases();
          if (!database) return [];
          const opened = await new Promise<IDBDatabase>((resolve) => {
            const request = indexedDB.open(database.name!);
            request.onsuccess = () => resolve(request.result);
          });
          const keys = await new Promise<IDBValidKey[]>((resolve) => {
            const request = opened.transaction('blobs').objectStore('blobs').getAllKeys();
            request.onsuccess = () => resolve(request.result);
          });
          opened.close();
          return keys.map(String);
        }),
      )
      .toEqual(
        expect.arrayContaining(['notes-contents', expect.stringMatching(/^notes-segment-/)]),
      );
  });
});
