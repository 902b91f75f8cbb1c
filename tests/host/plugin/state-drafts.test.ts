// Tier full: apps that crash and start again
import { expect, onTestFinished, test } from 'vitest';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { choose, composer, say } from './chat-window.js';
import { showAllFields, tabTo } from './settings-window.js';

const SECRET = 'The door opens with Xq7-umbrella-violin';

function field({ page }: ChromiumHost, label: string) {
  return page.locator('.modal').getByLabel(label, { exact: true });
}

async function type(host: ChromiumHost, label: string, value: string): Promise<void> {
  await tabTo(host.page, field(host, label));
  await host.page.keyboard.type(value);
}

/** Returns what the app's storage holds of the drafts. */
function kept({ page }: ChromiumHost): Promise<string> {
  return page.evaluate(() => {
    const { app } = window.__host.host;
    return JSON.stringify(app.loadLocalStorage('savepoint-state-drafts') ?? {});
  });
}

test('what is typed into the form survives a crash, in the memory and in a chat', async () => {
  const host = await open({ isRestarted: true, files: { 'Beds.md': 'Beds.' } });
  await host.runCommand('Savepoint: Save state');
  await type(host, 'Where are you?', 'We drew the beds.');
  await type(host, 'What next?', 'Order plants');
  await showAllFields(host.page);
  await type(host, 'Active files', 'Beds.md');
  await host.press('Enter');
  await type(host, 'Tags', 'garden, spring');
  await expect.poll(() => kept(host)).toContain('spring');
  await host.press('Escape');
  await host.runCommand('Savepoint: Open chat');
  await composer(host).waitFor();
  await say(host, 'Hello');
  await choose(host, 'Save state');
  await type(host, 'What next?', 'Say hello');
  await expect.poll(() => kept(host)).toContain('Say hello');

  const again = await host.restart('crash');
  onTestFinished(() => again.close());
  await again.runCommand('Savepoint: Open chat'); // a crash can lose the layout
  await choose(again, 'All conversations');
  await again.page.locator('.savepoint-line').first().click();
  await choose(again, 'Save state');
  await expect.poll(() => field(again, 'What next?').inputValue()).toBe('Say hello');
  await again.page.locator('.modal').getByText('Restored what you typed before.').waitFor();
  await again.press('Escape');
  await again.runCommand('Savepoint: Save state');
  await expect.poll(() => field(again, 'Where are you?').inputValue()).toBe('We drew the beds.');
  expect(await field(again, 'What next?').inputValue()).toBe('Order plants');
  expect(await again.page.locator('.savepoint-list-entry').allTextContents()).toEqual([
    'Beds.md',
    'garden',
    'spring',
  ]);
  await again.press('Control+Enter');
  await expect.poll(() => again.page.locator('.modal').count()).toBe(0);
  expect(await kept(again)).not.toContain('Order plants');
  expect(await kept(again)).toContain('Say hello');
});

test('forgetting a state removes the drafts that repeat it, and no other', async () => {
  const host = await open({});
  const { page } = host;
  await host.runCommand('Savepoint: Save state');
  await showAllFields(page);
  await page.keyboard.type('Access');
  await type(host, 'Where are you?', SECRET);
  await type(host, 'What next?', 'Doors');
  await host.press('Control+Enter');
  await expect.poll(() => page.locator('.modal').count()).toBe(0);
  await host.runCommand('Savepoint: Open chat');
  await composer(host).waitFor();
  await say(host, 'Hello');
  await choose(host, 'Save state');
  await type(host, 'What next?', 'Say hello');
  await host.press('Escape');
  await host.runCommand('Savepoint: Save state');
  await type(host, 'Where are you?', `Remember: ${SECRET}`);
  await host.press('Escape');
  expect(await kept(host)).toContain('umbrella');
  await host.runCommand('Savepoint: Forget state');
  await page.locator('.prompt-results .suggestion-item').first().waitFor();
  await host.press('Enter');
  await page.locator('.modal').getByRole('button', { name: 'Forget' }).click();
  await page.locator('.notice', { hasText: 'Access' }).last().waitFor();
  await expect.poll(() => kept(host)).not.toContain('umbrella');
  expect(await kept(host)).toContain('Say hello');
});
