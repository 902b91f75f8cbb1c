import { describe, expect, test } from 'vitest';
import { OPTIONAL_TOOLSETS } from '../../../src/agents/index.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { AXE_DEVICES, AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';
import { open } from '../shared-browser.js';
import {
  closeSuggestions,
  expectSaved,
  openSettings,
  press,
  row,
  savedSettings,
  tabTo,
  textIn,
  vaultAfter,
} from './settings-window.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('further cases of the settings'));

const HOSTILE = '<img src=x onerror=alert(1)>';

const filled = () =>
  vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    await vault.data('createWorkspace', { ...garden, name: HOSTILE });
    await vault.data('createState', stateNamed('Plan'));
    await vault.data('createState', stateNamed('Second plan'));
  });

/** Returns the memory of another vault, in a folder. */
async function anotherMemory(folder: string): Promise<FileSet> {
  const files = await vaultAfter(
    (vault) => vault.data('createWorkspace', { ...garden, name: 'Elsewhere' }),
    2,
  );
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => [path.replace(/^Savepoint\//, `${folder}/`), file]),
  );
}

const logFiles = (files: FileSet, folder: string) =>
  Object.keys(files).filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.jsonl'));

describe('general settings', () => {
  test('can be changed by keyboard, and are saved', async () => {
    const host = await open({
      files: {
        ...(await filled()),
        'Private/Diary.md': 'x',
        'Private/Old/Diary.md': 'y',
        'Garden/x.md': '',
        'Work/Plan.md': 'z',
      },
    });
    const { page } = host;
    await openSettings(host);

    const dropdown = row(page, 'Default workspace').getByRole('combobox');
    await expect
      .poll(() => dropdown.locator('option').allTextContents())
      .toEqual([HOSTILE, 'Default', 'Garden']);
    await tabTo(page, dropdown);
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(
        async () =>
          ((await savedSettings(host)) as { defaultWorkspace?: string } | undefined)
            ?.defaultWorkspace,
      )
      .not.toBe('default');
    expect(
      await dropdown.evaluate(
        (select: HTMLSelectElement) => select.selectedOptions[0]?.textContent,
      ),
    ).toBe('Garden');

    await tabTo(page, row(page, 'Keep tool calls for').locator('input'));
    await page.keyboard.type('30');
    // The incomplete number 3 was not saved.
    expect(await savedSettings(host)).toMatchObject({ traceDays: 90 });
    await page.keyboard.press('Tab');
    await expectSaved(host, { traceDays: 30 });
    await page.keyboard.type('200');
    await page.keyboard.press('Enter');
    await expectSaved(host, { traceDays: 30, traceMegabytes: 200 });

    await press(page, page.getByRole('button', { name: 'Exclude a folder' }));
    await page.keyboard.type('priv');
    await page.keyboard.press('Enter');
    await expectSaved(host, { excludedFolders: ['Private'] });
    await row(page, 'Private').getByText('2 notes').waitFor();
    await press(page, page.getByRole('button', { name: 'Exclude a folder' }));
    expect(await page.locator('.prompt-results .suggestion-item').allTextContents()).toEqual([
      'Garden',
      'Work',
    ]); // neither the excluded folder nor the data folder
    await page.keyboard.press('Escape');
    await press(page, row(page, 'Private').getByRole('button', { name: 'Delete' }));
    await expectSaved(host, { excludedFolders: [] });
    await page.getByText('No excluded folders.').waitFor();
  });

  testInFull('take an existing folder for prompts, by keyboard', async () => {
    const host = await open({ files: { ...(await filled()), 'Garden/Beds.md': '' } });
    const { page } = host;
    await openSettings(host);
    const setting = row(page, 'Prompt folder');
    await tabTo(page, setting.locator('input'));
    await page.keyboard.type('Nowhere');
    await page.keyboard.press('Tab');
    await setting.getByText('There is no such folder in this vault.').waitFor();
    await tabTo(page, setting.locator('input'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('gard');
    await page.locator('.suggestion-container .suggestion-item').first().waitFor();
    await page.keyboard.press('Enter');
    await expectSaved(host, { promptFolder: 'Garden' });
    expect(await setting.locator('input').inputValue()).toBe('Garden');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Tab');
    await expectSaved(host, { promptFolder: '' });
  });

  testInFull('take a name for the device without invisible characters', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    const field = row(page, 'Device name').locator('input');
    expect(await field.getAttribute('placeholder')).toMatch(/^[a-z]+-[a-z0-9]{4}$/);
    await field.fill('x'.repeat(41));
    await page.keyboard.press('Tab');
    await row(page, 'Device name').getByText('Use at most 40 characters.').waitFor();
    await field.fill(' Ana’s\u202E laptop ');
    await page.keyboard.press('Tab');
    await expect.poll(() => field.inputValue()).toBe('Ana’s laptop');
    expect(await field.getAttribute('aria-invalid')).toBe('false');
    const stored = () =>
      page.evaluate(() => window.__host.host.app.loadLocalStorage('savepoint-device'));
    await expect.poll(stored).toMatchObject({ customName: 'Ana’s laptop' });
    await field.fill('');
    await page.keyboard.press('Tab');
    await expect.poll(stored).not.toHaveProperty('customName');
  });

  testInFull(
    'in a second window follow what is synced, and keep the field that is edited',
    async () => {
      const settingsFile = '.obsidian/plugins/savepoint/data.json';
      const files = { ...(await filled()), 'Garden/x.md': '', [settingsFile]: '{}' };
      const host = await open({ files });
      const opened = host.page.context().waitForEvent('page');
      await host.page.evaluate(() => {
        window.__host.host.app.workspace.openPopoutLeaf();
      });
      const page = await opened;
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await host.page.evaluate(() => {
        const { setting } = window.__host.host.app;
        setting.open();
        setting.openTabById('savepoint');
      });
      const field = row(page, 'Keep tool calls for').locator('input');
      await field.fill('3');
      await host.page.evaluate(
        (path) =>
          window.__host.host.app.vault.adapter.write(
            path,
            JSON.stringify({ traceDays: 12, traceMegabytes: 77, excludedFolders: ['Garden'] }),
          ),
        settingsFile,
      );
      await row(page, 'Garden').waitFor();
      expect(await row(page, 'Keep tool calls up to').locator('input').inputValue()).toBe('77');
      expect(await field.inputValue()).toBe('3');
      expect(await field.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
      await page.keyboard.press('Tab');
      await expectSaved(host, { traceDays: 3, traceMegabytes: 77 });
    },
  );

  testInFull('turn each extra toolset off and on by keyboard', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    await press(page, row(page, 'Advanced'));
    for (const [name, { description }] of Object.entries(OPTIONAL_TOOLSETS)) {
      const dropdown = row(page, description).getByRole('combobox', { name: description });
      await dropdown.waitFor();
      expect(await dropdown.locator('option').allTextContents()).toEqual([
        'Automatic',
        'Always',
        'Never',
      ]);
      await tabTo(page, dropdown);
      await page.keyboard.press('End');
      await expectSaved(host, { toolsetSwitches: { [name]: false } });
    }
    const [[name, { description }] = ['', { description: '' }]] = Object.entries(OPTIONAL_TOOLSETS);
    await tabTo(page, row(page, description).getByRole('combobox'));
    await page.keyboard.press('ArrowUp');
    await expectSaved(host, { toolsetSwitches: { [name]: true } });
    await page.keyboard.press('Home');
    await expect
      .poll(async () =>
        Object.keys(((await savedSettings(host)) as { toolsetSwitches: object }).toolsetSwitches),
      )
      .toEqual(Object.keys(OPTIONAL_TOOLSETS).slice(1));
  });

  testInFull('reject an invalid number with a message, and keep the old one', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    const field = row(page, 'Keep tool calls for').locator('input');
    for (const wrong of ['0', '4000', '1.5', '']) {
      await field.fill(wrong);
      await page.keyboard.press('Tab');
      await row(page, 'Keep tool calls for')
        .getByText('Enter a whole number from 1 to 3,650.')
        .waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    }
    expect(await savedSettings(host)).toBeUndefined();
    await field.fill('7');
    await page.keyboard.press('Tab');
    await expectSaved(host, { traceDays: 7 });
    expect(await field.getAttribute('aria-invalid')).toBe('false');
  });
});

test('settings have headings, units and visible buttons', async () => {
  const host = await open({});
  const { page } = host;
  await openSettings(host);
  const headings = page.locator('.setting-item-heading .setting-item-name');
  expect(await headings.first().innerText()).toBe('Chat and apps');
  expect(await row(page, 'Keep tool calls for').locator('.setting-item-control').innerText()).toBe(
    'days',
  );
  const control = row(page, 'Keep tool calls up to').locator('.setting-item-control');
  expect(await control.innerText()).toBe('MB');
  await row(page, 'Remove notes').getByRole('button', { name: 'Remove…' }).click();
  await page.locator('.modal', { hasText: 'Remove notes' }).last().waitFor();
  await host.press('Escape');
});

describe('the data folder', () => {
  testInFull('is rejected with a reason if the path is invalid', async () => {
    const host = await open({ files: { ...(await filled()), 'note.md': '' } });
    const { page } = host;
    await openSettings(host);
    await press(page, row(page, 'Data folder').getByRole('button', { name: 'Move…' }));
    const field = page.getByLabel('New folder');
    const move = page.getByRole('button', { name: 'Move memory' });
    for (const [typed, problem] of [
      ['.hidden/x', 'is hidden'],
      ['.obsidian/x', "contains Obsidian's settings"],
      ['../x', 'leads outside the vault'],
      ['/', 'not the vault itself'],
      ['savepoint', '"Savepoint" already is the memory folder'],
      ['Savepoint/core', 'is inside the current data folder'],
      ['note.md/x', 'is a file or inside one'],
    ] as const) {
      await field.fill(typed);
      await row(page, 'New folder').getByText(problem).waitFor();
      expect(await move.isDisabled()).toBe(true);
    }
  });

  testInFull('moves with its contents, and later writes go there', async () => {
    const files = await filled();
    const host = await open({ files });
    const { page } = host;
    await openSettings(host);
    await press(page, row(page, 'Data folder').getByRole('button', { name: 'Move…' }));
    await tabTo(page, page.getByLabel('New folder'));
    await page.keyboard.type('Archive/Memory');
    await page.getByText('"Archive/Memory" is available.').waitFor();
    await press(page, page.getByRole('button', { name: 'Move memory' }));
    await row(page, 'Data folder').getByText('Archive/Memory').waitFor();
    await expectSaved(host, { dataFolder: 'Archive/Memory' });
    const moved = await host.snapshot();
    expect(logFiles(moved, 'Savepoint')).toEqual([]);
    for (const path of logFiles(files, 'Savepoint'))
      expect(textIn(moved, path.replace('Savepoint/', 'Archive/Memory/'))).toBe(
        textIn(files, path),
      );

    await expect.poll(() => row(page, 'Default workspace').locator('option').count()).toBe(3);
    await page.keyboard.press('Escape');
    await host.runCommand('Savepoint: Archive state');
    await page.locator('.suggestion-item').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.notice', { hasText: 'Archived state' }).waitFor();
    const after = await host.snapshot();
    expect(logFiles(after, 'Savepoint')).toEqual([]);
    expect(logFiles(after, 'Archive/Memory').length).toBeGreaterThan(
      logFiles(files, 'Savepoint').length,
    );
  });

  testInFull('can be switched to an existing memory without moving anything', async () => {
    const files = await filled();
    const host = await open({ files: { ...files, ...(await anotherMemory('Old')) } });
    const { page } = host;
    await openSettings(host);
    await press(page, row(page, 'Data folder').getByRole('button', { name: 'Move…' }));
    await page.getByLabel('New folder').fill('Old');
    await page.getByText('"Old" already contains a memory').waitFor();
    expect(await page.getByRole('button', { name: 'Move memory' }).isDisabled()).toBe(true);
    await closeSuggestions(page);
    await press(page, page.getByRole('button', { name: 'Use this folder as it is' }));
    await expectSaved(host, { dataFolder: 'Old' });
    await expect
      .poll(() => row(page, 'Default workspace').locator('option').allTextContents())
      .toEqual(['Default', 'Elsewhere']);
    const after = await host.snapshot();
    for (const path of logFiles(files, 'Savepoint'))
      expect(textIn(after, path)).toBe(textIn(files, path));
  });

  testInFull('stays in use if it cannot be moved', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openSettings(host);
    await press(page, row(page, 'Data folder').getByRole('button', { name: 'Move…' }));
    await page.getByLabel('New folder').fill('Memory');
    await page.getByText('"Memory" is available.').waitFor();
    await page.evaluate(() => window.__host.medium.faults.broken.add('Memory'));
    await press(page, page.getByRole('button', { name: 'Move memory' }));
    await page.locator('.notice', { hasText: 'Could not move the memory to "Memory"' }).waitFor();
    await row(page, 'Data folder').getByText('Savepoint', { exact: true }).waitFor();
    await expect.poll(() => row(page, 'Default workspace').locator('option').count()).toBe(3);
    expect(await savedSettings(host)).toBeUndefined();
  });
});

