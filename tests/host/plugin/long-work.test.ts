// Tier full: imports of many conversations, and a browser that crashes
import { expect, test } from 'vitest';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { startImport } from './chat-window.js';
import { textIn } from './settings-window.js';

const CHATS = 150;

const status = ({ page }: ChromiumHost) => page.locator('.status-bar');
const work = ({ page }: ChromiumHost) => page.locator('.savepoint-running');
const closeWindow = ({ page }: ChromiumHost) => page.keyboard.press('Escape');

/** Number of files in the lane of conversations, and of the messages in them. */
async function imported(host: ChromiumHost): Promise<{ files: number; messages: Set<string> }> {
  const files = await host.snapshot();
  const found = Object.keys(files).filter((path) => path.includes('/chat/'));
  const texts = found.map((path) => textIn(files, path) ?? '');
  const ids = texts.flatMap((text) => text.match(/"t":"msg\.new","e":"\w+"/gu) ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  return { files: found.length, messages: new Set(ids) };
}

test('an import goes on after its window is closed, and says when it has ended', async () => {
  const host = await open({});
  await startImport(host, CHATS);
  await closeWindow(host);
  await expect.poll(() => status(host).innerText()).toMatch(/Import chats, [1-9]\d?%/u);
  const notice = host.page.locator('.notice', { hasText: 'Import chats: ' });
  await expect.poll(() => notice.innerText()).toContain(`${CHATS} conversations added.`);
  expect(await status(host).innerText()).not.toContain('Import chats');
  await notice.getByRole('button', { name: 'Show report' }).click();
  const report = host.page.locator('.savepoint-import-preview');
  expect(await report.innerText()).toContain(`${CHATS} conversations from Claude in the file.`);
  const { files, messages } = await imported(host);
  expect(messages.size).toBe(40 * CHATS);
  expect(files).toBeLessThan(30);
});

test('the memory view shows the work on a phone, opens its window and stops it', async () => {
  const host = await open({ isMobile: true });
  await host.runCommand('Savepoint: Open memory');
  await startImport(host, CHATS);
  await closeWindow(host);
  await expect.poll(() => work(host).innerText()).toMatch(/Import chats, [1-9]\d?%/u);
  await expectNoViolations(host.page, '.savepoint-pages');
  await work(host).getByRole('button', { name: 'Open' }).click();
  await expect.poll(() => host.page.locator('.modal').innerText()).toContain('read so far');
  await closeWindow(host);
  await work(host).getByRole('button', { name: 'Stop' }).click();
  const notice = host.page.locator('.notice', { hasText: 'Import chats: ' });
  await expect.poll(() => notice.innerText()).toContain('Stopped. Added conversations are kept');
  expect(await work(host).count()).toBe(0);
});

test('an import that a crash has ended is offered again, and adds what is left', async () => {
  const before = await open({ isRestarted: true });
  await startImport(before, CHATS);
  await expect.poll(() => status(before).innerText()).toMatch(/Import chats, [2-9]\d%/u);
  const host = await before.restart('crash');
  const { messages } = await imported(host);
  expect(messages.size).toBeGreaterThan(0);
  expect(messages.size).toBeLessThan(40 * CHATS);
  const notice = host.page.locator('.notice', { hasText: 'conversations.json was interrupted' });
  await notice.getByRole('button', { name: 'Import chats…' }).click();
  await closeWindow(host);
  await startImport(host, CHATS);
  const report = host.page.locator('.savepoint-import-preview');
  await expect.poll(() => report.innerText()).toContain('already imported.');
  expect((await imported(host)).messages.size).toBe(40 * CHATS);
});

test('the memory is verified while its window is closed', async () => {
  const host = await open({});
  await host.page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          const close = document.querySelector<HTMLElement>('.modal-close-button');
          if (!close) return;
          observer.disconnect();
          close.click();
          resolve();
        });
        observer.observe(document.body, { childList: true, subtree: true });
        window.__host.host.app.commands.executeCommandById('savepoint:verify-memory');
      }),
  );
  const notice = host.page.locator('.notice', { hasText: 'Verify memory: ' });
  await notice.getByRole('button', { name: 'Show report' }).click();
  await expect.poll(() => host.page.locator('.modal').innerText()).toContain('Verify again');
});
