// Tier full: corrects each value in a browser
import { expect, test } from 'vitest';
import { createTestClock } from '../../fakes/deterministic.js';
import { createTestVault, garden } from '../../fakes/test-vault.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/memory-medium.js';
import { open } from '../shared-browser.js';
import { showAllFields, tabTo, textIn } from './settings-window.js';

async function gardenFiles(): Promise<FileSet> {
  const files = createMemoryFiles();
  const vault = createTestVault({ files, clock: createTestClock(Date.now()) });
  const preferences = { tone: 'plain', limits: { words: 50 } };
  await vault.data('createWorkspace', { ...garden, preferences });
  await vault.data('createRecord', { resource: 'issue', title: 'Sow the baens' });
  await vault.data('createRecord', { resource: 'decision', title: 'No gravel' });
  await vault.idle();
  await vault.log.close();
  const told = files.paths().map((path) => [path, files.text(path)] as const);
  return { 'Garden/Beds.md': 'Beds', 'Plot/Plan.md': 'Plan', ...Object.fromEntries(told) };
}

/** Opens the memory view of the workspace "Garden"; nothing is clicked from here on. */
async function openGarden(): Promise<ChromiumHost> {
  const host = await open({ files: await gardenFiles() });
  await host.runCommand('Savepoint: Open memory');
  await openRow(host, 'Garden');
  await row(host, 'Sow the baens').waitFor();
  return host;
}

function row({ page }: ChromiumHost, title: string) {
  return page
    .locator('.savepoint-line')
    .filter({ has: page.locator('.savepoint-line-title > bdi', { hasText: title }) });
}

/** Moves to a row of the tree with the arrow keys, and opens it. */
async function openRow(host: ChromiumHost, title: string): Promise<void> {
  await row(host, title).waitFor();
  await tabTo(host.page, host.page.locator('.savepoint-tree'));
  await host.press('Home');
  const id = await row(host, title).getAttribute('id');
  const selected = () => host.page.locator('.savepoint-tree').getAttribute('aria-activedescendant');
  for (let presses = 0; presses < 30 && (await selected()) !== id; presses++)
    await host.press('ArrowDown');
  await host.press('Enter');
}

/** Chooses an entry of the menu "More actions" with the keyboard. */
async function chooseAction(host: ChromiumHost, label: string): Promise<void> {
  const { page } = host;
  await tabTo(page, page.getByRole('button', { name: 'More actions' }));
  await host.press('Enter');
  const entry = page.locator('.menu-item', { hasText: label });
  await entry.waitFor();
  const isSelected = async () => (await entry.getAttribute('class'))?.includes('selected') === true;
  for (let presses = 0; presses < 12 && !(await isSelected()); presses++)
    await host.press('ArrowDown');
  await host.press('Enter');
  await page.locator('.modal .savepoint-form').waitFor();
}

async function fillIn({ page, press }: ChromiumHost, label: string, value: string): Promise<void> {
  await tabTo(page, page.locator('.modal').getByLabel(label, { exact: true }));
  await press('Control+a');
  await page.keyboard.type(value);
}

async function save(host: ChromiumHost): Promise<void> {
  await host.press('Control+Enter');
  await expect.poll(() => host.page.locator('.modal').count()).toBe(0);
}

async function log(host: ChromiumHost): Promise<string> {
  const saved = await host.snapshot();
  const paths = Object.keys(saved).filter((path) => path.startsWith('Savepoint/'));
  return paths.map((path) => textIn(saved, path) ?? '').join('\n');
}

const undo = ({ page }: ChromiumHost) =>
  page.locator('.notice').last().getByRole('button', { name: 'Undo' }).click();

