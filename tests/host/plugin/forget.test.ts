import { expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { createTestVault, stateNamed } from '../../fakes/test-vault.js';
import { createMemoryForgetStore } from '../../storage/helpers.js';
import { inFull } from '../../tier.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open, type OpenOptions } from '../shared-browser.js';
import { choose, composer, messages, openChat, say, settled } from './chat-window.js';
import { formsOf, placesWith } from './leftovers.js';
import { openSettings, press, row } from './settings-window.js';

const testInFull = test.runIf(inFull('further cases of forgetting in the app'));

const SECRET = 'the "door" opens with Xq7-umbrella-violin';
const FORMS = [...formsOf(SECRET), 'umbrella-violin'];

function filesOf(files: MemoryFiles): Record<string, string> {
  return Object.fromEntries(files.paths().map((path) => [path, files.text(path)]));
}

/** Writes what another device has changed, as a sync service does. */
async function arrive(
  { page }: ChromiumHost,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Promise<void> {
  const changed = Object.entries(after).filter(([path, text]) => before[path] !== text);
  await page.evaluate(async (entries) => {
    const { medium, host: running } = window.__host;
    for (const [path, text] of entries) {
      const folder = path.split('/').slice(0, -1).join('/');
      if (!(await running.app.vault.adapter.exists(folder))) await medium.mkdir(folder);
      await medium.write(path, new TextEncoder().encode(text));
    }
  }, changed);
}

const secretState = stateNamed('Access', {
  conversationContext: `Say that ${SECRET}`,
  decisions: [`Use it, ${SECRET}`],
});

/** Calls a tool in the app, as its user. */
async function call({ page }: ChromiumHost, tool: string, params: object): Promise<void> {
  const isDone = await page.evaluate(
    async ([name, given]) => {
      const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
        sessions: {
          savepoint: {
            get(): { call(tool: string, params: object): Promise<{ success: boolean }> };
          };
        };
      };
      return (await plugin.sessions.savepoint.get().call(name, given)).success;
    },
    [tool, params] as const,
  );
  expect(isDone).toBe(true);
}

function line({ page }: ChromiumHost, name: string) {
  return page.locator('.savepoint-line').filter({ hasText: name });
}

function modal({ page }: ChromiumHost) {
  return page.locator('.modal');
}

function notice({ page }: ChromiumHost, text: string) {
  return page.locator('.notice', { hasText: text });
}

/** Opens the menu of a page's header, and chooses an entry of it, with the keyboard. */
async function chooseMore(
  host: ChromiumHost,
  pane: string,
  entry: string,
  name = 'More actions',
): Promise<void> {
  const more = host.page.locator(pane).getByRole('button', { name, exact: true });
  await press(host.page, more);
  const selected = host.page.locator('.menu-item.selected');
  for (let presses = 0; presses < 20; presses++) {
    await host.press('ArrowDown');
    if ((await selected.textContent()) === entry) return host.press('Enter');
  }
  throw new Error(`The menu has no entry "${entry}"`);
}

test('a state is forgotten with the keyboard alone, and no byte of it is left', async () => {
  const host = await open({});
  const { page } = host;
  await host.runCommand('Savepoint: Open memory');
  await call(host, 'createState', stateNamed('Beds'));
  await call(host, 'createState', stateNamed('Notes', { activeTask: `Say that ${SECRET}` }));
  await call(host, 'createState', secretState);
  await call(host, 'searchMemory', { query: 'umbrella violin' });
  await call(host, 'createState', stateNamed('After'));
  await openSettings(host);
  await press(page, row(page, 'Write each state as a note').locator('input').first(), 'Space');
  await row(page, 'Notes of states').getByText('notes are up to date').waitFor();
  await host.press('Escape');
  expect((await placesWith(host, FORMS)).join()).toContain('Savepoint/notes/');
  await line(host, 'Default').first().click();
  await line(host, 'Access').first().click();
  await page.getByRole('article').getByText('Say that').waitFor();
  await expect.poll(async () => (await placesWith(host, FORMS)).length).toBeGreaterThan(2);

  await chooseMore(host, '.savepoint-view', 'Forget…');
  await modal(host).getByText('This is removed for good:').waitFor();
  const focused = page.locator('.modal button:focus');
  expect(await focused.textContent()).toBe('Cancel');
  expect(await modal(host).innerText()).toContain('State "Access"');
  expect(await modal(host).innerText()).toContain('This cannot be undone.');
  const other = modal(host).getByLabel(/^State "Notes"/);
  await press(page, other, 'Space');
  expect(await other.isChecked()).toBe(true);
  await press(page, modal(host).getByRole('button', { name: 'Forget', exact: true }));

  await notice(host, 'Removed "Access" for good.').waitFor();
  await expect.poll(() => line(host, 'Access').count()).toBe(0);
  await line(host, 'Beds').first().waitFor();
  await line(host, 'After').first().waitFor();
  expect(await page.locator(':focus').getAttribute('role')).toBe('tree');
  await expect.poll(() => placesWith(host, FORMS)).toEqual([]);
  await call(host, 'createState', stateNamed('Access'));
  await line(host, 'Access').first().waitFor();
});

testInFull('what a workspace contained before is forgotten with the keyboard alone', async () => {
  const host = await open({});
  const { page } = host;
  await host.runCommand('Savepoint: Open memory');
  const fields = { description: 'Beds', rootFolder: '/', purpose: `Know that ${SECRET}` };
  await call(host, 'createWorkspace', { name: 'Garden', ...fields, keyFiles: [`${SECRET}.md`] });
  await call(host, 'createState', stateNamed('Plan', { workspaceId: 'Garden' }));
  await line(host, 'Garden').first().click();
  await line(host, 'Plan').first().waitFor();
  await chooseMore(host, '.savepoint-view', 'Forget earlier texts…');
  await modal(host).getByText('It contains all that it ever contained.').waitFor();
  await host.press('Escape');
  await call(host, 'updateWorkspace', { name: 'Garden', purpose: 'Vegetables', keyFiles: [] });

  await chooseMore(host, '.savepoint-view', 'Forget earlier texts…');
  await modal(host).getByText('it stays as it is now').waitFor();
  expect(await modal(host).innerText()).toContain('delete them yourself');
  await expectNoViolations(page);
  await press(page, modal(host).getByRole('button', { name: 'Forget', exact: true }));
  await notice(host, 'Removed what "Garden" contained before for good.').waitFor();
  await expect.poll(() => placesWith(host, FORMS)).toEqual([]);
  await line(host, 'Plan').first().waitFor();
});

testInFull('a conversation is deleted, and the states that it saved stay', async () => {
  const args = stateNamed('Doors', { activeTask: 'Ask about the lock' });
  const { host } = await openChat(
    [
      { says: [{ text: SECRET }, { call: { id: 'call-1', name: 'createState', args } }] },
      { says: [{ text: `Saved. Remember ${SECRET}` }] },
    ],
    { settings: { allowedTools: ['createState'] } },
  );
  const { page } = host;
  await say(host, `Remember: ${SECRET}`);
  await settled(host);
  await expect.poll(() => messages(host).count()).toBeGreaterThan(2);
  await choose(host, 'New conversation');
  await page.locator('.savepoint-continue').waitFor();
  await choose(host, 'All conversations');
  await line(host, 'Remember').first().click();
  await composer(host).fill(`A draft about ${SECRET}`);
  await expect.poll(async () => (await placesWith(host, FORMS)).join()).toContain('draft');

  await chooseMore(host, '.savepoint-chat', 'Delete conversation…');
  await modal(host).getByText('They stay, unless you select them:').waitFor();
  expect(await modal(host).getByLabel('State "Doors"').isChecked()).toBe(false);
  await press(page, modal(host).getByRole('button', { name: 'Delete', exact: true }));

  await notice(host, 'for good.').waitFor();
  await expect.poll(() => messages(host).count()).toBe(0);
  expect(await composer(host).inputValue()).toBe('');
  await choose(host, 'All conversations');
  await page.getByText('No conversations').first().waitFor();
  await expect.poll(() => placesWith(host, FORMS)).toEqual([]);
  await host.runCommand('Savepoint: Open memory');
  await line(host, 'Default').first().click();
  await line(host, 'Doors').first().waitFor();
});

testInFull('a message that was typed about something goes with it', async () => {
  const { host } = await openChat([{ says: [{ text: 'Yes.' }] }]);
  const { page } = host;
  await say(host, 'Hello');
  await settled(host);
  await call(host, 'createState', secretState);
  await composer(host).fill(`I should say that:\nSay that ${SECRET}`);
  await choose(host, 'New conversation');
  await page.locator('.savepoint-continue').waitFor();
  await composer(host).fill(`Say that ${SECRET}`);
  await expect.poll(async () => (await placesWith(host, FORMS)).join()).toContain('draft-new');

  await host.runCommand('Savepoint: Open memory');
  await line(host, 'Default').first().click();
  await line(host, 'Access').first().click({ button: 'right' });
  await page.locator('.menu-item', { hasText: 'Forget…' }).click();
  await press(page, modal(host).getByRole('button', { name: 'Forget', exact: true }));
  await notice(host, 'for good.').waitFor();
  await expect.poll(() => placesWith(host, FORMS)).toEqual([]);
  expect(await composer(host).inputValue()).toBe('');
});

/** Opens the app on a device that has copies of what another one then forgets. */
async function afterForgetting(options: OpenOptions = {}): Promise<ChromiumHost> {
  const clock = createTestClock(Date.now());
  const laptop = createTestVault({ forgetStore: createMemoryForgetStore(), clock });
  await laptop.data('createState', stateNamed('Beds'));
  await laptop.data('createState', secretState);
  await laptop.idle();
  const before = filesOf(laptop.files);
  const host = await open({ ...options, files: before });
  const { names } = (options.language === 'de' ? germanTexts() : en).commands;
  await host.runCommand(`Savepoint: ${names.openMemory}`);
  await line(host, 'Default').first().click();
  await line(host, 'Access').first().waitFor();
  await expect.poll(async () => (await placesWith(host, FORMS)).join()).toContain('copies');
  const { lines } = await readLogLines(laptop.files, 'Savepoint');
  const named = lines.filter(({ bytes }) => new TextDecoder().decode(bytes).includes('umbrella'));
  await laptop.log.forgetting.forget(named, true);
  await laptop.log.close();
  await arrive(host, before, filesOf(laptop.files));
  await expect.poll(() => line(host, 'Access').count()).toBe(0);
  return host;
}

const NOTICE = 'asked to remove';

testInFull('another device says once what is removed, and agrees', async () => {
  const host = await afterForgetting();
  const { page } = host;
  await notice(host, NOTICE).getByRole('button', { name: 'Review' }).click();
  await modal(host).getByText('State "Access"').waitFor();
  expect(await modal(host).innerText()).toContain('device-1');
  await call(host, 'createState', stateNamed('Later'));
  expect(await notice(host, NOTICE).count()).toBe(0);
  expect(await modal(host).innerText()).toContain(
    'told on seven days (so far 1), unless you refuse',
  );
  expect(await placesWith(host, FORMS)).not.toEqual([]);
  await press(page, modal(host).getByRole('button', { name: 'Agree now' }));
  await notice(host, 'Removed for good from this device: ').waitFor();
  await modal(host).getByText('Nothing is waiting for your decision.').waitFor();
  await expect.poll(() => placesWith(host, FORMS)).toEqual([]);
  await host.press('Escape');
  await line(host, 'Beds').first().waitFor();
  expect(await line(host, 'Access').count()).toBe(0);
});

testInFull('another device refuses in the settings, and shows it again', async () => {
  const host = await afterForgetting();
  const { page } = host;
  await notice(host, NOTICE).waitFor();
  await openSettings(host);
  await press(page, row(page, 'Storage'));
  await page.getByText('1 request is waiting for your decision.').waitFor();
  await press(page, row(page, 'Removal requests').getByRole('button', { name: 'Review' }));
  await press(page, modal(host).last().getByRole('button', { name: 'Refuse' }));
  await notice(host, 'Kept on this device').waitFor();
  await modal(host).last().getByText('You refused.').waitFor();
  await host.press('Escape');
  await page.getByText('Nothing is waiting for your decision.').waitFor();
  await host.press('Escape');
  await line(host, 'Access').first().waitFor();
});

testInFull('a new device says nothing about what was forgotten before', async () => {
  const clock = createTestClock(Date.now());
  const laptop = createTestVault({ forgetStore: createMemoryForgetStore(), clock });
  await laptop.data('createState', secretState);
  await laptop.idle();
  const { lines } = await readLogLines(laptop.files, 'Savepoint');
  await laptop.log.forgetting.forget(lines, true);
  await laptop.log.close();
  const host = await open({ files: filesOf(laptop.files) });
  await openSettings(host);
  await press(host.page, row(host.page, 'Storage'));
  await host.page.getByText('Nothing is waiting for your decision.').waitFor();
  expect(await notice(host, NOTICE).count()).toBe(0);
});

testInFull('a conversation that another device deletes disappears from its panel', async () => {
  const files = createMemoryFiles();
  const { host } = await openChat([{ says: [{ text: 'Noted.' }] }]);
  await say(host, 'Something private');
  await settled(host);
  for (const [path, file] of Object.entries(await host.snapshot()))
    if (path.startsWith('Savepoint/'))
      files.put(path, typeof file === 'string' ? file : 'text' in file ? String(file.text) : '');
  const before = filesOf(files);
  const other = createTestVault({ files, seed: 2, clock: createTestClock(Date.now()) });
  await other.log.memory();
  const { lines } = await readLogLines(files, 'Savepoint');
  const said = lines.filter(({ lane }) => lane === 'chat');
  await other.log.forgetting.forget(said, false);
  await other.log.close();
  await arrive(host, before, filesOf(files));
  await notice(host, NOTICE).waitFor();
  await expect.poll(() => messages(host).count()).toBe(0);
  await say(host, 'Something else');
  await settled(host);
  await expect.poll(() => messages(host).count()).toBe(2);
});

testInFull.each([
  ['en', 1280, 'ltr'],
  ['en', 380, 'rtl'],
  ['de', 1280, 'rtl'],
  ['de', 380, 'ltr'],
] as const)(
  'every screen of it has no violation (%s, %i px, %s)',
  async (language, width, direction) => {
    const { forget, commands, memoryView } = language === 'de' ? germanTexts() : en;
    const host = await afterForgetting({ language, width, isMobile: width < 400 });
    const { page } = host;
    const check = async () => {
      await page.mouse.move(1, 1); // the colours of a button under the pointer are the app's
      for (const theme of AXE_THEMES) {
        await host.setTheme(theme);
        await expectNoViolations(page);
      }
      const overflow = await page.evaluate(() => document.body.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    };
    await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
    await notice(host, 'device-1').waitFor();
    await check();
    await notice(host, 'device-1').getByRole('button', { name: forget.requests.review }).click();
    await modal(host).getByRole('button', { name: forget.requests.agree }).waitFor();
    await check();
    await host.press('Escape');
    await host.runCommand(`Savepoint: ${commands.names.forgetState}`);
    await page.locator('.suggestion-item', { hasText: 'Beds' }).click();
    await modal(host).getByText(forget.final).waitFor();
    await check();
    await host.press('Escape');
    for (const description of ['Old', 'New'])
      await call(host, 'updateWorkspace', { name: 'Default', description });
    await chooseMore(host, '.savepoint-view', forget.earlierAction, memoryView.more);
    await modal(host).getByText(forget.final).waitFor();
    await check();
  },
);
