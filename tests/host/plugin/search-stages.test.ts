import { expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { inFull } from '../../tier.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import { open, type OpenOptions } from '../shared-browser.js';
import { choose, composer, say } from './chat-window.js';
import { vaultAfter } from './settings-window.js';

const testInFull = test.runIf(inFull('further cases of hits that come one after the other'));

/** Opens the search in a vault of which no note can be read until `release`. */
async function openSearch(options: OpenOptions = {}) {
  const files = await vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    for (const name of ['Beds drawn', 'Roof tiles'])
      await vault.data('createState', stateNamed(name, { nextSteps: ['Clean the gutter'] }));
  });
  const host = await open({
    files: { ...files, 'House/Rain.md': 'The gutter leaks.', 'Gutter.md': 'Of copper.' },
    ...options,
  });
  const { page } = host;
  const texts = options.language === 'de' ? germanTexts() : en;
  if (options.isMobile !== true)
    await page.locator('.status-bar-item[aria-label="Savepoint: Default"]').waitFor();
  await page.evaluate(() => {
    const { vault } = window.__host.host.app;
    const read = vault.cachedRead.bind(vault);
    const released = new Promise<void>((release) => Object.assign(window, { release }));
    vault.cachedRead = (file) => released.then(() => read(file));
  });
  await host.runCommand(`Savepoint: ${texts.commands.names.searchMemory}`);
  return {
    host,
    page,
    texts: texts.commands.search,
    rows: page.locator('.prompt .suggestion-item'),
    titles: () => page.locator('.prompt .suggestion-title').allTextContents(),
    selected: () => page.locator('.prompt .is-selected .suggestion-title').innerText(),
    progress: page.locator('.prompt [role="status"]'),
    release: () => page.evaluate(() => (window as unknown as { release(): void }).release()),
  };
}

test('states are shown before notes, and the selection stays when notes come', async () => {
  const { page, titles, selected, progress, release, texts } = await openSearch();
  await page.keyboard.type('clean gutter');
  await expect.poll(titles).toEqual(['Roof tiles', 'Beds drawn']);
  await progress.getByText(texts.searching).waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await selected()).toBe('Beds drawn');
  await release();
  await expect.poll(titles).toEqual(expect.arrayContaining(['Roof tiles', 'Beds drawn', 'Rain']));
  expect((await titles()).slice(0, 2)).toEqual(['Roof tiles', 'Beds drawn']);
  expect(await selected()).toBe('Beds drawn');
  await expect.poll(() => progress.textContent()).toBe('');
  await page.keyboard.press('Enter');
  await page.locator('.savepoint-name', { hasText: 'Beds drawn' }).waitFor();
});

testInFull('a note with the very name comes first, before any note was read', async () => {
  const { page, titles, release, progress, texts } = await openSearch();
  await page.keyboard.type('gutter');
  await expect.poll(titles).toEqual(['Gutter', 'Roof tiles', 'Beds drawn']);
  await progress.getByText(texts.searching).waitFor();
  await release();
  await expect.poll(titles).toEqual(['Gutter', 'Roof tiles', 'Beds drawn', 'Rain']);
});

testInFull('an older query never replaces the answer of a newer one', async () => {
  const { page, titles, release, progress, texts } = await openSearch();
  await page.keyboard.type('gutter');
  await progress.getByText(texts.searching).waitFor();
  await page.locator('.prompt-input').fill('drawn');
  await expect.poll(titles).toEqual(['Beds drawn']);
  await release();
  await progress.getByText(texts.searching).waitFor({ state: 'detached' });
  expect(await titles()).toEqual(['Beds drawn']);
});

testInFull('nothing is found only once everything was searched', async () => {
  const { page, rows, release, progress, texts } = await openSearch();
  await page.keyboard.type('zzqqy copper');
  await progress.getByText(texts.searching).waitFor();
  const nothing = page.getByText(texts.nothing('zzqqy copper'));
  expect(await nothing.count()).toBe(0);
  await page.locator('.prompt-input').fill('zzqqyx');
  await release();
  await page.getByText(texts.nothing('zzqqyx')).waitFor();
  expect(await rows.count()).toBe(0);
});

testInFull('the list of conversations is never shown unfiltered under a query', async () => {
  const host = await open({});
  const { page } = host;
  await host.runCommand('Savepoint: Open chat');
  await composer(host).waitFor();
  for (const words of ['A gutter of copper', 'A roof of slate']) {
    await host.runCommand('Savepoint: New conversation');
    await say(host, words);
    await page.locator('.savepoint-message', { hasText: words }).first().waitFor();
    await page.locator('.savepoint-header-title', { hasText: words }).first().waitFor();
  }
  await choose(host, 'All conversations');
  const rows = page.locator('.savepoint-pages .savepoint-line-title');
  await rows.nth(1).waitFor();
  const shown = await page.locator('.savepoint-pages input').evaluate(async (input) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, 'slate');
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise(requestAnimationFrame);
    const titles = document.querySelectorAll('.savepoint-pages .savepoint-line-title');
    return [...titles].map(({ textContent }) => textContent);
  });
  expect(shown).toEqual(['A roof of slate']);
  await expect.poll(() => rows.count()).toBe(1);
});

testInFull.each([
  [1280, 'ltr', 'en'],
  [380, 'rtl', 'de'],
  [320, 'ltr', 'de'],
] as const)('a running search fits, at %i px, %s, %s', async (width, direction, language) => {
  const { host, page, progress, texts, release } = await openSearch({
    width,
    language,
    isMobile: width < 400,
  });
  await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
  await page.keyboard.type('clean gutter');
  await progress.getByText(texts.searching).waitFor();
  const wide = await page.locator('.prompt').evaluate((el) => el.scrollWidth > el.clientWidth);
  expect(wide).toBe(false);
  const check = async () => {
    for (const theme of AXE_THEMES) {
      await host.setTheme(theme);
      await expectNoViolations(page, '.prompt');
    }
  };
  await check();
  await release();
  await expect.poll(() => progress.textContent()).toBe('');
  await check();
});
