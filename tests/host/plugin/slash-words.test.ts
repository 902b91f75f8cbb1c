// Tier full: types each slash word in a browser
import { expect, test } from 'vitest';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { composer, openChat } from './chat-window.js';
import { showAllFields, tabTo, textIn } from './settings-window.js';

const files = {
  'Garden.md': 'Beds.',
  'Prompts/Weekly review.md':
    '---\ndescription: Look back at the week\n---\nWhat did I finish this week?\nBe brief.',
  'Prompts/More/Plan.md': 'Plan the day.',
  'Private/Prompts/Diary.md': 'Nobody reads this.',
};

/** Opens a chat whose model says "Fine." to each message. Nothing is clicked from here on. */
async function openWithPrompts(settings: object = {}) {
  const opened = await openChat(
    Array.from({ length: 3 }, () => ({ says: [{ text: 'Fine.' }] })),
    { files, settings: { promptFolder: 'Prompts', ...settings } },
  );
  await opened.host.page.locator('.savepoint-composer textarea:focus').waitFor();
  return opened;
}

const offers = ({ page }: ChromiumHost) => page.locator('.savepoint-offer');
const titles = (host: ChromiumHost) => offers(host).locator('bdi').allTextContents();
const cards = ({ page }: ChromiumHost) => page.locator('.savepoint-call-card');

/** Types a slash command, and picks it in the list with Enter. */
async function pick(host: ChromiumHost, typed: string, listed = typed): Promise<void> {
  await host.page.locator('.savepoint-composer textarea:focus').waitFor();
  await host.page.keyboard.type(typed);
  await expect
    .poll(() => host.page.locator('.savepoint-offer.is-selected bdi').allTextContents())
    .toEqual([listed]);
  await host.press('Enter');
}

/** Types a value into each field of the open form, and submits it. */
async function fillIn(host: ChromiumHost, fields: Readonly<Record<string, string>>): Promise<void> {
  await host.page.locator('.modal .savepoint-form').waitFor();
  if ((await host.page.locator('.modal .savepoint-fold').count()) > 0)
    await showAllFields(host.page);
  for (const [label, value] of Object.entries(fields)) {
    await tabTo(host.page, host.page.locator('.modal').getByLabel(label, { exact: true }));
    await host.press('Control+a');
    await host.page.keyboard.type(value);
  }
  await host.press('Control+Enter');
  await expect.poll(() => host.page.locator('.modal').count()).toBe(0);
}

