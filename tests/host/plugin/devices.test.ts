import { expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { lineOf } from '../../fakes/events.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';
import { open, type OpenOptions } from '../shared-browser.js';
import { inFull } from '../../tier.js';
import { openSettings, press, row, vaultAfter } from './settings-window.js';

const testInFull = test.runIf(inFull('further cases of the list of devices'));

/** The files of two other devices, in one vault. */
async function twoOthers(): Promise<FileSet> {
  const save = (seed: number) =>
    vaultAfter((vault) => vault.data('createState', stateNamed(`Plan ${seed}`)), seed);
  return { ...(await save(1)), ...(await save(2)) };
}

async function openDevices(options: OpenOptions): Promise<ChromiumHost> {
  const host = await open({ now: START_TIME + 3_600_000, ...options });
  await reviewDevices(host, options.language === 'de' ? 'de' : 'en');
  return host;
}

async function reviewDevices(host: ChromiumHost, language: 'de' | 'en' = 'en'): Promise<void> {
  const { page } = host;
  const { storage } = (language === 'de' ? germanTexts() : en).settings;
  await openSettings(host, language);
  await press(page, row(page, storage.name));
  await press(page, row(page, storage.devices.name).getByRole('button'));
  await list(host).waitFor();
}

const list = ({ page }: ChromiumHost) => page.locator('.savepoint-devices');

function device(host: ChromiumHost, name: string) {
  return list(host).locator('.setting-item', {
    has: host.page.locator('.setting-item-name', { hasText: name }),
  });
}

test('a device is confirmed and withdrawn by keyboard, and stays confirmed', async () => {
  const host = await openDevices({ files: await twoOthers() });
  const { page } = host;
  const [one, two] = [device(host, 'device-1'), device(host, 'device-2')];
  await one.getByText('Not confirmed · Nov 20, 2026 · 1 state, 1 other line').waitFor();
  await press(page, one.getByRole('button', { name: 'Confirm: device-1' }));
  await one.getByText('Confirmed · Nov 20').waitFor();
  const withdraw = one.getByRole('button', { name: 'Withdraw: device-1' });
  await expect
    .poll(() => withdraw.evaluate((button) => button === document.activeElement))
    .toBe(true);
  expect(await one.getByRole('button').count()).toBe(1);
  await two.getByText('Not confirmed').waitFor();

  await page.keyboard.press('Escape');
  await press(page, row(page, 'Devices').getByRole('button', { name: 'Review' }));
  await press(page, withdraw);
  await one.getByText('Not confirmed').waitFor();
});

testInFull('the app knows what it has written itself, after a restart too', async () => {
  const files = await twoOthers();
  let host = await open({ files, now: START_TIME + 3_600_000, isRestarted: true });
  await host.page.evaluate(async (params) => {
    const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
      sessions: { savepoint: { get(): { call(tool: string, params: object): Promise<unknown> } } };
    };
    await plugin.sessions.savepoint.get().call('createState', params);
  }, stateNamed('In the app'));
  for (const isAgain of [false, true]) {
    if (isAgain) host = await host.restart();
    await reviewDevices(host);
    const own = list(host).locator('.setting-item').first();
    await own.getByText('This device · Nov 20, 2026 · 1 state').waitFor();
    expect(await own.getByRole('button').count()).toBe(0);
    expect(await list(host).getByText('This device').count()).toBe(2); // with the introduction
  }
});

testInFull('the list says that nothing is saved yet', async () => {
  const host = await openDevices({ files: {} });
  await list(host).getByText('Nothing saved yet.').waitFor();
});

testInFull.each([
  ['en', 1280],
  ['de', 320],
] as const)('the list has no violation and fits (%s, %i px)', async (language, width) => {
  const opening = { t: 'log.seg', d: { fmt: 1, app: 'forged', device: 'x\u202E'.repeat(900) } };
  const forged = new TextDecoder().decode(lineOf(opening).bytes);
  const host = await openDevices({
    files: { ...(await twoOthers()), 'Savepoint/core/forged.jsonl': forged },
    language,
    width,
    isMobile: width < 400,
  });
  const { page } = host;
  for (const theme of AXE_THEMES) {
    await host.setTheme(theme);
    await expectNoViolations(page);
  }
  const { confirm, withdraw } = (language === 'de' ? germanTexts() : en).settings.storage.devices;
  await press(page, list(host).getByRole('button', { name: confirm }).first());
  await list(host).getByRole('button', { name: withdraw }).waitFor();
  await expectNoViolations(page);
  const overflow = await page.evaluate(() => document.body.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
