// Tier full: turns of many calls, approvals and limits on each screen
import { describe, expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { button, choose, composer, messages, openChat, say, settled } from './chat-window.js';

const NOTES = Object.fromEntries(
  Array.from({ length: 6 }, (_, at) => [`Note ${at}.md`, `Beds and plants ${at}.`]),
);
const read = (at: number) => ({
  call: { id: `read-${at}`, name: 'readContent', args: { path: `Note ${at % 6}.md` } },
});
const search = (at: number) => ({
  call: { id: `search-${at}`, name: 'searchContent', args: { query: `plants ${at}` } },
});
const STATE = {
  name: 'Beds drawn',
  conversationContext: 'We drew the south beds.\nThe peas go north.',
  activeTask: 'Order plants',
  activeFiles: [],
  nextSteps: ['Ask for peas', 'Sow'],
};
const save = (id: string, name = STATE.name) => ({
  call: { id, name: 'createState', args: { ...STATE, name } },
});
const ANSWER = { says: [{ text: 'Twelve plants are missing.' }] };
/** 20 messages of the model with 60 calls; every fourth begins with a remark. */
const SIXTY_CALLS = Array.from({ length: 20 }, (_, at) => ({
  says: [
    ...(at % 4 === 0 ? [{ text: 'I look further.' }] : []),
    read(at),
    search(2 * at),
    search(2 * at + 1),
  ],
}));
const KEYBOARD = { isMobile: true, width: 380, height: 420 };

/** The lines and boxes of a conversation that can be seen, as their first lines of text. */
function rows({ page }: ChromiumHost): Promise<string[]> {
  return page
    .locator('.savepoint-message-list')
    .locator('.savepoint-words, .savepoint-ending, .savepoint-failure, summary')
    .evaluateAll((all) =>
      all
        .filter((row) => row.checkVisibility())
        .map((row) => (row instanceof HTMLElement ? row.innerText.split('\n')[0]! : '')),
    );
}

const work = ({ page }: ChromiumHost) => page.locator('.savepoint-work');
const cards = ({ page }: ChromiumHost) => page.locator('.savepoint-call-card');

describe('a turn of many calls', () => {
  test('is one line, which opens to all of them', async () => {
    const { host } = await openChat([...SIXTY_CALLS, ANSWER], {
      files: NOTES,
    });
    await say(host, 'What is missing?');
    await messages(host).getByText('Twelve plants').waitFor();
    await settled(host);
    await expect
      .poll(() => rows(host))
      .toEqual([
        'What is missing?',
        'Read 6 notes, searched 40 times',
        'Twelve plants are missing.',
      ]);
    await expectNoViolations(host.page, '.savepoint-chat');
    await work(host).locator('summary').first().press('Enter');
    await expect.poll(() => cards(host).count()).toBe(60);
    await expectNoViolations(host.page, '.savepoint-chat');
  });

  test('shows a write as a box, and a failed call as a line, between the others', async () => {
    const { host } = await openChat(
      [
        { says: [read(0), search(0), save('1', '')] },
        { says: [read(1), read(2), save('2')] },
        ANSWER,
      ],
      { files: NOTES },
    );
    await say(host, 'Save it');
    await button(host, 'Allow once').click();
    await messages(host).getByText('Twelve plants').waitFor();
    await settled(host);
    await expect
      .poll(() => rows(host))
      .toEqual([
        'Save it',
        'Read 1 note, searched once',
        'Save state failed, tried again',
        'Read 2 notes',
        'Saved state Beds drawn',
        'Twelve plants are missing.',
      ]);
    const [failed, saved] = [cards(host).first(), cards(host).last()];
    const error = failed.locator('.savepoint-call-error');
    const edgeOf = (card: typeof saved) =>
      card.evaluate((box) => getComputedStyle(box).borderTopStyle);
    expect([await edgeOf(failed), await edgeOf(saved)]).toEqual(['none', 'solid']);
    expect(await error.isVisible()).toBe(false);
    await failed.locator('summary').first().click();
    expect(await error.innerText()).toContain('"name" is empty');
  });

  test('says at once why a call failed that is not tried again', async () => {
    const missing = { id: '1', name: 'loadState', args: { name: 'No such' } };
    const { host } = await openChat([{ says: [{ call: missing }] }, ANSWER]);
    await say(host, 'Load it');
    await messages(host).getByText('Twelve plants').waitFor();
    expect((await rows(host))[1]).toBe('Load state failed');
    expect(await host.page.locator('.savepoint-call-error').innerText()).toContain('not found');
  });
});

describe('a limit', () => {
  test('of calls is shown and set, and ends in "Continue"', async () => {
    const { host, server } = await openChat(
      [{ says: [read(0), read(1)] }, { says: [read(2), search(0)] }, ANSWER],
      { files: NOTES, settings: { callLimit: 3 } },
    );
    await say(host, 'Go');
    await settled(host);
    const ending = host.page.locator('.savepoint-ending');
    await expect
      .poll(() => ending.innerText())
      .toMatch(/^Stopped after 3 tool calls\. This is the limit in the settings\.\s+Continue$/u);
    expect(server.requests).toHaveLength(2);
    await expectNoViolations(host.page, '.savepoint-chat');
    await button(host, 'Continue').press('Enter');
    await messages(host).getByText('Twelve plants').waitFor();
    await settled(host);
    expect(JSON.stringify(server.requests[2]?.body)).toContain('stopped before it was made');
    expect(await button(host, 'Continue').count()).toBe(0);
  });

  test('of length ends in "Continue"', async () => {
    const { host } = await openChat([{ says: [{ text: 'Twelve' }], end: 'length' }, ANSWER]);
    await say(host, 'Go');
    await settled(host);
    await button(host, 'Continue').click();
    await messages(host).getByText('plants are missing').waitFor();
  });
});

describe('a phone with its keyboard up', () => {
  test('has one line of header, and at least 150 px of messages', async () => {
    const { host } = await openChat([{ says: [{ text: 'plants '.repeat(300) }] }], KEYBOARD);
    await say(host, 'Go');
    await settled(host);
    await composer(host).focus();
    const { page } = host;
    const heightOf = async (selector: string) =>
      (await page.locator(selector).boundingBox())?.height ?? 0;
    await expect.poll(() => heightOf('.savepoint-messages')).toBeGreaterThanOrEqual(150);
    expect(await heightOf('.savepoint-header')).toBeLessThanOrEqual(52);
    await expectNoViolations(page, '.savepoint-chat');
  });

  test.each([380, 320])(
    'shows an approval and its buttons above the composer, at %i px',
    async (width) => {
      const { host } = await openChat([{ says: [save('1')] }, ANSWER], { ...KEYBOARD, width });
      await say(host, 'Save it');
      await button(host, 'Allow once').waitFor();
      await composer(host).focus();
      const { page } = host;
      await expect
        .poll(async () => {
          const area = (await page.locator('.savepoint-messages').boundingBox())!;
          const parts = [
            page.locator('.savepoint-call-title').last(),
            page.locator('.savepoint-written dd').first(),
            button(host, 'Allow once'),
            button(host, 'Deny'),
          ];
          const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
          const areInside = boxes.every(
            (box) => box && box.y >= area.y && box.y + box.height <= area.y + area.height,
          );
          return area.height >= 150 && areInside;
        })
        .toBe(true);
      const covered = await button(host, 'Deny').evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
      expect(covered).toBe(false);
      await expectNoViolations(page, '.savepoint-chat');
    },
  );

  test('tells what a conversation that is not shown asks, until it is answered', async () => {
    const slow = { says: [{ text: 'I think. ' }, { text: 'Now. ' }, save('1')], pace: 1000 };
    const { host } = await openChat([slow, ANSWER]);
    const { page } = host;
    const notice = page.locator('.notice', { hasText: 'Plan beds: The model wants to run' });
    await say(host, 'Plan beds');
    await choose(host, 'New conversation');
    await expect.poll(() => messages(host).count()).toBe(0);
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Open' }).click();
    await button(host, 'Allow once').click();
    await messages(host).getByText('Twelve plants').waitFor();
    expect(await notice.count()).toBe(0);
  });

  test('needs no notice for what a shown conversation asks', async () => {
    const { host } = await openChat([{ says: [save('1')] }, ANSWER]);
    await say(host, 'Plan beds');
    await button(host, 'Allow once').waitFor();
    expect(await host.page.locator('.notice', { hasText: 'wants to run' }).count()).toBe(0);
  });

  test('sends, allows and stops with the first tap', async () => {
    const { host } = await openChat(
      [
        { says: [save('1')] },
        { says: Array.from({ length: 300 }, () => ({ text: 'on ' })), pace: 50 },
      ],
      KEYBOARD,
    );
    const tap = (label: string) => button(host, label).click({ delay: 100 });
    await composer(host).fill('Save it');
    await tap('Send');
    await button(host, 'Allow once').waitFor();
    await composer(host).focus();
    await tap('Allow once');
    await messages(host).getByText('on on').waitFor();
    await composer(host).focus();
    await tap('Stop');
    await messages(host).getByText('You stopped this answer.').waitFor();
  });

  test('has controls of at least 44 px, and one menu for an answer', async () => {
    const { host } = await openChat([{ says: [read(0), search(0)] }, ANSWER], {
      isMobile: true,
      width: 320,
      files: NOTES,
    });
    await say(host, 'Go');
    await messages(host).getByText('Twelve plants').waitFor();
    await settled(host);
    const small = await host.page
      .locator('.savepoint-chat')
      .locator('button, summary')
      .evaluateAll((all) =>
        all.flatMap((control) => {
          const { width, height } = control.getBoundingClientRect();
          const isSmall = control.checkVisibility() && (width < 44 || height < 44);
          return isSmall ? [control.outerHTML.slice(0, 120)] : [];
        }),
      );
    expect(small).toEqual([]);
    const menu = messages(host).last().getByRole('button');
    expect(await menu.count()).toBe(1);
    await menu.click();
    const items = await host.page.locator('.menu-item').allInnerTexts();
    expect(items.map((item) => item.trim())).toEqual([
      'Copy',
      'Insert at cursor',
      'Replace selection',
      'Regenerate',
    ]);
  });
});

test('the icons below an answer appear on hover and on focus', async () => {
  const { host } = await openChat([ANSWER]);
  await say(host, 'Go');
  await settled(host);
  const copy = messages(host).last().getByRole('button', { name: 'Copy' });
  const opacity = () =>
    copy.evaluate((icon) => getComputedStyle(icon.closest('.savepoint-action-buttons')!).opacity);
  await host.page.mouse.move(1, 1);
  expect(await opacity()).toBe('0');
  await messages(host).last().hover();
  expect(await opacity()).toBe('1');
  await host.page.mouse.move(1, 1);
  await copy.focus();
  expect(await opacity()).toBe('1');
});

test('the header is a title and a menu; model, workspace and note are below the composer', async () => {
  const { host } = await openChat([ANSWER], { files: { 'Garden.md': 'Beds.' } });
  await host.page.evaluate(() => window.__host.host.app.workspace.openLinkText('Garden.md', ''));
  await say(host, 'Go');
  await settled(host);
  const { page } = host;
  const header = page.locator('.savepoint-chat .savepoint-header');
  expect(await header.getByRole('button').count()).toBe(1);
  await header.getByRole('button').click();
  const items = await page.locator('.menu-item').allInnerTexts();
  expect(items.map((item) => item.trim()).slice(0, 3)).toEqual([
    'New conversation',
    'All conversations',
    'Save state',
  ]);
  await host.press('Escape');
  const edge = page.locator('.savepoint-composer .savepoint-places');
  await expect.poll(() => edge.innerText()).toMatch(/^small\s+Default\s[^]*Garden/u);
  const [input, below] = [await composer(host).boundingBox(), await edge.boundingBox()];
  expect(below!.y).toBeGreaterThanOrEqual(input!.y + input!.height);
});

test('in forced colours each button has a border and its text', async () => {
  // axe does not see which colour of text is forced: only that of a light theme is like it
  const { host } = await openChat([{ says: [{ text: 'Half' }], end: 'length' }], {
    theme: 'light',
  });
  await say(host, 'Go');
  await settled(host);
  await host.page.emulateMedia({ forcedColors: 'active' });
  const bare = await host.page
    .locator('.savepoint-chat button:not(.clickable-icon)')
    .evaluateAll((all) =>
      all.flatMap((control) => {
        const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor, color } =
          getComputedStyle(control);
        const hasBorder =
          borderTopStyle === 'solid' &&
          parseFloat(borderTopWidth) >= 1 &&
          borderTopColor !== backgroundColor;
        return hasBorder && color !== backgroundColor ? [] : [control.outerHTML.slice(0, 120)];
      }),
    );
  expect(bare).toEqual([]);
  await expectNoViolations(host.page, '.savepoint-chat');
});

test.each([
  [1280, 'ltr'],
  [380, 'rtl'],
  [320, 'ltr'],
] as const)('a turn is in German where the app is, at %i px, %s', async (width, direction) => {
  const { host } = await openChat(
    [{ says: [read(0), search(0), save('1', '')] }, { says: [save('2')] }, ANSWER],
    { language: 'de', width, isMobile: width < 400, files: NOTES },
  );
  const { page } = host;
  await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
  await say(host, 'Sichern');
  const { once } = germanTexts().chat.call;
  await button(host, once).waitFor();
  for (const theme of AXE_THEMES) {
    await host.setTheme(theme);
    await expectNoViolations(page, '.savepoint-chat');
  }
  await button(host, once).click();
  await messages(host).getByText('Twelve plants').waitFor();
  expect((await rows(host)).slice(1, 4)).toEqual([
    '1 Notiz gelesen, einmal gesucht',
    'Stand speichern fehlgeschlagen, noch einmal versucht',
    'Stand Beds drawn gespeichert',
  ]);
  for (const theme of AXE_THEMES) {
    await host.setTheme(theme);
    await expectNoViolations(page, '.savepoint-chat');
  }
  const chat = page.locator('.savepoint-chat');
  expect(await chat.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
});
