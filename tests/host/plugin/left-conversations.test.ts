// Tier full: conversations that the app leaves
import { expect, onTestFinished, test } from 'vitest';
import type { ChromiumHost } from '../chromium.js';
import { messages, openChat, say, settled } from './chat-window.js';

const TASK =
  'Plan the south beds with tomatoes, beans, courgettes and whatever else likes the sun there';
const words = Array.from({ length: 2000 }, (_, at) => ({ text: `word${at} ` }));

function entries({ page }: ChromiumHost) {
  return page.getByRole('region', { name: 'Continue' }).locator('.savepoint-line-title > bdi');
}

test('a crash right after sending leaves the conversation in Continue, by its name', async () => {
  const { host } = await openChat([{ says: words, pace: 100 }], { isRestarted: true });
  await say(host, TASK);
  await messages(host).nth(1).waitFor();
  const name = await host.page.locator('.savepoint-header-title').first().innerText();
  const again = await host.restart('crash');
  onTestFinished(() => again.close());
  await again.runCommand('Savepoint: New conversation');
  await expect.poll(() => entries(again).allInnerTexts()).toEqual([name]);
});

test('an answer that is cut off because the plugin ends was not stopped by you', async () => {
  const { host } = await openChat([{ says: words, pace: 100 }], { isRestarted: true });
  await say(host, TASK);
  await expect.poll(() => messages(host).last().innerText()).toContain('word5');
  const again = await host.restart();
  onTestFinished(() => again.close());
  await settled(again);
  await expect.poll(() => messages(again).last().innerText()).toContain('word5');
  const last = await messages(again).last().innerText();
  expect(last).toContain('Obsidian was closed before the answer was complete.');
  expect(last).not.toContain('You stopped this answer.');
});
