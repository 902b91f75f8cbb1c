// Tier full: an approval on each screen
import { expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import { button, messages, openChat, say, settled } from './chat-window.js';

const call = (id: string) => ({
  id,
  name: 'createState',
  args: {
    name: 'Beds',
    conversationContext: 'one\ntwo\nthree\nfour\nfive',
    activeTask: 'Plants',
    activeFiles: ['Beds.md'],
    nextSteps: ['Order'],
  },
});

test.each([false, true])(
  'an approval shows what will be written, and a taken name is not asked about (phone: %s)',
  async (isMobile) => {
    const { host } = await openChat(
      [
        { says: [{ call: call('1') }] },
        { says: [{ text: 'Saved.' }] },
        { says: [{ call: call('2') }] },
        { says: [{ text: 'Taken.' }] },
      ],
      { isMobile, files: { 'Beds.md': 'South.' } },
    );
    await say(host, 'Save');
    const fields = host.page.locator('.savepoint-written');
    await fields.waitFor();
    expect((await fields.innerText()).replace(/\n+/g, ' ')).toBe(
      'Workspace Default Context one two three four… ' +
        'Active task Plants Active files Beds.md Next steps Order',
    );
    await expectNoViolations(host.page, '.savepoint-chat');
    await button(host, 'Allow once').press('Enter');
    await settled(host);
    await say(host, 'Save again');
    await expect.poll(() => messages(host).last().innerText()).toContain('Taken.');
    expect(await button(host, 'Allow once').count()).toBe(0);
    expect(await host.page.locator('.savepoint-call-card').last().innerText()).toContain('failed');
  },
);

test.each([call('1').args.activeTask, 'عربي\n'.repeat(9)])(
  'the buttons of a long approval fit on a phone screen, below a card that scrolls',
  async (activeTask) => {
    const lines = Array.from({ length: 40 }, (_, index) => `${index} ${'plants '.repeat(20)}`);
    const args = { ...call('1').args, activeTask, nextSteps: lines, activeFiles: lines };
    const { host } = await openChat([{ says: [{ call: { ...call('1'), args } }] }], {
      isMobile: true,
      width: 380,
      height: 700,
      files: { 'Beds.md': 'South.' },
    });
    await say(host, 'Save');
    const fields = host.page.locator('.savepoint-written');
    await fields.waitFor();
    const list = host.page.locator('.savepoint-messages').first();
    const boxes = async () => {
      const [view, first, ...buttons] = await Promise.all([
        list.boundingBox(),
        host.page.locator('.savepoint-call-card').boundingBox(),
        ...['Allow once', 'Deny'].map((label) => button(host, label).boundingBox()),
      ]);
      return { view: view!, first: first!, buttons };
    };
    await expect
      .poll(async () => {
        const { view, first, buttons } = await boxes();
        const isInside = (box: typeof view | null) =>
          box !== null && box.y >= view.y && box.y + box.height <= view.y + view.height;
        return isInside(first) && buttons.every(isInside);
      })
      .toBe(true);
    const card = host.page.locator('.savepoint-call-card');
    expect(await card.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
    await card.focus();
    await host.press('End');
    await expect.poll(() => card.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
    await expectNoViolations(host.page, '.savepoint-chat');
  },
);

test.each([
  [1280, 'ltr'],
  [380, 'rtl'],
  [320, 'ltr'],
] as const)('an approval is in German where the app is, at %i px, %s', async (width, direction) => {
  const { commands } = germanTexts();
  const { host } = await openChat([{ says: [{ call: call('1') }] }], {
    language: 'de',
    width,
    isMobile: width < 400,
    files: { 'Beds.md': 'South.' },
  });
  const { page } = host;
  await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
  await say(host, 'Save');
  const card = page.locator('.savepoint-call-card');
  await card.locator('.savepoint-written').waitFor();
  expect(await card.locator('.savepoint-call-title').innerText()).toBe('Stand speichern: Beds');
  const { conversationContext, activeTask, activeFiles, nextSteps } = commands.saveState.labels;
  expect(await card.locator('dt').allInnerTexts()).toEqual([
    commands.form.workspace,
    conversationContext,
    activeTask,
    activeFiles,
    nextSteps,
  ]);
  for (const theme of AXE_THEMES) {
    await host.setTheme(theme);
    await expectNoViolations(page, '.savepoint-chat');
  }
});
