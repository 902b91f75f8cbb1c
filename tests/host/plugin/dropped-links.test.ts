// Tier full: forms of dragged links
import { expect, test } from 'vitest';
import { composer, openChat } from './chat-window.js';

test.each([
  ['a note', 'obsidian://open?vault=Vault&file=Peas%20%26%20more', 'Peas & more.md'],
  ['a heading', 'obsidian://open?vault=Vault&file=Peas%20%26%20more%23Rows', 'Peas & more.md'],
  ['a block', 'obsidian://open?vault=Vault&file=%F0%9F%8C%B1%2FBeans%23%5Erow', '🌱/Beans.md'],
  ['a name with a number sign', 'obsidian://open?vault=Vault&file=C%23', 'C#.md'],
])('a dragged link to %s attaches the note', async (_, link, path) => {
  const { host } = await openChat([], {
    files: { 'Peas & more.md': '# Rows', '🌱/Beans.md': 'One. ^row', 'C#.md': 'A note.' },
  });
  await composer(host).evaluate((area, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', text);
    area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, link);
  const chips = host.page.locator('.savepoint-chip:has(.savepoint-cut)');
  await expect.poll(() => chips.allInnerTexts()).toEqual([path]);
});
