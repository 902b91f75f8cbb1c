import { describe, expect, test } from 'vitest';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';
import { inFull } from '../../tier.js';
import { AXE_DEVICES, AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost, HostOptions } from '../chromium.js';
import type { FileSet } from '../obsidian/memory-medium.js';
import { open } from '../shared-browser.js';

const testInFull = test.runIf(inFull('further cases of records'));

async function gardenVault(): Promise<FileSet> {
  const files = createMemoryFiles();
  const vault = createTestVault({ files, clock: createTestClock(Date.now()) });
  await tellOf(vault);
  await vault.idle();
  await vault.log.close();
  const told = files.paths().map((path) => [path, files.text(path)] as const);
  return { 'Garden/Beds.md': 'Beds', ...Object.fromEntries(told) };
}

async function tellOf(vault: TestVault): Promise<void> {
  await vault.data('createWorkspace', garden);
  await vault.data(
    'createState',
    stateNamed('Beds drawn', { decisions: ['Use peat in the raised beds'] }),
  );
  await vault.data('createRecord', { resource: 'issue', title: 'Sow the beans' });
  await vault.data('createRecord', {
    resource: 'issue',
    kind: 'question',
    title: 'Which potatoes?',
    files: ['Garden/Beds.md'],
    needs: ['Sow the beans'],
    remindAt: '2026-11-01',
  });
}

async function openGarden(options: HostOptions = {}): Promise<ChromiumHost> {
  const host = await open({ files: await gardenVault(), ...options });
  await host.runCommand('Savepoint: Open memory');
  await row(host, 'Garden').click();
  await row(host, 'To do').waitFor();
  return host;
}

function row({ page }: ChromiumHost, title: string) {
  return page
    .locator('.savepoint-line')
    .filter({ has: page.locator('.savepoint-line-title > bdi', { hasText: title }) });
}

function titles({ page }: ChromiumHost): Promise<string[]> {
  return page.locator('.savepoint-line-title > bdi').allTextContents();
}

async function notice({ page }: ChromiumHost): Promise<string> {
  return (await page.locator('.notice').last().textContent()) ?? '';
}

function undo({ page }: ChromiumHost) {
  return page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
}

async function choose({ page }: ChromiumHost, title: string): Promise<void> {
  await page.locator('.prompt-results .suggestion-item').getByText(title).first().click();
}

