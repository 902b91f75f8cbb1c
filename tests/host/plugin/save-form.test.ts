// Tier full: the forms on each screen
import { describe, expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open, type OpenOptions } from '../shared-browser.js';
import { choose, openChat, say, settled } from './chat-window.js';
import { textIn, vaultAfter } from './settings-window.js';

const NOTE = 'Garden/Beds.md';
const PHONE = { isMobile: true, width: 380 };
const WITH_KEYBOARD = { ...PHONE, height: 420 };

const files = async () => ({
  ...(await vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Beds drawn'));
  })),
  [NOTE]: '# Beds',
});

/** Opens a form on a note of the workspace "Garden". */
async function openForm(name: string, options: OpenOptions = {}): Promise<ChromiumHost> {
  const host = await open({ files: await files(), ...options });
  await host.page.evaluate((path) => window.__host.host.app.workspace.openLinkText(path, ''), NOTE);
  await host.runCommand(`Savepoint: ${name}`);
  await host.page.locator('.savepoint-form').waitFor();
  return host;
}

const modal = ({ page }: ChromiumHost) => page.locator('.modal');
const field = (host: ChromiumHost, label: string) => modal(host).getByLabel(label, { exact: true });
const parts = (host: ChromiumHost) => modal(host).locator('.savepoint-fold button');
const labelsShown = (host: ChromiumHost) =>
  modal(host).locator('label').filter({ visible: true }).allInnerTexts();
const focused = ({ page }: ChromiumHost) =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.innerText);
const notice = ({ page }: ChromiumHost, words: string) =>
  page.locator('.notice', { hasText: words });

/** Returns the created state's data from the log; throws if there is none. */
async function saved({ snapshot }: ChromiumHost, name: string): Promise<Record<string, unknown>> {
  const all = await snapshot();
  const lines = Object.keys(all).flatMap((path) => (textIn(all, path) ?? '').split('\n'));
  const line = lines.find((each) => each.includes('"state.new"') && each.includes(`"${name}"`));
  return (JSON.parse(line ?? '{}') as { d: Record<string, unknown> }).d;
}

