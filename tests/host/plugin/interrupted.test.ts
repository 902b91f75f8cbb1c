import { expect, onTestFinished, test } from 'vitest';
import { open } from '../shared-browser.js';
import { button, composer, messages, openChat, say, settled } from './chat-window.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('further cases of interrupted'));

testInFull('an answer that a crash has interrupted stays, and says so', async () => {
  const words = Array.from({ length: 2000 }, (_, at) => ({ text: `word${at} ` }));
  const { host } = await openChat([{ says: words, pace: 100 }], { isRestarted: true });
  await say(host, 'Tell me');
  await expect.poll(() => messages(host).last().innerText()).toContain('word5');
  await expect
    .poll(() => host.page.evaluate(() => JSON.stringify({ ...localStorage })))
    .toContain('word5');
  const again = await host.restart('crash');
  onTestFinished(() => again.close());
  await expect.poll(() => messages(again).last().innerText()).toContain('word5');
  await expect
    .poll(() => again.page.locator('.savepoint-failure').innerText())
    .toContain('Obsidian was closed before the answer was complete.');
  await settled(again);
  expect(await messages(again).count()).toBe(2);
  await button(again, 'Try again').waitFor();
});

test('notices are hidden when the plugin is unloaded', async () => {
  const host = await open({ isMobile: true });
  const { page } = host;
  await host.runCommand('Savepoint: Save state');
  await page.getByLabel('Where are you?').fill('We drew.');
  await page.getByLabel('What next?').fill('Plants');
  await page.keyboard.press('Control+Enter');
  await page.locator('.notice').getByRole('button', { name: 'Open' }).waitFor();
  await page.evaluate(() => window.__host.host.unloadPlugin());
  await expect.poll(() => page.locator('.notice').count()).toBe(0);
});

test('what a tool did is announced', async () => {
  const host = await open({});
  const { page } = host;
  await host.runCommand('Savepoint: Open chat');
  await composer(host).waitFor();
  await say(host, '/archiveState');
  await page.keyboard.type('No such');
  await page.keyboard.press('Control+Enter');
  await page
    .locator('.savepoint-chat [aria-live="polite"]', { hasText: 'State "No such" not found.' })
    .waitFor({ state: 'attached' });
});