async function openStorage(host: ChromiumHost): Promise<void> {
  await openSettings(host);
  await press(host.page, row(host.page, 'Storage'));
  await row(host.page, 'Verify').waitFor();
}

/** Returns the files of the vault without the app's own, which it writes at times of its choice. */
async function notesAndMemory(host: ChromiumHost): Promise<Record<string, unknown>> {
  const files = Object.entries(await host.snapshot());
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('.obsidian/')));
}

describe('storage', () => {
  testInFull('shows sizes, and the devices that have written', async () => {
    const host = await open({ files: await filled(), now: START_TIME + 3_600_000 });
    const { page } = host;
    await openStorage(host);
    await expect
      .poll(() => row(page, 'Size').locator('dl').innerText())
      .toMatch(
        /Workspaces and states\s+\d+(\.\d)? KB · 1 file\s+Conversations\s+nothing yet\s+Tool calls\s+\S+ KB · 1 file/,
      );
    const table = row(page, 'Devices').locator('tbody');
    await expect
      .poll(() => table.locator('td').allTextContents())
      .toEqual(['device-1', '4', '1 hour ago']);
    await row(page, 'Obsidian Sync').getByText('Nothing to do on this device').waitFor();
  });

  testInFull('reports that nothing is saved yet', async () => {
    const host = await open({ files: { 'note.md': '' } });
    const { page } = host;
    await openStorage(host);
    await row(page, 'Devices').getByText('Nothing saved yet.').waitFor();
    await press(page, row(page, 'Verify').getByRole('button'));
    await row(page, 'Verify').getByText('Nothing is saved yet').waitFor();
    await press(page, row(page, 'Export').getByRole('button'));
    await press(page, page.getByRole('button', { name: 'Export', exact: true }));
    await page.getByText('Nothing to export yet.').waitFor();
  });

  testInFull('closes its dialogs when the plugin is unloaded', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openStorage(host);
    await press(page, row(page, 'Export').getByRole('button'));
    const exporting = page.getByRole('button', { name: 'Export', exact: true });
    await exporting.waitFor();
    await page.evaluate(() => window.__host.host.unloadPlugin());
    await exporting.waitFor({ state: 'detached' });
  });

  testInFull('rebuilds the cache, and shows how long it took', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openStorage(host);
    for (let times = 0; times < 2; times++) {
      await press(page, row(page, 'Rebuild cache').getByRole('button'));
      await row(page, 'Rebuild cache')
        .getByText(/Cache rebuilt in \d+\.\d s\.$/)
        .waitFor();
    }
  });

  testInFull('verifies the memory, and shows findings with fixes', async () => {
    const host = await open({ files: await filled() });
    const { page } = host;
    await openStorage(host);
    await press(page, row(page, 'Verify').getByRole('button'));
    await row(page, 'Verify')
      .getByText('Nothing is missing, and every state is unchanged.')
      .waitFor();

    const [path] = logFiles(await host.snapshot(), 'Savepoint').filter((each) =>
      each.includes('/core/'),
    );
    await page.evaluate(async (file) => {
      const { vault } = window.__host.host.app;
      await vault.adapter.write(
        file,
        (await vault.adapter.read(file)).replace('"name":"Plan"', '"name":"Plot"'),
      );
    }, path!);
    await press(page, row(page, 'Verify').getByRole('button'));
    await row(page, 'Verify').getByText('Some data is missing or damaged').waitFor();
    await row(page, 'Verify')
      .getByText(/What to do: Restore the file from another device/)
      .waitFor();
    await row(page, 'Verify').getByText(path!).first().waitFor();
  });

  testInFull('exports into a new folder, and never overwrites', async () => {
    const host = await open({ files: { ...(await filled()), 'Full/note.md': 'mine' } });
    const { page } = host;
    await openStorage(host);
    await press(page, row(page, 'Export').getByRole('button'));
    const folder = page.getByLabel('Folder');
    const button = page.getByRole('button', { name: 'Export', exact: true });
    for (const [typed, problem] of [
      ['Full', 'is not empty'],
      ['Savepoint/export', 'is inside the data folder'],
      ['.x', 'is hidden'],
      ['Full/note.md', 'is a file'],
    ] as const) {
      await folder.fill(typed);
      await button.click();
      await page.getByText(problem).waitFor();
    }
    await folder.fill('Out');
    await button.click();
    await page.getByText(/Exported \d+ events to "Out"\./).waitFor();
    const lines = Object.keys(await host.snapshot()).filter((path) => path.startsWith('Out/'));
    expect(lines.map((path) => path.replace(/-[a-z0-9]{16}\./, '-ID.')).sort()).toEqual(
      ['Out/', 'Out/README.md', 'Out/savepoint-ID.jsonl'].sort(),
    );
    await page.getByLabel('Format').selectOption('notes');
    await folder.fill('Notes');
    await button.click();
    await page.getByText(/Exported \d+ notes to "Notes"\./).waitFor();
    const after = await host.snapshot();
    expect(textIn(after, 'Notes/img src=x onerror=alert(1)/Plan.md')).toContain('# Plan');
    expect(textIn(after, 'Full/note.md')).toBe('mine');
  });

  testInFull('imports after a preview, and another vault only if confirmed', async () => {
    const other = await anotherMemory('In');
    const host = await open({ files: { ...(await filled()), ...other, 'Own/README.md': '' } });
    const { page } = host;
    await openStorage(host);
    const before = await notesAndMemory(host);
    await press(page, row(page, 'Import').getByRole('button'));
    const folder = page.getByLabel('Folder in this vault');
    await folder.fill('Own');
    await press(page, page.getByRole('button', { name: 'Preview' }));
    await page.getByText('"Own" contains no .jsonl file.').waitFor();

    await folder.fill('In');
    await closeSuggestions(page);
    await press(page, page.getByRole('button', { name: 'Preview' }));
    await page.getByText('Preview: nothing is written yet.').waitFor();
    const confirm = page.getByRole('button', { name: /^Import \d+ events$/ });
    await page.getByText('This is the memory of another vault').waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    expect(await notesAndMemory(host)).toEqual(before);

    await press(
      page,
      row(page, 'Merge both memories').locator('input, [role="switch"]').first(),
      'Space',
    );
    await press(page, confirm);
    await page.locator('.notice', { hasText: /Imported \d+ events\./ }).waitFor();
    expect(Object.keys(await host.snapshot()).some((path) => path.includes('-imported-'))).toBe(
      true,
    );

    await press(page, row(page, 'Import').getByRole('button'));
    await page.locator('input[type=file]').setInputFiles({
      name: 'again.jsonl',
      mimeType: 'text/plain',
      buffer: Buffer.from(
        `${Object.entries(other).find(([path]) => path.includes('/core/'))![1] as string}not a line\n`,
      ),
    });
    await page.getByText('Everything is already in this memory.').waitFor();
    await page.getByText('again.jsonl, line').waitFor();
  });
});

