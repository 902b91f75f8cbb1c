import { expect, test } from 'vitest';
import { stateNamed } from '../../fakes/test-vault.js';
import { inFull } from '../../tier.js';
import type { ChromiumHost } from '../chromium.js';
import {
  button,
  choose,
  messages,
  openChat,
  type OpenedChat,
  say,
  settled,
} from './chat-window.js';
import { formsOf, placesWith } from './leftovers.js';
import { press } from './settings-window.js';

const testInFull = test.runIf(inFull('further cases of the open note that is sent once'));

const CHAPTER = Array.from(
  { length: 480 },
  (_, at) =>
    `Line ${at + 1} of the chapter about turnips, which says nothing new but has its number.`,
).join('\n');
const NOTE = `${CHAPTER}\n`.padEnd(44_000, 'The end is near. ');
const LINE_NINE = 'Line 9 of the chapter about turnips';
const FORMS = formsOf(LINE_NINE);

async function openNote({ page }: ChromiumHost): Promise<void> {
  await page.evaluate(async () => {
    const { workspace } = window.__host.host.app;
    await workspace.openLinkText('Chapter.md', '', false, { state: { mode: 'source' } });
  });
  await page.locator('.savepoint-open-note').waitFor();
}

async function openWithNote(options: { isRestarted?: boolean } = {}): Promise<OpenedChat> {
  const opened = await openChat([{ says: [{ text: 'Yes.' }] }], {
    ...options,
    files: { 'Chapter.md': NOTE },
  });
  await openNote(opened.host);
  return opened;
}

async function ask(host: ChromiumHost, words: string): Promise<void> {
  await say(host, words);
  await settled(host);
}

/** Writes the note as another program does; an editor that shows it follows. */
async function write({ page }: ChromiumHost, text: string): Promise<void> {
  await page.evaluate(async (changed) => {
    const { vault } = window.__host.host.app;
    await vault.modify(vault.getFileByPath('Chapter.md')!, changed);
  }, text);
}

/** Returns the share of a request that the next one begins with. */
function sameShare(earlier: string, later: string): number {
  let at = 0;
  while (at < earlier.length && earlier[at] === later[at]) at++;
  return at / earlier.length;
}

/** Returns how often a text is in the messages of a request. */
const countIn = (text: string, wanted: string) => text.split(wanted).length - 1;

const cards = (host: ChromiumHost) => host.page.locator('.savepoint-data-card');

async function reopenConversation(host: ChromiumHost): Promise<void> {
  await host.runCommand('Savepoint: Open chat');
  await choose(host, 'All conversations');
  await host.page.locator('.savepoint-line').first().click();
  await messages(host).first().waitFor();
}

test('the eighth request about an unchanged note has its text once, where it was', async () => {
  const { host, server } = await openWithNote();
  for (let at = 1; at <= 8; at++) await ask(host, `Anything new? ${at}`);
  const texts = server.requests.map(({ text }) => text);
  expect(texts.length).toBe(8);
  expect(texts[0]!.length).toBeGreaterThan(40_000);
  expect(texts[7]!.length / texts[0]!.length).toBeLessThan(1.2);
  expect(texts.map((text) => countIn(text, LINE_NINE))).toEqual(texts.map(() => 1));
  for (const [at, later] of texts.slice(1).entries())
    expect(sameShare(texts[at]!, later)).toBeGreaterThan(0.9);
  expect(countIn(texts[7]!, 'Unchanged since it was sent')).toBe(7);
  expect(await cards(host).count()).toBe(1);
});

testInFull('after a restart the request begins with the same bytes', async () => {
  const { host, server } = await openWithNote({ isRestarted: true });
  await ask(host, 'What is it about?');
  const changed = NOTE.replace(LINE_NINE, 'Row nine of the chapter about beets');
  await write(host, changed);
  await ask(host, 'And now?');
  const next = await host.restart();
  await reopenConversation(next);
  await openNote(next);
  await ask(next, 'And after the restart?');
  const [first, second, third] = server.requests.map(({ text }) => text);
  expect(sameShare(first!, second!)).toBeGreaterThan(0.9);
  expect(sameShare(second!, third!)).toBeGreaterThan(0.9);
  expect(countIn(third!, LINE_NINE)).toBe(2); // whole, and as the line that was removed
  await next.close();
});