test('each word runs from the keyboard alone', async () => {
  const { host } = await openWithPrompts();
  const { page } = host;
  await page.keyboard.type('/');
  await expect
    .poll(() => titles(host))
    .toEqual([
      '/save',
      '/resume',
      '/find',
      '/task',
      '/decision',
      '/brief',
      '/Plan',
      '/Weekly-review',
      'More…',
    ]);
  await expectNoViolations(page, '.savepoint-chat');
  await host.press('Backspace');

  await pick(host, '/save');
  await fillIn(host, {
    Name: 'Beds drawn',
    'Where are you?': 'We drew the beds.',
    'What next?': 'Order plants\nCall the nursery',
    'Active files': 'Garden.md',
    Description: 'Before ordering',
    Tags: 'garden',
  });
  await expect.poll(() => cards(host).last().getAttribute('class')).toContain('mod-done');
  expect(await log(host)).toMatch(
    /"name":"Beds drawn".*"conversationContext":"We drew the beds\."/u,
  );
  expect(await log(host)).toMatch(/"nextSteps":\["Order plants","Call the nursery"\]/u);
  expect(await log(host)).toMatch(/"tags":\["garden"\]/u);

  await pick(host, '/task');
  await fillIn(host, {
    Title: 'Order tomatoes',
    Details: 'Three plants.',
    Files: 'Garden.md',
    'Remind me on': '03032030',
  });
  await expect.poll(() => log(host)).toMatch(/"kind":"task","title":"Order tomatoes"/u);
  expect(await log(host)).toMatch(/"\/remindAt":"2030-03-0/u);

  await pick(host, '/decision');
  await fillIn(host, { Title: 'No gravel', Details: 'It heats up.' });
  await expect
    .poll(() => log(host))
    .toMatch(/"kind":"decision","title":"No gravel","body":"It heats up\."/u);

  await pick(host, '/brief');
  await expect.poll(() => cards(host).count()).toBe(2);
  await expect.poll(() => cards(host).last().getAttribute('class')).toContain('mod-done');

  await pick(host, '/find');
  await page.locator('.prompt .savepoint-scopes').waitFor();
  await page.keyboard.type('gravel');
  await expect
    .poll(() => page.locator('.prompt-results .suggestion-title').allTextContents())
    .toContain('No gravel');
  await host.press('Escape');

  await pick(host, '/resume');
  await expect
    .poll(() => page.locator('.prompt-results .suggestion-title').allTextContents())
    .toEqual(['Beds drawn']);
  await host.press('Enter');
  await page.locator('.savepoint-data-card', { hasText: 'Beds drawn' }).waitFor();
});

test('what follows a word fills in what opens', async () => {
  const { host } = await openWithPrompts();
  const { page } = host;
  for (const [typed, label] of [
    ['/task Order seeds', 'Title'],
    ['/decision No gravel', 'Title'],
    ['/save Beds drawn', 'Name'],
  ] as const) {
    await page.locator('.savepoint-composer textarea:focus').waitFor();
    await page.keyboard.type(typed);
    await expect.poll(() => offers(host).count()).toBe(0);
    await host.press('Enter');
    await page.locator('.modal .savepoint-form').waitFor();
    await showAllFields(page);
    const field = page.getByLabel(label, { exact: true });
    expect(await field.inputValue()).toBe(typed.slice(typed.indexOf(' ') + 1));
    expect(await composer(host).inputValue()).toBe('');
    await host.press('Escape');
    const discard = page.getByRole('button', { name: 'Discard' });
    if (label === 'Title') {
      await tabTo(page, discard);
      await host.press('Enter');
    }
    await expect.poll(() => page.locator('.modal').count()).toBe(0);
  }
  await page.locator('.savepoint-composer textarea:focus').waitFor();
  await page.keyboard.type('/find tomatoes');
  await expect.poll(() => offers(host).count()).toBe(0);
  await host.press('Enter');
  await expect.poll(() => page.locator('.prompt-input').inputValue()).toBe('tomatoes');
});

test('"More" lists the tools, and each runs', async () => {
  const { host } = await openWithPrompts();
  const { page } = host;
  await page.keyboard.type('/');
  await expect.poll(() => titles(host)).toContain('More…');
  await host.press('ArrowUp');
  await host.press('Enter');
  await expect.poll(() => titles(host)).toContain('/listStates');
  const listed = await titles(host);
  expect(listed.length).toBeGreaterThan(20);
  expect(listed).not.toContain('/save');
  while ((await page.locator('.savepoint-offer.is-selected bdi').textContent()) !== '/archiveState')
    await host.press('ArrowDown');
  await host.press('Enter');
  await fillIn(host, { Name: 'No such' });
  await expect.poll(() => cards(host).innerText()).toContain('State "No such" not found.');
});

test('a note in the prompt folder becomes a message that can be changed', async () => {
  const { host, server } = await openWithPrompts({ excludedFolders: ['Prompts/More'] });
  await host.page.keyboard.type('/');
  await expect.poll(() => titles(host)).toContain('/Weekly-review');
  expect(await titles(host)).not.toContain('/Plan');
  expect(await offers(host).filter({ hasText: 'Weekly' }).innerText()).toContain(
    'Look back at the week',
  );
  await host.press('Backspace');
  await pick(host, '/Weekly-review');
  await expect
    .poll(() => composer(host).inputValue())
    .toBe('What did I finish this week?\nBe brief.');
  await host.press('Control+a');
  await host.press('Delete');
  await host.page.keyboard.type('/Weekly-review In French.');
  await host.press('Enter');
  await expect
    .poll(() => composer(host).inputValue())
    .toBe('What did I finish this week?\nBe brief.\nIn French.');
  expect(server.requests).toEqual([]);
  await host.press('Enter');
  await expect.poll(() => server.requests.length).toBe(1);
  expect(JSON.stringify(server.requests[0]?.body)).toContain('Be brief.\\nIn French.');
});

test('a word is typed in the language of the app, or in English', async () => {
  const host = await open({ language: 'de' });
  const { page } = host;
  await host.runCommand('Savepoint: Chat öffnen');
  await pick(host, '/aufgabe');
  await page.locator('.modal').getByLabel('Titel', { exact: true }).waitFor();
  await host.press('Escape');
  await expect.poll(() => page.locator('.modal').count()).toBe(0);
  await pick(host, '/decision', '/entscheidung');
  await page.locator('.modal').getByLabel('Titel', { exact: true }).waitFor();
});

/** Returns the lines of the log. */
async function log(host: ChromiumHost): Promise<string> {
  const saved = await host.snapshot();
  const paths = Object.keys(saved).filter((path) => path.startsWith('Savepoint/'));
  return paths.map((path) => textIn(saved, path) ?? '').join('\n');
}