describe('the records of a workspace', () => {
  test('come before the timeline, and one key press marks them done', async () => {
    const host = await openGarden();
    expect((await titles(host)).slice(0, 5)).toEqual([
      'To do',
      'Which potatoes?',
      'Sow the beans',
      'Beds drawn',
      'Use peat in the raised beds',
    ]);
    await host.page.getByText('2 open · 1 due').waitFor();
    expect(await row(host, 'Which potatoes?').textContent()).toContain('waits for "Sow the beans"');
    await host.page.locator('.savepoint-tree').focus();
    await host.press('Home', 'ArrowDown', 'ArrowDown', ' ');
    await expect.poll(() => notice(host)).toContain('Marked "Sow the beans" as done.');
    await host.page.getByText('1 open · 1 due').waitFor();
    expect(await row(host, 'Which potatoes?').textContent()).not.toContain('waits for');
    await undo(host);
    await expect.poll(() => row(host, 'Sow the beans').getAttribute('aria-checked')).toBe('false');
  });

  testInFull('open as a page, from which they can be archived and restored', async () => {
    const host = await openGarden();
    await row(host, 'Which potatoes?').click();
    const page = host.page.getByRole('article');
    await page.getByRole('heading', { name: 'Which potatoes?' }).waitFor();
    const shown = await page.textContent();
    for (const part of ['Question · Open', 'Due: Nov 1, 2026', 'Garden/Beds.md', 'Sow the beans'])
      expect(shown).toContain(part);
    await host.page.getByRole('button', { name: 'More actions' }).click();
    await host.page.locator('.menu').getByText('Archive record').click();
    await page.getByText('This record is archived').waitFor();
    await host.page.getByRole('button', { name: 'More actions' }).click();
    await host.page.locator('.menu').getByText('Restore record').click();
    await expect.poll(() => page.getByText('This record is archived').count()).toBe(0);
    await page.getByText('Sow the beans').click();
    await host.page.getByRole('article').getByText('Needed by').waitFor();
    await host.press('Escape');
    await row(host, 'To do').waitFor();
  });

  testInFull('can be given a reminder, which shows in lists until it is removed', async () => {
    const host = await openGarden();
    await row(host, 'Sow the beans').click();
    await host.page.getByRole('button', { name: 'More actions' }).click();
    await host.page.locator('.menu').getByText('Set reminder…').click();
    await host.page.getByLabel('Remind me on').fill('2026-01-02');
    await host.press('Enter');
    await host.page.locator('.modal').getByRole('button', { name: 'Set reminder' }).click();
    await host.page.getByRole('article').getByText('Due: Jan 2, 2026').waitFor();
    await host.press('Escape');
    await host.page.getByText('2 open · 2 due').waitFor();
  });

  testInFull('are found by the filter, in the one search, and in the note pane', async () => {
    const host = await openGarden();
    await host.page.locator('.savepoint-view input').fill('peat');
    await expect.poll(() => titles(host)).toEqual(['Use peat in the raised beds', 'Beds drawn']);
    await host.press('Enter');
    await choose(host, 'Use peat in the raised beds');
    const page = host.page.getByRole('article');
    await page.getByRole('heading', { name: 'Use peat in the raised beds' }).waitFor();
    await page.getByText('Beds drawn').click();
    await page.getByText('Decisions and questions').waitFor();
    await host.page.evaluate(() =>
      window.__host.host.app.workspace.openLinkText('Garden/Beds', ''),
    );
    await host.runCommand('Savepoint: Open memory of this note');
    await expect
      .poll(() => titles(host))
      .toEqual(expect.arrayContaining(['Decisions, questions and tasks', 'Which potatoes?']));
  });
});

describe('the commands for records', () => {
  testInFull('save a decision, and offer to replace a related one', async () => {
    const host = await openGarden();
    await host.runCommand('Savepoint: New decision');
    await host.page.getByLabel('Title').fill('Use compost instead of peat in the raised beds');
    await host.page.locator('.modal').getByRole('button', { name: 'Save', exact: true }).click();
    await host.page
      .locator('.notice')
      .getByRole('button', { name: 'Replace "Use peat in the raised beds"' })
      .click();
    await expect.poll(() => notice(host)).toContain('Replaced "Use peat in the raised beds"');
    await expect
      .poll(() => row(host, 'Use peat in the raised beds').last().textContent())
      .toContain('Replaced');
  });

  testInFull('refuse an empty or a taken title at its field', async () => {
    const host = await openGarden();
    await host.runCommand('Savepoint: New task');
    const save = host.page.locator('.modal').getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await host.page.locator('.modal').getByText('Title is empty').waitFor();
    await host.page.getByLabel('Title').fill('sow the  BEANS');
    await save.click();
    await host.page.getByText('An open record with this title already exists').waitFor();
  });

  testInFull('mark a question or task done, but offer no decisions', async () => {
    const host = await openGarden();
    await host.runCommand('Savepoint: Mark done');
    const rows = host.page.locator('.prompt-results .suggestion-title');
    await expect.poll(() => rows.allTextContents()).toEqual(['Which potatoes?', 'Sow the beans']);
    await choose(host, 'Sow the beans');
    await expect.poll(() => notice(host)).toContain('Marked "Sow the beans" as done.');
  });
});

testInFull.each(AXE_DEVICES)(
  'axe-core finds no violation in records, dark and light, on %s',
  async (_, isMobile) => {
    const host = await openGarden({ isMobile });
    for (const theme of AXE_THEMES) {
      await host.page.evaluate((name) => window.__host.host.setTheme(name), theme);
      await expectNoViolations(host.page, '.savepoint-view');
    }
    await row(host, 'Which potatoes?').click();
    await host.page.getByRole('article').waitFor();
    for (const theme of AXE_THEMES) {
      await host.page.evaluate((name) => window.__host.host.setTheme(name), theme);
      await expectNoViolations(host.page, '.savepoint-view');
    }
  },
);
