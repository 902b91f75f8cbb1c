import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';

/** Returns the files of a vault after calls to the real tools. */
export async function vaultAfter(
  fill: (vault: TestVault) => Promise<unknown>,
  seed = 1,
): Promise<FileSet> {
  const vault = createTestVault({ seed });
  await fill(vault);
  await vault.idle();
  await vault.log.close();
  return Object.fromEntries(vault.files.paths().map((path) => [path, vault.files.text(path)]));
}

/** Opens the settings of the plugin by keyboard: first the command, then the tab. */
export async function openSettings(
  { page, runCommand }: ChromiumHost,
  language: 'de' | 'en' = 'en',
): Promise<void> {
  const { dataFolder } = (language === 'de' ? germanTexts() : en).settings;
  await runCommand('Open settings');
  await tabTo(page, page.locator('.vertical-tab-nav-item', { hasText: 'Savepoint' }));
  await page.keyboard.press('Enter');
  await page.locator('.setting-item-name', { hasText: dataFolder.name }).waitFor();
}

/** Shows all fields of the open form, from the last part of the line that hides some. */
export async function showAllFields(page: Page): Promise<void> {
  await page.locator('.modal .savepoint-fold button').last().press('Enter');
}

/** Moves the focus to an element with the Tab key. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The tab key does not lead to ${String(target)}`);
}

/** Moves the focus to an element and presses a key there. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Closes the suggestions of a field once they are shown; before, Escape would close the window. */
export async function closeSuggestions(page: Page): Promise<void> {
  await page.locator('.suggestion-container .suggestion-item').first().waitFor();
  await page.keyboard.press('Escape');
}

/** Returns a settings row by its name. */
export function row(page: Page, name: string): Locator {
  return page.locator('.setting-item', {
    has: page.locator('.setting-item-name', { hasText: new RegExp(`^${name}$`) }),
  });
}

export function textIn(files: FileSet, path: string): string | undefined {
  const file = files[path];
  return typeof file === 'object' && 'text' in file ? file.text : (file as string | undefined);
}

/** Returns the plugin's settings stored in the vault. */
export async function savedSettings({ snapshot }: ChromiumHost): Promise<unknown> {
  const text = textIn(await snapshot(), '.obsidian/plugins/savepoint/data.json');
  return text === undefined ? undefined : JSON.parse(text);
}

export async function expectSaved(host: ChromiumHost, settings: object): Promise<void> {
  await expect.poll(() => savedSettings(host)).toMatchObject(settings);
}
