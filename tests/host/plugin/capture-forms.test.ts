// Tier full: each form in two languages, two widths, both directions and both themes
import { expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { openSettings, press, row, tabTo } from './settings-window.js';

const FOLDER = '/home/ada/a-project-with-a-rather-long-name/and-a-folder-in-it';

/** Offers the rows that only a desktop has; no browser can look at the folders of a device. */
async function addProjects({ page }: ChromiumHost): Promise<void> {
  await page.waitForFunction(() => {
    const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
      sessions: { chat: { get(): unknown } };
    };
    return plugin.sessions.chat.get() !== undefined;
  });
  await page.evaluate(() => {
    interface Capture {
      vault: string;
      projects?: object;
      update(change: (settings: { links: object[] }) => object): Promise<void>;
      settings: { get(): object };
    }
    const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
      sessions: { chat: { get(): { capture: Capture }; set(chat: unknown): void } };
    };
    const chat = plugin.sessions.chat.get();
    const { capture } = chat;
    const projects = {
      async link(folder: string, target: object) {
        if (!folder.startsWith('/')) return undefined;
        const link = { ...target, project: folder, folder, vault: capture.vault };
        await capture.update((settings) => ({ ...settings, links: [...settings.links, link] }));
        return link;
      },
      findFolder: (typed: string) => Promise.resolve(typed.startsWith('/') ? typed : undefined),
    };
    chat.capture = { ...capture, projects };
    for (const each of [undefined, chat]) plugin.sessions.chat.set(each);
  });
}

test.each([
  ['en', 1280, 'ltr'],
  ['en', 380, 'rtl'],
  ['de', 1280, 'rtl'],
  ['de', 380, 'ltr'],
] as const)(
  'projects and folders are chosen with the keyboard alone, without a violation (%s, %i px, %s)',
  async (language, width, direction) => {
    const { projects, excluded, name } = (language === 'de' ? germanTexts() : en).capture.settings;
    const host = await open({ language, width, isMobile: width < 400 });
    const { page } = host;
    await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
    await addProjects(host);
    await openSettings(host, language);
    await press(page, row(page, name));
    const check = async () => {
      for (const theme of AXE_THEMES) {
        await host.setTheme(theme);
        await expectNoViolations(page);
      }
      const overflow = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.modal *')]
          .filter((each) => each.checkVisibility() && each.clientWidth > 0)
          .map((each) => each.getBoundingClientRect())
          .filter(({ left, right, width }) => width > 1 && (left < -1 || right > innerWidth + 1)),
      );
      expect(overflow).toEqual([]);
    };
    for (const { form } of [projects, excluded]) {
      await press(page, page.getByRole('button', { name: form.title }).first());
      const field = page.locator('.savepoint-form input').first();
      await tabTo(page, field);
      await page.keyboard.type('nowhere');
      await host.press('Control+Enter');
      await page.locator('.savepoint-form .setting-item-error').first().waitFor();
      await check();
      await tabTo(page, field);
      await host.press('Control+a');
      await page.keyboard.type(FOLDER);
      await press(page, page.getByRole('button', { name: form.submit, exact: true }));
      await expect.poll(() => page.locator('.savepoint-form').count()).toBe(0);
    }
    await expect.poll(() => row(page, FOLDER).count()).toBe(1); // this device stores no links
    await check();
  },
);
