// Tier full: second windows, with the main window hidden
import { expect, test } from 'vitest';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { openChat, say, settled } from './chat-window.js';
import { press, row } from './settings-window.js';

declare global {
  interface Window {
    /** What the hidden window was asked to wait for. */
    __waitedFor: string[];
  }
}

/** Hides the main window as an app does: no frames, and timers of a second at least. */
async function hideMain({ page }: ChromiumHost): Promise<void> {
  await page.evaluate(() => {
    const later = window.setTimeout.bind(window);
    window.__waitedFor = [];
    const waitFor = (what: string) => () => window.__waitedFor.push(what);
    const slow = (task: () => void, ms = 0) => later(task, Math.max(1000, ms));
    Object.defineProperty(document, 'hidden', { get: () => true });
    Object.assign(window, {
      requestAnimationFrame: waitFor('a frame'),
      requestIdleCallback: waitFor('idle time'),
      setTimeout: slow,
    });
  });
}

const waits = ({ page }: ChromiumHost) => page.evaluate(() => window.__waitedFor);

/** Runs a task that opens another window, and returns its page, which has the focus. */
async function popOut(host: ChromiumHost, task: () => unknown) {
  const opened = host.page.context().waitForEvent('page');
  await host.page.evaluate(task);
  const popout = await opened;
  await popout.evaluate(() => window.dispatchEvent(new Event('focus')));
  return popout;
}

test('a chat in a second window draws and stores while the main window is hidden', async () => {
  const { host } = await openChat([
    { says: [{ text: 'Yes.' }] },
    { says: Array.from({ length: 20 }, (_, at) => ({ text: `part ${at}, ` })) },
  ]);
  await say(host, 'Same?');
  await settled(host);
  const popout = await popOut(host, async () => {
    const { workspace } = window.__host.host.app;
    const leaf = workspace.getLeavesOfType('savepoint-chat')[0]!;
    await workspace
      .getLeaf('window')
      .setViewState({ type: 'savepoint-chat', state: leaf.view.getState(), active: true });
  });
  await expect.poll(() => popout.locator('.savepoint-message').count()).toBe(2);
  await host.page.evaluate(() => {
    for (const leaf of window.__host.host.app.workspace.getLeavesOfType('savepoint-chat'))
      if (leaf.view.containerEl.ownerDocument === document) leaf.detach();
  });
  await hideMain(host);
  await popout.locator('.savepoint-composer textarea').fill('And here?');
  await popout.locator('.savepoint-composer textarea').press('Enter');
  const last = popout.locator('.savepoint-message').last();
  await expect.poll(() => last.innerText()).toContain('part 19');
  await expect
    .poll(async () =>
      Object.values(await host.snapshot()).some((file) => JSON.stringify(file).includes('part 19')),
    )
    .toBe(true);
  expect(await waits(host)).toEqual([]);
  await popout.close();
});

test('notes are indexed while the window is hidden', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`Note ${at}.md`, `Tulips of row ${at}. `.repeat(50)]),
  );
  const host = await open({ files });
  await hideMain(host);
  await host.page.evaluate(() =>
    window.__host.host.app.vault.create('Late.md', 'Marigolds keep the flies away.'),
  );
  await host.runCommand('Savepoint: Search notes');
  await host.page.keyboard.type('marigolds');
  const titles = host.page.locator('.prompt .suggestion-title');
  await expect.poll(() => titles.allTextContents()).toEqual(['Late']);
  expect(await waits(host)).not.toContain('idle time');
});

for (const dialog of ['Import…', 'Export…'])
  test(`"${dialog}" in a second window opens again after that window was closed`, async () => {
    const host = await open({});
    const openDialog = async () => {
      const popout = await popOut(host, () => {
        window.__host.host.app.workspace.openPopoutLeaf();
      });
      await host.page.evaluate(() => {
        const { setting } = window.__host.host.app;
        setting.close(); // as the app does when its window is closed
        setting.open();
        setting.openTabById('savepoint');
      });
      await press(popout, row(popout, 'Storage'));
      await popout.getByRole('button', { name: dialog }).click();
      await popout
        .locator('.modal', { hasText: dialog.slice(0, -1) })
        .last()
        .waitFor();
      return popout;
    };
    await (await openDialog()).close();
    await (await openDialog()).close();
  });
