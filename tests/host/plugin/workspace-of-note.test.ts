// Tier full: the form of a note on each screen
import { expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { choose, composer, openChat, say, settled } from './chat-window.js';
import { showAllFields, vaultAfter } from './settings-window.js';

const files = async () => ({
  ...(await vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    await vault.data('createState', { ...stateNamed('Home'), context: { workspaceId: 'default' } });
  })),
  'Garden/Beds.md': '# Beds',
  'Plan.md': '# Plan',
});

const openNote = ({ page }: ChromiumHost, path: string) =>
  page.evaluate((wanted) => window.__host.host.app.workspace.openLinkText(wanted, ''), path);

/** Returns the chosen workspace of the form, and what is said about it. */
async function place({ page }: ChromiumHost, label = 'Workspace') {
  const field = page.locator('.modal').getByLabel(label, { exact: true });
  await field.waitFor({ state: 'attached' });
  return field.evaluate((select: HTMLSelectElement) => [
    select.selectedOptions[0]?.text,
    document.getElementById(select.getAttribute('aria-describedby') ?? '')?.textContent,
  ]);
}

const IN_FOLDER = 'The note "Beds" is in its folder.';
const USUAL = '';

test('a task from a note is saved in the workspace of its folder', async () => {
  const host = await open({ files: await files() });
  const { page, runCommand } = host;
  await openNote(host, 'Plan.md');
  await runCommand('Savepoint: New task');
  expect(await place(host)).toEqual(['Default', USUAL]);
  await page.keyboard.press('Escape');
  await openNote(host, 'Garden/Beds.md');
  await runCommand('Savepoint: New task');
  expect(await place(host)).toEqual(['Garden', IN_FOLDER]);
  await page.getByLabel('Title', { exact: true }).fill('Order seeds');
  await page.keyboard.press('Control+Enter');
  await page.locator('.notice', { hasText: 'Order seeds' }).getByText('Open').click();
  await page.locator('.savepoint-view', { hasText: 'Order seeds' }).waitFor();
  await expect
    .poll(() => page.locator('.status-bar-item[aria-label^="Savepoint:"]').innerText())
    .toBe('Garden');
});

test('a state from the memory pane of a note is too, until another workspace is chosen', async () => {
  const host = await open({ files: await files() });
  const { page, runCommand } = host;
  await openNote(host, 'Garden/Beds.md');
  await runCommand('Savepoint: Open memory of this note');
  await page.locator('.savepoint-view').first().click();
  await runCommand('Savepoint: Save state');
  expect(await place(host)).toEqual(['Garden', IN_FOLDER]);
  await showAllFields(page);
  await page.locator('.modal').getByLabel('Workspace', { exact: true }).selectOption('Default');
  expect(await place(host)).toEqual(['Default', USUAL]);
  await page.keyboard.press('Escape');
  await runCommand('Savepoint: Open memory');
  await page.locator('.savepoint-line', { hasText: 'Default' }).click();
  await runCommand('Savepoint: Save state');
  expect(await place(host)).toEqual(['Default', USUAL]);
});

test('a new conversation is in the workspace of the note, until another one is chosen', async () => {
  const { host } = await openChat([{ says: [{ text: 'Noted.' }] }], { files: await files() });
  const chip = host.page.locator('.savepoint-chat [aria-label^="Workspace:"]');
  const isIn = (name: string) => expect.poll(() => chip.innerText()).toBe(name);
  await isIn('Default');
  await openNote(host, 'Garden/Beds.md');
  await isIn('Garden');
  await openNote(host, 'Plan.md');
  await isIn('Default');
  await openNote(host, 'Garden/Beds.md');
  await isIn('Garden');
  await chip.click();
  await host.page.locator('.prompt .suggestion-item', { hasText: 'Default' }).click();
  await isIn('Default');
  await composer(host).click();
  await isIn('Default');
  await choose(host, 'New conversation');
  await isIn('Garden');
  await say(host, 'When do I sow?');
  await settled(host);
  await openNote(host, 'Plan.md');
  await host.page.locator('.workspace-tab-header', { hasText: 'Plan' }).waitFor();
  await isIn('Garden');
});

test.each([true, false])(
  'a chat says that its note decides if that is sent (%s)',
  async (isSent) => {
    const { host } = await openChat([], { files: await files() });
    await openNote(host, 'Garden/Beds.md');
    const chip = host.page.locator('.savepoint-open-note [aria-pressed]');
    await chip.waitFor();
    if (!isSent) await chip.click();
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe(String(isSent));
    for (const command of ['/task Order seeds', '/save']) {
      await composer(host).fill(command);
      await composer(host).press('Enter');
      expect(await place(host)).toEqual(['Garden', isSent ? IN_FOLDER : USUAL]);
      await host.page.keyboard.press('Escape');
      const discard = host.page.getByRole('button', { name: 'Discard', exact: true });
      if (command !== '/save') await discard.click();
      await host.page.locator('.modal').waitFor({ state: 'detached' });
    }
  },
);

test.each([
  [1280, 'ltr'],
  [380, 'rtl'],
  [320, 'ltr'],
] as const)('the form says why in German, at %i px, %s', async (width, direction) => {
  const { commands, records } = germanTexts();
  const host = await open({ files: await files(), language: 'de', width, isMobile: width < 400 });
  const { page } = host;
  await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
  await openNote(host, 'Garden/Beds.md');
  await host.runCommand(`Savepoint: ${records.newRecord.task}`);
  const { workspace, noteWorkspace } = commands.form;
  const check = async () => {
    expect(await place(host, workspace)).toEqual(['Garden', noteWorkspace('Beds')]);
    for (const theme of AXE_THEMES) {
      await host.setTheme(theme);
      await expectNoViolations(page, '.modal');
    }
  };
  await check();
  await page.keyboard.press('Escape');
  await page.locator('.modal').waitFor({ state: 'detached' });
  await host.runCommand(`Savepoint: ${commands.names.saveState}`);
  await check();
  await showAllFields(page);
  await check();
});
