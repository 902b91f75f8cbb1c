// Tier full: builds the site and opens it in a browser
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { writePages } from '../../scripts/site.mjs';
import { AXE_THEMES, AXE_WIDTHS, expectNoViolationsInOwnPage } from '../host/axe.js';
import { openWindow } from '../host/browser.js';
import { sharedBrowser } from '../host/shared-browser.js';

let site: string;

beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'site-'));
  await writePages({ to: site });
  writeFileSync(join(site, 'playground.html'), '');
});

afterAll(() => {
  rmSync(site, { recursive: true });
});

/** Opens a page of the site from the disk. */
async function openPage(address: string, width: number): Promise<Page> {
  const window = await openWindow(await sharedBrowser(), {
    width,
    height: 800,
    isMobile: width < 600,
  });
  onTestFinished(() => window.close());
  const page = await window.newPage();
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(?:file|data):/.test(request.url())) elsewhere.push(request.url());
  });
  onTestFinished(() => expect(elsewhere).toEqual([]));
  await page.goto(pathToFileURL(join(site, address)).href);
  return page;
}

const isInFocus = (page: Page, name: string) =>
  page
    .getByRole('link', { name, exact: true })
    .evaluate((link) => link === link.ownerDocument.activeElement);

describe.each(['index.html', 'guide/connect-an-ai-app.html'])('%s', (address) => {
  it.each(AXE_WIDTHS)('is accessible and fits a width of %i', async (width) => {
    const page = await openPage(address, width);
    for (const colorScheme of AXE_THEMES) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolationsInOwnPage(page);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

it('the keyboard reaches the content at once, and the navigation on a wide screen', async () => {
  const page = await openPage('guide/states.html', 1280);
  await page.keyboard.press('Tab');
  expect(await isInFocus(page, 'Skip to the content')).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await isInFocus(page, 'Overview')).toBe(true);
  await page.getByRole('link', { name: 'Workspaces', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Workspaces' }).waitFor();
});

it('the navigation opens on a phone', async () => {
  const page = await openPage('guide/states.html', 400);
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
  const chat = pages.getByRole('link', { name: 'Chat', exact: true });
  expect(await chat.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Pages', exact: true }).click();
  expect(await chat.isVisible()).toBe(true);
  await chat.click();
  await page.getByRole('heading', { level: 1, name: 'Chat' }).waitFor();
});
