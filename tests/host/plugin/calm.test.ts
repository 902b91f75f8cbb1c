// Tier full: what hides or covers something from a reader, each in its own app
import { describe, expect, test } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { button, composer, openChat, say, settled } from './chat-window.js';
import { vaultAfter } from './settings-window.js';

const PHONE = { isMobile: true, width: 380, height: 800 };
const NOTE = 'Garden/Beds.md';

const filled = () =>
  vaultAfter(async (vault) => {
    vault.files.put(NOTE, '# Beds\n\nThree of them.');
    await vault.data('createWorkspace', garden);
    for (let at = 0; at < 30; at++) await vault.data('createState', stateNamed(`Plan ${at}`));
    await vault.data('createState', stateNamed('Beds drawn', { activeFiles: [NOTE] }));
  });

const line = ({ page }: ChromiumHost, title: string) =>
  page.locator('.savepoint-line', { has: page.locator('bdi', { hasText: title }) }).first();
const notice = ({ page }: ChromiumHost, words: string) =>
  page.locator('.notice', { hasText: words });

async function openGarden(): Promise<ChromiumHost> {
  const host = await open({ files: { [NOTE]: '# Beds\n\nThree of them.', ...(await filled()) } });
  await host.runCommand('Savepoint: Open memory');
  await line(host, 'Garden').click();
  await line(host, 'Beds drawn').waitFor();
  await host.page.mouse.move(5, 5);
  return host;
}

describe.each(['savepoint-memory', 'savepoint-chat'])('the status bar, with %s', (type) => {
  test.each(['right', 'main'])('covers no last row, in the %s part', async (part) => {
    const { host } = await openChat([{ says: [{ text: 'South.\n\n'.repeat(60) }] }], {
      files: await filled(),
      width: 900,
      height: 600,
    });
    const { page } = host;
    await say(host, 'Where?');
    await settled(host);
    if (type === 'savepoint-memory') {
      await host.runCommand('Savepoint: Open memory');
      await line(host, 'Garden').click();
      await line(host, 'Beds drawn').waitFor();
    }
    if (part === 'main')
      await page.evaluate(async (viewType) => {
        const { workspace } = window.__host.host.app;
        const [leaf] = workspace.getLeavesOfType(viewType);
        const state = leaf!.getViewState();
        await workspace.getLeaf('tab').setViewState({ ...state, active: true });
        workspace.rightSplit.collapse();
      }, type);
    const covered = () =>
      page.evaluate(() => {
        for (const scroller of document.querySelectorAll('.savepoint-scroller'))
          scroller.scrollTo(0, 1e6);
        const bar = document.querySelector('.status-bar')!.getBoundingClientRect();
        const shown =
          '.savepoint-line, .savepoint-composer :is(textarea, button), .savepoint-after';
        const rows = [...document.querySelectorAll<HTMLElement>(shown)].filter(
          (row) => row.offsetParent !== null,
        );
        if (rows.length === 0) return ['no row'];
        return rows
          .filter((row) => {
            const { bottom, right } = row.getBoundingClientRect();
            return bottom > bar.top && right > bar.left;
          })
          .map((row) => row.innerText);
      });
    await expect.poll(covered).toEqual([]);
  });
});

test('states of one name are told apart by device and time', async () => {
  const on = (task: string, device: number) =>
    vaultAfter(
      (vault) => vault.data('createState', stateNamed('Beds drawn', { activeTask: task })),
      device,
    );
  const host = await open({ files: { ...(await on('Talking', 1)), ...(await on('Digging', 2)) } });
  const { page } = host;
  await host.runCommand('Savepoint: Resume state');
  const shown = page.locator('.prompt .suggestion-item', { hasText: 'Beds drawn' });
  await expect.poll(() => shown.count()).toBe(2);
  expect((await shown.allInnerTexts()).join()).toMatch(/Laptop · .* at /u);
});

test('a phone opens the chat without its keyboard while there is no model', async () => {
  const host = await open(PHONE);
  await host.runCommand('Savepoint: Open chat');
  await host.page.locator('.savepoint-first').waitFor();
  await composer(host).waitFor();
  const focused = () => host.page.evaluate(() => document.activeElement?.tagName);
  expect(await focused()).not.toBe('TEXTAREA');
});

const SAVE = {
  id: '1',
  name: 'createState',
  args: stateNamed('Beds', {
    conversationContext: 'We drew the south beds and counted the plants that are missing.',
    description: 'The south beds',
    tags: ['spring'],
    activeFiles: [NOTE],
  }),
};

