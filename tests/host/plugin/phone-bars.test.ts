// Tier full: what lies over the app on a phone
import { describe, expect, test } from 'vitest';
import type { ChromiumHost } from '../chromium.js';
import { openChat } from './chat-window.js';
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
