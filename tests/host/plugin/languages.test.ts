import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open as openShared, type OpenOptions } from '../shared-browser.js';
import { vaultAfter } from './settings-window.js';
import { inFull } from '../../tier.js';

const de = germanTexts();

const testInFull = test.runIf(inFull('every view in German'));

const { commands, memoryView, settings } = de;

const AN_HOUR = 3_600_000;

const filled = () =>
  vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Plan B', { activeFiles: ['Garden/Gone.md'] }));
    await vault.call('loadState', { name: 'No such state' });
  });

async function open(options: OpenOptions): Promise<ChromiumHost> {
  return openShared({ files: await filled(), ...options });
}

/** Returns the labels of buttons that are clipped or outside the window. */
function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, .clickable-icon, select, [role="button"]')]
      .filter((el) => el.checkVisibility())
      .filter((el) => {
        const { left, right, width } = el.getBoundingClientRect();
        return (
          width > 0 &&
          (left < -1 || right > window.innerWidth + 1 || el.scrollWidth > el.clientWidth + 1)
        );
      })
      .map((el) => `${el.textContent} ${el.getAttribute('aria-label') ?? ''}`.trim()),
  );
}

async function expectFit(page: Page): Promise<void> {
  expect(await clipped(page)).toEqual([]);
  await expectNoViolations(page);
}

/** Returns a settings row by its name. */
function row(page: Page, name: string) {
  return page.locator('.setting-item', {
    has: page.locator('.setting-item-name').getByText(name, { exact: true }),
  });
}

test('the palette lists the commands in the language of the app', async () => {
  const host = await open({ language: 'de', isMobile: true });
  const offered = await host.commands('Savepoint: ');
  for (const name of [
    commands.names.saveState,
    commands.names.switchWorkspace,
    de.chat.commands.open,
  ])
    expect(offered).toContain(`Savepoint: ${name}`);
  const inEnglish = Object.values(en.commands.names).map((name) => `Savepoint: ${name}`);
  expect(offered.filter((title) => inEnglish.includes(title))).toEqual([]);
});

testInFull('commands are in English if the language of the app is not supported', async () => {
  const host = await open({ language: 'tlh', isMobile: true });
  expect(await host.commands('Savepoint: ')).toContain(`Savepoint: ${en.commands.names.saveState}`);
});

testInFull('the memory view is in German, and fits a phone', async () => {
  const { page, runCommand } = await open({
    language: 'de',
    isMobile: true,
    now: START_TIME + AN_HOUR,
  });
  await runCommand(`Savepoint: ${commands.names.openMemory}`);
  const view = page.locator('.savepoint-view');
  await view.getByText(memoryView.stateCount(1)).first().waitFor();
  await expectFit(page);
  await view.getByText('Garden', { exact: true }).click();
  await view.getByText('Plan B', { exact: true }).waitFor();
  await page.getByPlaceholder(memoryView.filterStates).waitFor();
  expect(await view.locator('time').first().textContent()).toBe('vor 1 Stunde');
  await expectFit(page);
  await view.getByText('Plan B', { exact: true }).click();
  const article = page.getByRole('article');
  await article.getByText(memoryView.fileGone).waitFor();
  await page.getByRole('button', { name: de.general.resume, exact: true }).waitFor();
  await expectFit(page);
});

testInFull('the settings are in German, and fit a phone', async () => {
  const host = await open({ language: 'de', isMobile: true });
  const { page } = host;
  await host.runCommand('Open settings');
  await page.locator('.vertical-tab-nav-item', { hasText: 'Savepoint' }).click();
  await row(page, settings.dataFolder.name).waitFor();
  await expectFit(page);
  await row(page, settings.dataFolder.name).getByRole('button').click();
  await page.getByLabel(settings.move.field).fill('Anderswo');
  await page.getByText('ist frei').waitFor();
  await expectFit(page);
  await page.getByRole('button', { name: de.general.cancel }).click();
  for (const { name } of [settings.storage, settings.outflow, de.chat.models, de.meaning]) {
    await row(page, name).click();
    await row(page, name).waitFor({ state: 'detached' });
    expect(await clipped(page)).toEqual([]);
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await row(page, settings.dataFolder.name).waitFor();
  }
});