test('an approval on a phone shows all fields, and its buttons', async () => {
  const { host } = await openChat([{ says: [{ call: SAVE }] }], PHONE);
  await say(host, 'Save');
  const fields = host.page.locator('.savepoint-written > div');
  await fields.first().waitFor();
  const areInSight = () =>
    host.page.evaluate(() => {
      const boxesOf = (selector: string) =>
        [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
      const [title] = boxesOf('.savepoint-call-title').slice(-1);
      const [buttons] = boxesOf('.mod-asking .savepoint-call-buttons');
      return boxesOf('.savepoint-written > div').every(
        (box) => box.top >= title!.bottom && box.bottom <= buttons!.top,
      );
    });
  await expect.poll(areInSight).toBe(true);
  await host.page.setViewportSize({ width: 380, height: 420 });
  await expect
    .poll(async () => {
      const box = await button(host, 'Allow once').boundingBox();
      const typing = await composer(host).boundingBox();
      return box!.y + box!.height <= typing!.y;
    })
    .toBe(true);
});

test('what is resumed is covered by a notice for four seconds only', async () => {
  const host = await openGarden();
  await host.runCommand('Savepoint: Switch workspace');
  await host.page.locator('.prompt .suggestion-item', { hasText: 'Default' }).click();
  await host.runCommand('Savepoint: Resume state');
  await host.page.locator('.prompt .suggestion-item', { hasText: 'Beds drawn' }).click();
  const told = notice(host, 'Switched to workspace "Garden"');
  await told.waitFor();
  await told.waitFor({ state: 'detached', timeout: 6_000 });
});

test('rows of a turn that open have a chevron, which turns', async () => {
  const read = { id: '1', name: 'searchContent', args: { query: 'beds' } };
  const { host } = await openChat([{ says: [{ call: read }] }, { says: [{ text: 'None.' }] }]);
  await say(host, 'Search');
  await settled(host);
  const summary = host.page.locator('.savepoint-message summary').first();
  const angle = () =>
    summary.locator('.lucide-chevron-right').evaluate((icon) => getComputedStyle(icon).rotate);
  expect(await angle()).toBe('none');
  await summary.click();
  expect(await angle()).toBe('90deg');
});

const SEARCH = { id: '1', name: 'searchContent', args: { query: 'beds' } };
const UNKNOWN = { id: '2', name: 'readContent', args: { path: 'None.md' } };

/** Opens a chat whose answer has three steps, the first of which fails. */
async function openTurn(options: object = {}): Promise<ChromiumHost> {
  const { host } = await openChat(
    [
      { says: [{ text: 'I will look.' }, { call: UNKNOWN }] },
      { says: [{ text: 'Once more.' }, { call: SEARCH }] },
      { says: [{ text: '## Nothing\n\nThere are no beds.' }] },
    ],
    options,
  );
  await say(host, 'Where?');
  await settled(host);
  await host.page.locator('.savepoint-words', { hasText: 'There are no beds.' }).waitFor();
  return host;
}

test('a phone has one menu for a question and one for its answer', async () => {
  const host = await openTurn(PHONE);
  const menus = host.page.locator('.savepoint-message').getByRole('button', { name: 'More' });
  await expect.poll(() => menus.count()).toBe(2);
});

test('the gaps between the parts of an answer are equal', async () => {
  const host = await openTurn();
  const gaps = await host.page.evaluate(() => {
    const parts = [...document.querySelectorAll('.mod-answer > .savepoint-said > *')];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    return boxes.slice(1).map(({ top }, at) => Math.round(top - boxes[at]!.bottom));
  });
  expect(gaps.length).toBeGreaterThan(3);
  expect(new Set(gaps).size).toBe(1);
});

test('a page that takes the focus has no ring around it, only at its start', async () => {
  const host = await openGarden();
  await host.press('Tab');
  await host.page.locator('.savepoint-tree').focus();
  await host.press('Enter');
  const ring = (selector: string) =>
    host.page.locator(selector).evaluate((each) => getComputedStyle(each).outlineStyle);
  await host.page.locator('.savepoint-page:focus-visible').waitFor();
  expect(await ring('.savepoint-page')).toBe('none');
  expect(await ring('.savepoint-page > :first-child')).toBe('solid');
});

test('a row of a state says what it is about before who saved it', async () => {
  const host = await openGarden();
  const shown = await line(host, 'Beds drawn').locator('.tree-item-inner-subtext').innerText();
  const activeTask = 'Talking';
  expect(shown.indexOf(activeTask)).toBeGreaterThan(0);
  expect(shown.indexOf(activeTask)).toBeLessThan(shown.indexOf('Laptop'));
});

test('the badge of the current workspace keeps its distance from the name', async () => {
  const host = await openGarden();
  await host.runCommand('Savepoint: Switch workspace');
  await host.page.locator('.prompt .suggestion-item', { hasText: 'Garden' }).click();
  const title = host.page.locator('.savepoint-header-title', { hasText: 'Garden' });
  const gap = () =>
    title.evaluate((box) => {
      const [name, badge] = [...box.children].map((each) => each.getBoundingClientRect());
      return badge ? badge.left - name!.right : 0;
    });
  await expect.poll(gap).toBeGreaterThanOrEqual(4);
});