test('the model gets the changed lines with their numbers, and the whole if most changed', async () => {
  const { host, server } = await openWithNote();
  await ask(host, 'What is it about?');
  await write(host, NOTE.replace(LINE_NINE, 'Row nine of the chapter about beets'));
  await ask(host, 'And now?');
  const second = server.requests[1]!.text;
  for (const told of [
    'from the lines that changed, with their numbers',
    '> @@ -7,5 +7,5 @@',
    `> -${LINE_NINE}`,
    '> +Row nine of the chapter about beets',
  ])
    expect(countIn(second, told), told).toBe(1);
  expect(countIn(second, 'Line 40 of')).toBe(1);
  expect(await cards(host).count()).toBe(1);

  await write(host, NOTE.replaceAll('turnips', 'parsnips'));
  await ask(host, 'And now?');
  await ask(host, 'Really?');
  const [third, fourth] = server.requests.slice(2).map(({ text }) => text);
  expect(countIn(third!, 'Line 40 of')).toBe(2);
  expect(countIn(third!, 'Line 40 of the chapter about parsnips')).toBe(1);
  expect(countIn(third!, 'from the changed text of the note')).toBe(1);
  expect(sameShare(second, third!)).toBeGreaterThan(0.9);
  expect(countIn(fourth!, 'Line 40 of')).toBe(2);
});

testInFull('another device sends the note as it is now, once', async () => {
  const { host, server } = await openWithNote({ isRestarted: true });
  await ask(host, 'What is it about?');
  await write(host, NOTE.replaceAll('turnips', 'parsnips'));
  const next = await host.restart();
  // the database is what another device lacks
  await next.page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases())
      await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve));
  });
  await reopenConversation(next);
  await openNote(next);
  await ask(next, 'And here?');
  await ask(next, 'Really?');
  const [second, third] = server.requests.slice(1).map(({ text }) => text);
  expect(countIn(second!, 'about turnips')).toBe(0);
  expect(countIn(second!, 'Line 40 of the chapter about parsnips')).toBe(1);
  expect(second!.indexOf('Line 40 of')).toBeGreaterThan(second!.indexOf('What is it about?'));
  expect(countIn(third!, 'Line 40 of the chapter about parsnips')).toBe(1);
  expect(sameShare(second!, third!)).toBeGreaterThan(0.9);
  await next.close();
});

async function confirm(host: ChromiumHost, button: string): Promise<void> {
  const modal = host.page.locator('.modal');
  await modal.getByText('This is removed for good:').waitFor();
  await press(host.page, modal.getByRole('button', { name: button, exact: true }));
  await host.page.locator('.notice', { hasText: 'for good.' }).waitFor();
}

/** Each removes something, after which no database may have the note's text. */
const REMOVALS: [name: string, remove: (host: ChromiumHost) => Promise<void>][] = [
  [
    'Forget',
    async (host) => {
      await host.page.evaluate(async (state) => {
        const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
          sessions: { savepoint: { get(): { call(tool: string, params: object): unknown } } };
        };
        await plugin.sessions.savepoint.get().call('createState', state);
      }, stateNamed('Beds'));
      await host.runCommand('Savepoint: Forget state');
      await host.page.locator('.prompt-results .suggestion-item', { hasText: 'Beds' }).click();
      await confirm(host, 'Forget');
    },
  ],
  [
    'Rebuild cache',
    async (host) => {
      await host.runCommand('Savepoint: Rebuild cache');
      await host.page.locator('.notice', { hasText: 'rebuilt' }).first().waitFor();
    },
  ],
  [
    'deletion of the conversation',
    async (host) => {
      await press(host.page, button(host, 'More actions'));
      await host.page.locator('.menu-item', { hasText: 'Delete conversation…' }).click();
      await confirm(host, 'Delete');
    },
  ],
];

const databasesWith = async (host: ChromiumHost) =>
  (await placesWith(host, FORMS)).filter((place) => place.includes(' blobs '));

testInFull.each(REMOVALS)('no byte of it is left after %s', async (_, remove) => {
  const { host } = await openWithNote();
  await ask(host, 'What is it about?');
  await expect.poll(() => databasesWith(host)).toHaveLength(1);
  await remove(host);
  await expect.poll(() => databasesWith(host)).toEqual([]);
});
