import { expect, test } from 'vitest';
import { stateNamed } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { openSettings, vaultAfter } from './settings-window.js';

/** Connects the app to Obsidian Sync with these types of files, as Obsidian 1.10 represents it. */
function connectSync({ page }: ChromiumHost, types: readonly string[]): Promise<void> {
  return page.evaluate((allowTypes) => {
    const sync = { vaultId: '5495a8fb', filter: { allowTypes: new Set(allowTypes) } };
    const internalPlugins = { getEnabledPluginById: (id: string) => (id === 'sync' ? sync : null) };
    Object.assign(window.__host.host.app, { internalPlugins });
  }, types);
}

/** Saves a state with a command of the app, after which it looks at Sync. */
function save({ page }: ChromiumHost, name: string): Promise<unknown> {
  return page.evaluate(async (params) => {
    const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
      sessions: {
        savepoint: { get(): { call(tool: string, params: object): Promise<{ success: boolean }> } };
      };
    };
    const answer = await plugin.sessions.savepoint.get().call('createState', params);
    return answer.success;
  }, stateNamed(name));
}

const NOTICE = 'the memory of Savepoint stays on this device';

test('says once that Sync leaves the memory out, and says it in the settings', async () => {
  const host = await open({
    files: await vaultAfter((vault) => vault.data('createState', stateNamed('Beds'))),
  });
  const { page } = host;
  await expect.poll(() => page.locator('.status-bar').textContent()).toContain('Default');
  const notice = page.locator('.notice', { hasText: NOTICE });
  await connectSync(host, ['image', 'unsupported']);
  expect(await save(host, 'With all types')).toBe(true);
  await connectSync(host, ['image']);
  expect(await save(host, 'Without')).toBe(true);
  await notice.waitFor();
  expect(await notice.count()).toBe(1);
  await notice.getByRole('button', { name: 'Open Sync settings' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => window.__host.host.app.setting.containerEl.isConnected)).toBe(
    true,
  );
  await page.keyboard.press('Escape');

  expect(await save(host, 'Later')).toBe(true);
  await openSettings(host);
  await page.locator('.setting-item', { hasText: 'Storage' }).first().click();
  const row = page.locator('.setting-item', { hasText: 'Obsidian Sync includes the memory' });
  await row.getByText(NOTICE).waitFor();
  expect(await notice.count()).toBe(0);
  await connectSync(host, ['image', 'unsupported']);
});