describe('the form that saves a state', () => {
  test('asks two questions, and has all else behind one line', async () => {
    const host = await openForm('Save state');
    expect(await focused(host)).toBe('Where are you?');
    expect(await labelsShown(host)).toEqual(['Where are you?', 'What next?']);
    expect(await parts(host).allInnerTexts()).toEqual([
      'Garden',
      'Beds',
      'Named from your first words',
    ]);
    expect(await modal(host).innerText()).not.toMatch(/Required|Optional|\d{4}|workspace to save/u);
    const hints = modal(host).locator('.setting-item-description', { hasText: /./u });
    expect(await hints.filter({ visible: true }).count()).toBe(0);
  });

  test.each([
    [0, 'Workspace'],
    [1, 'Active files'],
    [2, 'Name'],
  ])('part %i of the line leads to its field', async (index, label) => {
    const host = await openForm('Save state');
    await parts(host).nth(index).focus();
    await host.press('Enter');
    expect(await focused(host)).toBe(label);
    expect(await labelsShown(host)).toEqual([
      'Where are you?',
      'What next?',
      'Workspace',
      'Active files',
      'Name',
      'Description',
      'Tags',
    ]);
    expect(await parts(host).filter({ visible: true }).count()).toBe(0);
  });

  test('names a state by the first clause of its first words, each only once', async () => {
    const host = await openForm('Save state');
    const { page } = host;
    await page.keyboard.type('We drew the beds, all\nthree of them.');
    await field(host, 'What next?').fill('Order plants\n\nCall the nursery');
    await host.press('Control+Enter');
    await notice(host, 'Saved state "We drew the beds".').waitFor();
    const { activeTask, nextSteps } = await saved(host, 'We drew the beds');
    expect([activeTask, nextSteps]).toEqual(['Order plants', ['Order plants', 'Call the nursery']]);
    await host.runCommand('Savepoint: Save state');
    await page.keyboard.type('We drew the beds');
    await field(host, 'What next?').fill('Rest');
    await host.press('Control+Enter');
    await notice(host, 'Saved state "We drew the beds 2".').waitFor();
  });

  test('says in one sentence that a written name is taken, and shows the name', async () => {
    const host = await openForm('Save state');
    await field(host, 'Where are you?').fill('Here');
    await field(host, 'What next?').fill('There');
    await parts(host).last().click();
    await host.page.keyboard.type('Beds drawn');
    await host.press('Escape');
    await host.runCommand('Savepoint: Save state');
    expect(await parts(host).last().innerText()).toBe('Beds drawn');
    await host.press('Control+Enter');
    const problem = modal(host).locator('.setting-item-error');
    await expect
      .poll(() => problem.allInnerTexts())
      .toEqual([
        'A state named "Beds drawn" already exists in this workspace. Choose another name.',
      ]);
    expect(await focused(host)).toBe('Name');
    expect(await field(host, 'Where are you?').inputValue()).toBe('Here');
  });

  test('says at each question that it has no answer', async () => {
    const host = await openForm('Save state');
    await host.press('Control+Enter');
    await expect
      .poll(() => modal(host).locator('.setting-item-error').allInnerTexts())
      .toEqual(['Write a few words here.', 'Write a few words here.']);
    expect(await focused(host)).toBe('Where are you?');
    expect(await field(host, 'What next?').getAttribute('aria-required')).toBe('true');
  });

  test('shows both questions on a phone with its keyboard', async () => {
    const host = await openForm('Save state', WITH_KEYBOARD);
    const footer = await modal(host).locator('.savepoint-form-footer').boundingBox();
    for (const label of ['Where are you?', 'What next?']) {
      const box = await field(host, label).boundingBox();
      expect(box!.y).toBeGreaterThanOrEqual(0);
      expect(box!.y + box!.height).toBeLessThanOrEqual(footer!.y);
    }
    expect(footer!.y + footer!.height).toBeLessThanOrEqual(420);
    for (const part of await parts(host).all()) {
      const box = await part.boundingBox();
      expect(box!.y + box!.height).toBeLessThanOrEqual(footer!.y);
    }
  });

  test('has the dots of its line in the middle, and says that steps are needed', async () => {
    const host = await openForm('Save state');
    expect(await field(host, 'What next?').getAttribute('placeholder')).toContain('At least one');
    const { gap, before, after } = await parts(host)
      .first()
      .evaluate((part) => {
        const dot = getComputedStyle(part, '::after');
        return { gap: getComputedStyle(part).gap, before: dot.marginLeft, after: dot.marginRight };
      });
    expect([parseFloat(gap), before]).toEqual([0, after]);
  });

  test('keeps what was filled in before there were questions', async () => {
    const host = await open({ files: await files() });
    await host.page.evaluate(() => {
      const typed = {
        name: 'Old name',
        conversationContext: 'Half a thought',
        activeTask: 'Order plants',
        nextSteps: 'Call',
        description: '',
      };
      const draft = { typed, activeFiles: [], tags: ['spring'] };
      window.__host.host.app.saveLocalStorage('savepoint-state-drafts', {
        memory: { default: draft },
      });
    });
    await host.runCommand('Savepoint: Save state');
    expect(await field(host, 'Where are you?').inputValue()).toBe('Half a thought');
    expect(await field(host, 'What next?').inputValue()).toBe('Order plants\nCall');
    await host.press('Control+Enter');
    await notice(host, 'Saved state "Old name".').waitFor();
  });

  test('takes three clicks and two texts from the first run', async () => {
    const host = await open({ files: { 'Beds.md': '# Beds' } });
    const { page } = host;
    await page.locator('.side-dock-ribbon-action[aria-label="Open chat"]').click();
    await page.locator('.savepoint-card').getByRole('button', { name: 'Save state' }).click();
    await page.keyboard.type('The beds are drawn');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Order plants');
    await modal(host).getByRole('button', { name: 'Save state' }).click();
    await notice(host, 'Saved state "The beds are drawn".').waitFor();
  });

  test('is resumed three clicks and two texts after the first run', async () => {
    const host = await open({ files: { 'Beds.md': '# Beds' } });
    const { page } = host;
    await page.locator('.side-dock-ribbon-action[aria-label="Open chat"]').click();
    await page.locator('.savepoint-card').getByRole('button', { name: 'Save state' }).click();
    await page.keyboard.type('The beds are drawn');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Order plants');
    await page.keyboard.press('Control+Enter');
    await notice(host, 'Saved state').getByRole('button', { name: 'Resume' }).click();
    await page.locator('.savepoint-message').getByText('Order plants').first().waitFor();
  });

  test('takes three taps and two texts from the first run on a phone', async () => {
    const host = await open({ files: { 'Beds.md': '# Beds' }, isMobile: true });
    const { page } = host;
    await page.locator('.mobile-navbar-action[aria-label="Open ribbon menu"]').click();
    await page.locator('.menu-item', { hasText: 'Save state' }).click();
    await page.keyboard.type('The beds are drawn');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Order plants');
    await modal(host).getByRole('button', { name: 'Save state' }).click();
    await notice(host, 'Saved state "The beds are drawn".').waitFor();
  });
});

const STATE = {
  name: 'Beds drawn today',
  conversationContext: 'We drew the south beds.',
  activeTask: 'Order plants',
  nextSteps: ['Sow'],
};

