// Tier full: what lies over the app on a phone
import { describe, expect, test } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import { button, composer, openChat } from './chat-window.js';
import { vaultAfter } from './settings-window.js';
import { open } from '../shared-browser.js';

const PHONE = { isMobile: true, width: 390, height: 720 };
const KEYBOARD = 320;

/** Shows the keyboard as the app does on iOS: the window keeps its height. */
const showKeyboard = ({ page }: ChromiumHost) =>
  page.evaluate(
    (px) => document.documentElement.style.setProperty('--keyboard-height', `${px}px`),
    KEYBOARD,
  );

const floatNavigation = ({ page }: ChromiumHost) =>
  page.evaluate(() => document.body.classList.add('is-floating-nav'));

async function box({ page }: ChromiumHost, selector: string) {
  const found = await page.locator(selector).boundingBox();
  return { top: found!.y, bottom: found!.y + found!.height };
}

/** Opens the chat in a tab, not in the sidebar. */
async function openChatInTab(): Promise<ChromiumHost> {
  const { host } = await openChat([], PHONE);
  await host.page.evaluate(async () => {
    const { workspace } = window.__host.host.app;
    workspace.detachLeavesOfType('savepoint-chat');
    workspace.rightSplit.collapse();
    await workspace.getLeaf('tab').setViewState({ type: 'savepoint-chat', active: true });
  });
  await host.page.locator('.workspace-tab-container .savepoint-composer').waitFor();
  return host;
}

describe('in a tab on a phone', () => {
  test('the chat ends above navigation that floats', async () => {
    const host = await openChatInTab();
    await floatNavigation(host);
    const bar = await box(host, '.mobile-navbar');
    const composer = await box(host, '.savepoint-composer');
    expect(bar.bottom).toBe(PHONE.height);
    expect(composer.bottom).toBeLessThanOrEqual(bar.top);
    expect(composer.bottom).toBeGreaterThan(bar.top - 10);
  });

  test('the chat ends at the navigation or keyboard otherwise', async () => {
    const host = await openChatInTab();
    const bar = await box(host, '.mobile-navbar');
    expect((await box(host, '.savepoint-composer')).bottom).toBeGreaterThan(bar.top - 10);
    await floatNavigation(host);
    await showKeyboard(host);
    const top = PHONE.height - KEYBOARD;
    const composer = await box(host, '.savepoint-composer');
    expect(composer.bottom).toBeLessThanOrEqual(top);
    expect(composer.bottom).toBeGreaterThan(top - 10);
  });
});

describe('with the keyboard of a phone', () => {
  test('the chat hides the line below its composer, and shows it again without', async () => {
    const { host } = await openChat([], PHONE);
    const places = host.page.locator('.savepoint-composer > .savepoint-places');
    expect(await places.isVisible()).toBe(true);
    await showKeyboard(host);
    await expect.poll(() => places.isVisible()).toBe(false);
    await host.page.evaluate(() => document.documentElement.removeAttribute('style'));
    await expect.poll(() => places.isVisible()).toBe(true);
  });

  test('the buttons of a form stay above it', async () => {
    const host = await open({ ...PHONE, files: { 'Note.md': 'A note.' } });
    await host.runCommand('Savepoint: Save state');
    const save = '.savepoint-form-footer .mod-cta';
    await host.page.locator(save).waitFor();
    const before = await box(host, save);
    await showKeyboard(host);
    const { top, bottom } = await box(host, save);
    expect(bottom).toBeLessThanOrEqual(PHONE.height - KEYBOARD);
    expect(top).toBeGreaterThan(0);
    const question = await box(host, 'textarea >> nth=0');
    expect(question.top).toBeGreaterThan(0);
    expect(question.bottom).toBeLessThanOrEqual(top);
    await host.page.evaluate(() => document.documentElement.removeAttribute('style'));
    expect((await box(host, save)).bottom).toBe(before.bottom);
  });
});

const SMALL = { isMobile: true, width: 380, height: 800 };
const CONTEXT = 'Every row of the south beds has its own kind of tomato now. '.repeat(4);

const withStates = () =>
  vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    for (let at = 0; at < 5; at++)
      await vault.data(
        'createState',
        stateNamed(`Plan ${at}`, {
          conversationContext: CONTEXT,
          nextSteps: ['Order seeds', 'Water them', 'Rest'],
        }),
      );
  });

/** Returns whether the chat's composer has the focus. */
const isTyping = (host: ChromiumHost) =>
  composer(host).evaluate((input) => input === document.activeElement);

async function resumeOnPhone(): Promise<ChromiumHost> {
  const { host } = await openChat([], { ...SMALL, files: await withStates() });
  await host.page.locator('.savepoint-continue button', { hasText: 'Plan 4' }).click();
  await host.page.locator('.savepoint-data-card[open]').waitFor();
  return host;
}

describe('an empty chat on a phone', () => {
  test.each([800, 420])(
    'shows all it offers, and no keyboard by itself, at %i px',
    async (height) => {
      const { host } = await openChat([], { ...SMALL, height, files: await withStates() });
      const list = host.page.locator('.savepoint-continue');
      await list.waitFor();
      expect(await isTyping(host)).toBe(false);
      const top = (await box(host, '.savepoint-composer')).top;
      const first = await box(host, '.savepoint-continue li:first-child');
      expect(first.bottom).toBeLessThanOrEqual(top);
      if (height === 800)
        expect((await box(host, '.savepoint-continue-more')).bottom).toBeLessThanOrEqual(top);
      await button(host, 'All states…').scrollIntoViewIfNeeded();
      expect((await box(host, '.savepoint-continue-more')).bottom).toBeLessThanOrEqual(top);
    },
  );
});

describe('a resumed state on a phone', () => {
  test('is shown whole, under no notice', async () => {
    const host = await resumeOnPhone();
    const shown = host.page.locator('.savepoint-data-text');
    await expect
      .poll(() => shown.evaluate((text) => text.scrollHeight - text.clientHeight))
      .toBe(0);
    expect(await host.page.locator('.notice').count()).toBe(0);
    expect(await isTyping(host)).toBe(false);
    const card = await box(host, '.savepoint-message');
    expect(card.top).toBeGreaterThan((await box(host, '.savepoint-chat .savepoint-header')).top);
  });

  test('is read from its start with the keyboard, and its end is soft', async () => {
    const host = await resumeOnPhone();
    await host.page.setViewportSize({ width: 380, height: 420 });
    await composer(host).focus();
    const header = await box(host, '.savepoint-chat .savepoint-header');
    await expect
      .poll(async () => (await box(host, '.savepoint-message')).top)
      .toBeGreaterThanOrEqual(header.bottom);
    const mask = () =>
      host.page.locator('.savepoint-messages').evaluate((list) => getComputedStyle(list).maskImage);
    await expect.poll(mask).toContain('gradient');
    await host.page.locator('.savepoint-messages').evaluate((list) => list.scrollTo(0, 1e6));
    await expect.poll(mask).toBe('none');
  });
});

test('the memory view offers to search everything above the keyboard', async () => {
  const host = await open({ ...SMALL, height: 420, files: await withStates() });
  await host.runCommand('Savepoint: Open memory');
  await host.page.locator('.savepoint-header input').fill('nowhere');
  const search = host.page.getByRole('button', { name: 'Search everything' });
  await search.waitFor();
  const { y, height } = (await search.boundingBox())!;
  const end = await box(host, '.savepoint-pages');
  expect(y + height).toBeLessThanOrEqual(end.bottom);
});
