// Tier full: tables at each width
import { expect, test } from 'vitest';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { messages, openChat, say, settled } from './chat-window.js';

const HEAD = ['Vegetable', 'Harvested', 'Sold', 'Compost', 'Date', 'Remaining stock'];
const ROWS = [
  ['Courgettes', '310', '1,250.75', '−12.5%', '2026-11-30', 'Refrigerated or dried, as it comes'],
  ['Strawberries', '48', '10,000,000', '3.5 kg', '2026-12-01', 'Unrefrigerated'],
];
const TABLE = [HEAD, HEAD.map(() => '---'), ...ROWS]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n');

const STANDING = `| Section | State |
| --- | --- |
| 3.1 Catches by park | done |
| 3.3 Lamps changed in May | new estimates |`;

/** Returns the words and numbers that stand on more than one line, and where the table ends. */
function measure({ page }: ChromiumHost) {
  return page.locator('.savepoint-words table').evaluate((table) => {
    const texts = [...table.querySelectorAll('th, td')].map(({ firstChild }) => firstChild as Text);
    const broken = texts.flatMap((node) => {
      const parts = [...node.data.matchAll(/^[\d.−-]+(?: kg)?$|\S+/g)];
      return parts.filter(({ 0: part, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + part.length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
      });
    });
    const { left, right } = table.getBoundingClientRect();
    const chat = table.closest('.savepoint-chat')!;
    return {
      broken: broken.map(([part]) => part),
      isInside: left >= 0 && right <= window.innerWidth,
      scrolls: table.scrollWidth > table.clientWidth,
      chatScrolls: chat.scrollWidth > chat.clientWidth,
    };
  });
}

test.each([
  [320, 'ltr', 'dark'],
  [380, 'ltr', 'light'],
  [380, 'rtl', 'dark'],
] as const)(
  'no number or word of a table breaks, at %i px, %s, %s',
  async (width, direction, theme) => {
    const { host } = await openChat([{ says: [{ text: TABLE }] }], {
      isMobile: true,
      width,
      height: 700,
    });
    await host.setTheme(theme);
    await host.page.evaluate((dir) => (document.documentElement.dir = dir), direction);
    await say(host, 'What is left?');
    await settled(host);
    expect(await messages(host).last().locator('td').count()).toBe(12);
    const table = { broken: [], isInside: true, scrolls: true, chatScrolls: false };
    await host.page.locator('.savepoint-words td.savepoint-number').first().waitFor();
    expect(await measure(host)).toEqual(table);
    await expectNoViolations(host.page, '.savepoint-chat');
  },
);

test.each(['light', 'dark'] as const)(
  'a sidebar shows a whole table of text, %s',
  async (theme) => {
    const { host } = await openChat([{ says: [{ text: STANDING }] }], { theme });
    await say(host, 'Where do I stand?');
    await settled(host);
    await messages(host).last().locator('td').first().waitFor();
    const table = { broken: [], isInside: true, scrolls: false, chatScrolls: false };
    await expect.poll(() => measure(host)).toEqual(table);
  },
);