test('the title and details of a task are corrected by keyboard, with undo', async () => {
  const host = await openGarden();
  const { page } = host;
  await openRow(host, 'Sow the baens');
  await page.getByRole('heading', { name: 'Sow the baens' }).waitFor();
  await chooseAction(host, 'Edit…');
  await expectNoViolations(page, '.modal');
  const title = page.locator('.modal').getByLabel('Title', { exact: true });
  expect(await title.inputValue()).toBe('Sow the baens');
  expect(await title.getAttribute('aria-required')).toBe('true');
  await fillIn(host, 'Title', ' ');
  await host.press('Control+Enter');
  await page.locator('.modal .setting-item-error').waitFor();
  await fillIn(host, 'Title', 'Sow the beans');
  await fillIn(host, 'Details', 'In rows.');
  await save(host);
  await page.getByRole('heading', { name: 'Sow the beans' }).waitFor();
  await page.getByText('In rows.').waitFor();
  await undo(host);
  await page.getByRole('heading', { name: 'Sow the baens' }).waitFor();
  await expect.poll(() => page.getByText('In rows.').count()).toBe(0);
});

test('a decision is replaced, with the reason, and is kept', async () => {
  const host = await openGarden();
  const { page } = host;
  await openRow(host, 'No gravel');
  await page.getByRole('heading', { name: 'No gravel' }).waitFor();
  await chooseAction(host, 'Change decision…');
  await fillIn(host, 'Title', 'Gravel on the paths');
  await host.press('Control+Enter');
  await page.getByText('Reason: say why the decision changes.').waitFor();
  await fillIn(host, 'Reason', 'It keeps feet dry.');
  await save(host);
  await page.getByText('Replaced by').waitFor();
  const lines = await log(host);
  expect(lines).toContain('"title":"Gravel on the paths","body":"It keeps feet dry."');
  expect(lines).not.toContain('"/title"');
  await undo(host);
  await expect.poll(() => page.getByText('Replaced by').count()).toBe(0);
});

test('each field of a workspace is changed by keyboard, and only what changed is written', async () => {
  const host = await openGarden();
  const { page } = host;
  await chooseAction(host, 'Edit workspace…');
  await expectNoViolations(page, '.modal');
  await fillIn(host, 'Purpose', 'Eat well');
  await save(host);
  await expect.poll(() => log(host)).toContain('"/purpose":"Eat well"');
  expect(await log(host)).not.toMatch(/"\/(?:description|name|rootFolder|preferences)/u);

  await chooseAction(host, 'Edit workspace…');
  await showAllFields(page);
  await fillIn(host, 'Name', 'Kitchen garden');
  await fillIn(host, 'Description', 'Vegetables');
  await fillIn(host, 'Folder', 'Plot');
  await fillIn(host, 'Key files', 'Plot/Plan.md');
  await host.press('Enter');
  await fillIn(host, 'Workflows', 'Water at dusk');
  const preferences = page.locator('.modal').getByLabel('Preferences', { exact: true });
  expect(await preferences.inputValue()).toBe('limits: {"words":50}\ntone: plain');
  await tabTo(page, preferences);
  await host.press('Control+End');
  await page.keyboard.type('\nunits: metric');
  await save(host);
  await page.locator('.savepoint-header bdi', { hasText: 'Kitchen garden' }).waitFor();
  await tabTo(page, page.locator('.savepoint-details > summary'));
  await host.press('Enter');
  const details = page.locator('.savepoint-details');
  await expect.poll(() => details.innerText()).toContain('Vegetables');
  const shown = await details.innerText();
  for (const part of ['Eat well', 'Plot', 'Plot/Plan.md', 'Water at dusk'])
    expect(shown).toContain(part);
  const listed = page.locator('.savepoint-preferences');
  expect(await listed.locator('dt').allTextContents()).toEqual(['limits › words', 'tone', 'units']);
  expect(await listed.locator('dd').allTextContents()).toEqual(['50', 'plain', 'metric']);
  await undo(host);
  await page.locator('.savepoint-header bdi', { hasText: /^Garden$/u }).waitFor();
  await expect.poll(() => details.innerText()).not.toContain('metric');
  expect(await details.innerText()).toContain('Eat well');
});
