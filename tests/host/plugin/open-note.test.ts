import { expect, test } from 'vitest';
import { inFull, someOf } from '../../tier.js';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { button, choose, composer, messages, openChat, say, settled } from './chat-window.js';

const testInFull = test.runIf(inFull('further cases of open note'));

const SECRET_WORDS = 'Turnips go to the south bed.';

async function openNote({ page }: ChromiumHost, path: string): Promise<void> {
  await page.evaluate(async (wanted) => {
    const { workspace } = window.__host.host.app;
    await workspace.openLinkText(wanted, '', false, { state: { mode: 'source' } });
  }, path);
}

const chip = ({ page }: ChromiumHost) => page.locator('.savepoint-open-note');
const toggle = (host: ChromiumHost) => chip(host).locator('[aria-pressed]');

/** Returns the log's text. */
async function logged(host: ChromiumHost): Promise<string> {
  return JSON.stringify(
    Object.entries(await host.snapshot()).filter(([path]) => path.startsWith('Savepoint/')),
  );
}

async function openWithNote(count: number, settings: object = {}) {
  const opened = await openChat(
    Array.from({ length: count }, (_, at) => ({ says: [{ text: `Answer ${at + 1}.` }] })),
    {
      settings,
      files: {
        'Beds.md': SECRET_WORDS,
        'Private/Diary.md': 'Nobody reads this.',
        'Long.md': `${'x'.repeat(39_999)}\u{1f331}${'y'.repeat(5000)}`,
      },
    },
  );
  await openNote(opened.host, 'Beds.md');
  await chip(opened.host).waitFor();
  return opened;
}

test('a local server gets the open note, and the log has only its path and hash', async () => {
  const { host, server } = await openWithNote(2);
  expect(await toggle(host).getAttribute('aria-pressed')).toBe('true');
  await say(host, 'Summarise this note');
  await settled(host);
  const first = JSON.stringify(server.requests[0]?.body);
  expect(first).toContain(SECRET_WORDS);
  expect(first).toContain('Beds.md');
  const log = await logged(host);
  expect(log).toContain('Beds.md');
  expect(log).toMatch(/hash\\*":\\*"[0-9a-f]{64}/);
  expect(log).not.toContain(SECRET_WORDS);
  await expectNoViolations(host.page, '.savepoint-chat');

  await host.page.evaluate(async () => {
    const { plugins } = window.__host.host.app;
    await plugins.disablePlugin('savepoint');
    await plugins.enablePlugin('savepoint');
  });
  await host.runCommand('Savepoint: Open chat');
  await choose(host, 'All conversations');
  await host.page.locator('.savepoint-line').first().click();
  await expect.poll(() => messages(host).first().innerText()).toContain('Text not stored');
  await chip(host).getByRole('button', { name: 'Remove Beds' }).click();
  await say(host, 'And in one word?');
  await settled(host);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(SECRET_WORDS);
});

testInFull('neither a chip that is off nor a removed one sends the note', async () => {
  const { host, server } = await openWithNote(3);
  await toggle(host).focus();
  await host.page.keyboard.press('Enter');
  await expect.poll(() => toggle(host).getAttribute('aria-pressed')).toBe('false');
  await say(host, 'Summarise this note');
  await settled(host);
  await toggle(host).click();
  await expect.poll(() => toggle(host).getAttribute('aria-pressed')).toBe('true');
  await chip(host).getByRole('button', { name: 'Remove Beds' }).click();
  await expect.poll(() => chip(host).count()).toBe(0);
  await say(host, 'Summarise it now');
  await settled(host);
  expect(server.requests.map(({ body }) => JSON.stringify(body)).join('')).not.toContain(
    SECRET_WORDS,
  );
  expect(await logged(host)).not.toContain('Beds.md');
});

testInFull('an excluded note has no chip, and a long one is cut', async () => {
  const { host, server } = await openWithNote(1, { excludedFolders: ['Private'] });
  await openNote(host, 'Private/Diary.md');
  await expect.poll(() => chip(host).count()).toBe(0);
  await openNote(host, 'Long.md');
  await expect.poll(() => chip(host).innerText()).toContain('first 40,000 characters');
  await say(host, 'Summarise this note');
  await settled(host);
  const sent = JSON.stringify(server.requests[0]?.body);
  expect(sent).toContain('x'.repeat(39_999));
  expect(sent).not.toMatch(/y{10}/);
  expect(sent).toContain('of 45001 characters');
});

testInFull(
  'the selection is sent, and an answer replaces it in the editor, which can undo',
  async () => {
    const { host, server } = await openWithNote(1);
    const editing = (task: 'select' | 'undo' | 'read') =>
      host.page.evaluate((wanted) => {
        const leaf = window.__host.host.app.workspace.getMostRecentLeaf();
        const { editor } = leaf?.view as unknown as {
          editor: {
            setSelection: (from: object, to: object) => void;
            undo: () => void;
            getValue: () => string;
          };
        };
        if (wanted === 'select') editor.setSelection({ line: 0, ch: 0 }, { line: 0, ch: 7 });
        if (wanted === 'undo') editor.undo();
        return editor.getValue();
      }, task);
    await editing('select');
    await expect.poll(() => chip(host).innerText()).toContain('selection');
    await say(host, 'A better word?');
    await settled(host);
    expect(JSON.stringify(server.requests[0]?.body)).toContain(
      'the selection in the note \\"Beds.md\\":\\n> Turnips',
    );
    await button(host, 'Replace selection').press('Enter');
    expect(await editing('read')).toBe('Answer 1. go to the south bed.');
    await editing('undo');
    expect(await editing('read')).toBe(SECRET_WORDS);
    await button(host, 'Insert at cursor').press('Enter');
    expect(await editing('read')).toContain('Answer 1.');
    await composer(host).focus();
  },
);

testInFull.each(someOf([false, true], 1))(
  'a provider elsewhere gets the note only once the user has said so (phone: %s)',
  async (isMobile) => {
    const { host, server } = await openChat([], {
      isMobile,
      settings: { providers: { google: { address: '', model: 'pro' } }, chatProvider: 'google' },
      files: { 'Beds.md': SECRET_WORDS },
    });
    await host.page.evaluate(() =>
      window.__host.host.app.secretStorage.setSecret('savepoint-google', 'key'),
    );
    await openNote(host, 'Beds.md');
    if (isMobile) await host.runCommand('Savepoint: Open chat');
    await chip(host).waitFor();
    expect(await toggle(host).getAttribute('aria-pressed')).toBe('false');
    const help = host.page.locator('.savepoint-open-note-help');
    expect(await help.innerText()).toContain('Google');
    await expectNoViolations(host.page, '.savepoint-chat');
    await toggle(host).focus();
    await host.page.keyboard.press('Space');
    await expect.poll(() => toggle(host).getAttribute('aria-pressed')).toBe('true');
    expect(await help.count()).toBe(0);
    await expect
      .poll(async () =>
        JSON.stringify((await host.snapshot())['.obsidian/plugins/savepoint/data.json']),
      )
      .toContain('openNoteChoices');
    const sides = await host.page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(sides[0]).toBe(sides[1]);
    expect(server.requests).toEqual([]);
  },
);