describe('a state of a conversation', () => {
  test('is drafted by the model only when the person asks', async () => {
    const { host, server } = await openChat([
      { says: [{ text: 'Fine.' }] },
      { says: [{ text: JSON.stringify(STATE) }] },
    ]);
    await say(host, 'Draw the beds');
    await settled(host);
    await choose(host, 'Save state');
    await modal(host).getByText('small can fill this in from the conversation.').waitFor();
    expect(server.requests).toHaveLength(1);
    await modal(host).getByRole('button', { name: 'Fill in' }).click();
    await expect.poll(() => field(host, 'What next?').inputValue()).toBe('Order plants\nSow');
    expect(server.requests).toHaveLength(2);
    expect(await parts(host).last().innerText()).toBe('Beds drawn today');
  });

  test('is not filled with prose, and keeps what the person typed', async () => {
    const { host } = await openChat([
      { says: [{ text: 'Fine.' }] },
      { says: [{ text: 'Sure! We drew {all} the beds.' }] },
    ]);
    await say(host, 'Draw the beds');
    await settled(host);
    await choose(host, 'Save state');
    await field(host, 'Where are you?').fill('My own words');
    await field(host, 'What next?').fill('Dig');
    await modal(host).getByRole('button', { name: 'Fill in' }).click();
    await modal(host)
      .getByText('small did not answer with a state. Nothing was changed.')
      .waitFor();
    expect(await field(host, 'Where are you?').inputValue()).toBe('My own words');
    expect(await field(host, 'What next?').inputValue()).toBe('Dig');
  });

  test('is named after the conversation while its last messages are unchanged', async () => {
    const { host } = await openChat([{ says: [{ text: 'Fine.' }] }]);
    await say(host, 'Draw the beds');
    await settled(host);
    await choose(host, 'Save state');
    await field(host, 'What next?').fill('Dig');
    await host.press('Control+Enter');
    await notice(host, 'Saved state "Draw the beds".').waitFor();
  });
});

describe.each(['Save state', 'Create workspace', 'New task', 'New decision'])('%s', (name) => {
  test('has controls of 44 px on a phone, with the line open and closed', async () => {
    const host = await openForm(name, { ...PHONE, width: 320 });
    const small = () =>
      modal(host)
        .locator(':is(button, input, select, textarea):visible')
        .evaluateAll((controls) =>
          controls
            .map((control) => control.getBoundingClientRect())
            .filter(({ width, height }) => width < 44 || height < 44),
        );
    expect(await small()).toEqual([]);
    await parts(host).first().click();
    expect(await small()).toEqual([]);
  });

  test('has no word of "Required" or "Optional"', async () => {
    const host = await openForm(name);
    await parts(host).first().click();
    expect(await modal(host).innerText()).not.toMatch(/Required|Optional|workspace to save in/u);
  });
});

const COMMANDS = (texts: typeof en) => [
  texts.commands.names.saveState,
  texts.commands.names.createWorkspace,
  texts.records.newRecord.decision,
];

describe.each([
  ['en', 'ltr', { width: 1280 }],
  ['en', 'rtl', { ...PHONE, width: 320 }],
  ['de', 'ltr', WITH_KEYBOARD],
  ['de', 'rtl', { width: 1280 }],
] as const)('in %s, %s, %j', (language, direction, size) => {
  test.each([0, 1, 2])('axe finds nothing in form %i, open and closed', async (index) => {
    const host = await openForm(COMMANDS(language === 'de' ? germanTexts() : en)[index]!, {
      language,
      ...size,
    });
    const { page } = host;
    await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
    const check = async () => {
      for (const theme of ['dark', 'light'] as const) {
        await host.setTheme(theme);
        await expectNoViolations(page, '.modal');
      }
      await page.emulateMedia({ forcedColors: 'active' });
      await expectNoViolations(page, '.modal');
      await page.emulateMedia({ forcedColors: 'none' });
      expect(await modal(host).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    };
    await check();
    await parts(host).first().click();
    await host.press('Control+Enter');
    await modal(host).locator('.setting-item-error').first().waitFor();
    await check();
  });
});

test('full stops stay at the end of their sentences from right to left', async () => {
  const host = await openForm('Save state');
  const { page } = host;
  await page.evaluate(() => (document.documentElement.dir = 'rtl'));
  await parts(host).first().click();
  await host.press('Control+Enter');
  await modal(host).locator('.setting-item-error').first().waitFor();
  const misplaced = await modal(host).evaluate((box) => {
    const place = (node: Node, at: number) => {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect();
    };
    const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const wrong: string[] = [];
    let checked = 0;
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const words = node.textContent ?? '';
      if (!/^\w.*[.?]$/u.test(words) || !node.parentElement?.checkVisibility()) continue;
      checked++;
      if (place(node, words.length - 1).left < place(node, 0).left) wrong.push(words);
    }
    return { wrong, isChecked: checked > 3 };
  });
  expect(misplaced).toEqual({ wrong: [], isChecked: true });
});

test.each(['en', 'de'] as const)('an empty chat says once what "/" does (%s)', async (language) => {
  const { host } = await openChat([], { language });
  const chat = host.page.locator('.savepoint-chat');
  await chat.locator('.savepoint-empty').first().waitFor();
  const placeholder = await chat.locator('textarea').getAttribute('placeholder');
  expect(`${await chat.innerText()}\n${placeholder}`.split('/')).toHaveLength(2);
});