testInFull('the settings list what leaves the device', async () => {
  const host = await open({ files: await filled() });
  const { page } = host;
  await openSettings(host);
  await press(page, row(page, 'Privacy'));
  await row(page, 'Sent by Savepoint itself: nothing').waitFor();
  await row(page, '"Savepoint" in the vault').waitFor();
  await row(page, '"Savepoint/notes" in the vault').getByText('Off on this device.').waitFor();
  await row(page, '".obsidian/plugins/savepoint/data.json" in the vault').waitFor();
  await row(page, "This device's own storage")
    .getByText(/This device is named "\w+-\w{4}"/)
    .waitFor();
});

testInFull.each(AXE_THEMES)('axe-core finds no violation in the settings, %s', async (theme) => {
  const files = { ...(await filled()), ...(await anotherMemory('In')), 'Garden/x.md': '' };
  for (const [, isMobile] of AXE_DEVICES) {
    const host = await open({ files, theme, isMobile });
    const { page } = host;
    const check = () => expectNoViolations(page);
    await openSettings(host);
    await page.getByRole('button', { name: 'Exclude a folder' }).click();
    await page.keyboard.press('Enter');
    await row(page, 'Garden').waitFor();
    await check();
    await row(page, 'Data folder').getByRole('button').click();
    await page.getByLabel('New folder').fill('.hidden');
    await page.getByText('is hidden').waitFor();
    await check();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row(page, 'Privacy').click();
    await check();
    await page.getByRole('button', { name: 'Back' }).click();
    await row(page, 'Storage').click();
    await row(page, 'Verify').getByRole('button').click();
    await row(page, 'Verify').getByText('Everything is intact').waitFor();
    await row(page, 'Devices').locator('table').waitFor();
    await check();
    await row(page, 'Export').getByRole('button').click();
    await check();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText(/Exported \d+ events/).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await row(page, 'Import').getByRole('button').click();
    await page.getByLabel('Folder in this vault').fill('In');
    await closeSuggestions(page);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('This is the memory of another vault').waitFor();
    await check();
  }
});
