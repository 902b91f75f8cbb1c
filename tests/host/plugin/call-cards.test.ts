// Tier full: what a model writes, before and after the user allows it, on each screen
import { describe, expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { button, composer, messages, openChat, say, settled } from './chat-window.js';

const PHONE = { isMobile: true, width: 380, height: 800 };
const NOTE = { 'Chapter 3.md': 'Moths fell with every step of brightness.' };
const DECISION = {
  resource: 'decision',
  title: 'The chapter goes out on Monday',
  body: 'Friday was too early.',
  files: ['Chapter 3.md'],
};
const STATE = {
  name: 'Chapter 3 read aloud',
  conversationContext: 'Section 3.3 has the new estimates.\nThe micro-moths go to an appendix.',
  activeTask: 'Sending the chapter',
  activeFiles: ['Chapter 3.md'],
  nextSteps: ['Send it', 'Begin the discussion'],
  tags: ['results'],
};
const turn = (name: string, args: object) => [
  { says: [{ call: { id: '1', name, args } }] },
  { says: [{ text: 'Noted.' }] },
];

const card = ({ page }: ChromiumHost) => page.locator('.savepoint-call-card').last();
const title = (host: ChromiumHost) => card(host).locator('.savepoint-call-title');
const notice = ({ page }: ChromiumHost, words: string) =>
  page.locator('.notice', { hasText: words });
const lines = (text: string) => text.split(/\n+/u).filter((line) => line !== '');

async function allowed(name: string, args: object, options = {}): Promise<ChromiumHost> {
  const { host } = await openChat(turn(name, args), { files: NOTE, ...options });
  await say(host, 'Write it down');
  await button(host, /^(Allow once|Einmal erlauben)$/u).click();
  await messages(host).getByText('Noted.').waitFor();
  return host;
}

describe.each([
  ['createRecord', DECISION, DECISION.title, 'Archived "The chapter goes out on Monday".'],
  ['createState', STATE, STATE.name, 'Archived state "Chapter 3 read aloud".'],
] as const)('what a model made with %s', (tool, args, name, archived) => {
  test.each([{}, PHONE])('is opened and undone from its card, %#', async (options) => {
    const host = await allowed(tool, args, options);
    await settled(host);
    await card(host).getByRole('button', { name: 'Undo', exact: true }).press('Enter');
    await notice(host, archived).waitFor();
    const redo = card(host).getByRole('button', { name: 'Redo', exact: true });
    expect(await redo.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectNoViolations(host.page, '.savepoint-chat');
    await notice(host, archived).getByRole('button', { name: 'Undo' }).click();
    await notice(host, 'Restored').waitFor();
    await card(host).getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await card(host).getByRole('button', { name: 'Open', exact: true }).click();
    await host.page.locator('.savepoint-page').getByText(name).first().waitFor();
  });

  test.each([{}, PHONE])(
    'is undone with the command palette, without a view of the plugin, %#',
    async (options) => {
      const host = await allowed(tool, args, options);
      await host.page.evaluate(() => {
        const { workspace } = window.__host.host.app;
        workspace.getLeavesOfType('savepoint-chat').forEach((leaf) => leaf.detach());
      });
      await host.openPalette('Savepoint: Undo');
      await host.page.locator('.prompt-results .suggestion-item').first().click();
      await notice(host, archived).getByRole('button', { name: 'Redo' }).waitFor();
    },
  );
});

test('an approval says what is recorded, and the row says the same afterwards', async () => {
  const host = await allowed('createRecord', DECISION);
  await settled(host);
  expect(await title(host).innerText()).toBe('Record decision: The chapter goes out on Monday');
});

test.each([
  [DECISION, 'Record decision: The chapter goes out on Monday'],
  [{ resource: 'issue', kind: 'question', title: 'Which moon?' }, 'Record question: Which moon?'],
  [{ resource: 'phase', title: 'Discussion' }, 'Record phase: Discussion'],
])(
  '%# is named by its kind and title, before its workspace and other fields',
  async (args, said) => {
    const { host } = await openChat(turn('createRecord', args), { files: NOTE });
    await say(host, 'Write it down');
    await button(host, 'Allow once').waitFor();
    expect(await title(host).innerText()).toBe(said);
    const labels = await card(host).locator('.savepoint-written dt').allInnerTexts();
    expect(labels).toEqual(args === DECISION ? ['Workspace', 'Details', 'Files'] : ['Workspace']);
  },
);

test.each([
  [DECISION, 'Entscheidung festhalten: The chapter goes out on Monday'],
  [{ resource: 'issue', title: 'Count' }, 'Aufgabe festhalten: Count'],
])('%# is named in German', async (args, said) => {
  const { host } = await openChat(turn('createRecord', args), { files: NOTE, language: 'de' });
  await say(host, 'Festhalten');
  await button(host, germanTexts().chat.call.once).waitFor();
  expect(await title(host).innerText()).toBe(said);
});

test('a title that is too long for a line is read in full among the fields', async () => {
  const long = `${'The chapter and its appendix go out '.repeat(3)}on Monday`;
  const { host } = await openChat(turn('createRecord', { ...DECISION, title: long }), {
    files: NOTE,
  });
  await say(host, 'Write it down');
  const first = card(host).locator('.savepoint-written > div').first();
  expect(lines(await first.innerText())).toEqual(['Title', long]);
});

test.each([{}, PHONE])('the opened row has the fields of the approval, %#', async (options) => {
  const { host } = await openChat(turn('createRecord', DECISION), { files: NOTE, ...options });
  await say(host, 'Write it down');
  await button(host, 'Allow once').waitFor();
  const fields = () => card(host).locator('.savepoint-written').innerText();
  const asked = await fields();
  await button(host, 'Allow once').click();
  await settled(host);
  await card(host).locator('summary').first().click();
  expect(await fields()).toBe(asked);
  const raw = card(host).locator('pre').first();
  expect(await raw.isVisible()).toBe(false);
  for (const theme of AXE_THEMES) {
    await host.setTheme(theme);
    await expectNoViolations(host.page, '.savepoint-chat');
  }
  await card(host).getByText('Raw data').click();
  expect(await raw.innerText()).toContain('"resource": "decision"');
});

test.each([380, 320])(
  'above the keyboard of a phone, an approval begins with its title, at %i px',
  async (width) => {
    const { host } = await openChat(turn('createRecord', DECISION), {
      isMobile: true,
      width,
      height: 420,
      files: NOTE,
    });
    await say(host, 'Write it down');
    await button(host, 'Allow once').waitFor();
    await composer(host).focus();
    const { page } = host;
    await expect
      .poll(async () => {
        const [area, words, field, allow] = await Promise.all([
          page.locator('.savepoint-messages').boundingBox(),
          title(host).boundingBox(),
          card(host).locator('dd').first().boundingBox(),
          button(host, 'Allow once').boundingBox(),
        ]);
        return (
          words!.y >= area!.y &&
          field!.y >= words!.y + words!.height &&
          field!.y + field!.height <= allow!.y &&
          allow!.y + allow!.height <= area!.y + area!.height
        );
      })
      .toBe(true);
    expect(await title(host).evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  },
);

test.each([{ height: 500 }, { ...PHONE, height: 600 }, { ...PHONE, height: 420 }])(
  'fields that are cut end softly, below a title in sight, %#',
  async (options) => {
    const long = { ...STATE, nextSteps: Array.from({ length: 30 }, (_, at) => `Step ${at}`) };
    const { host } = await openChat(turn('createState', long), { files: NOTE, ...options });
    await say(host, 'Save');
    await button(host, 'Allow once').waitFor();
    const look = () =>
      card(host).evaluate((box) => {
        const buttons = box.querySelector('.savepoint-call-buttons')!;
        const list = box.closest('.savepoint-messages')!.getBoundingClientRect();
        const edge = getComputedStyle(buttons, '::before');
        const fields = box.querySelector('.savepoint-written')!.getBoundingClientRect();
        const line = parseFloat(getComputedStyle(box.querySelector('dd')!).lineHeight);
        return {
          isWhole: box.getBoundingClientRect().top >= list.top,
          isSoft: edge.backgroundImage.includes('gradient') && parseFloat(edge.height) > line - 1,
          isCut: fields.bottom > buttons.getBoundingClientRect().top,
        };
      });
    await expect.poll(look).toEqual({ isWhole: true, isSoft: true, isCut: true });
    await card(host).focus();
    await host.press('End');
    await expect
      .poll(() =>
        card(host).evaluate((box) => {
          const edge = box.querySelector('.savepoint-call-buttons')!.getBoundingClientRect().top;
          const last = [...box.querySelectorAll('dd')].at(-1)!.getBoundingClientRect().bottom;
          return edge - last >= parseFloat(getComputedStyle(box).lineHeight) - 1;
        }),
      )
      .toBe(true);
  },
);

const HIDDEN: Readonly<Record<string, () => void>> = {
  'a collapsed sidebar': () => window.__host.host.app.workspace.rightSplit.collapse(),
  'another tab': () => void window.__host.host.runCommand('savepoint:open-memory'),
  'a closed tab': () =>
    window.__host.host.app.workspace.getLeavesOfType('savepoint-chat')[0]!.detach(),
};

describe.each(Object.entries(HIDDEN))('%s', (_, hide) => {
  test.each([{}, PHONE])('does not hide that a call waits for approval, %#', async (options) => {
    const { host } = await openChat(turn('createRecord', DECISION), { files: NOTE, ...options });
    await say(host, 'Plan it');
    await button(host, 'Allow once').waitFor();
    const told = notice(host, 'Plan it: The model wants to run "Record decision: The chapter');
    expect(await told.count()).toBe(0);
    await host.page.evaluate(hide);
    await told.waitFor();
    await told.getByRole('button', { name: 'Open' }).click();
    await button(host, 'Allow once').waitFor();
    await expect.poll(() => told.count()).toBe(0);
    await button(host, 'Allow once').click();
    await messages(host).getByText('Noted.').waitFor();
    expect(await told.count()).toBe(0);
  });
});
