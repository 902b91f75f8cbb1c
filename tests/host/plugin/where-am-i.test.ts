import { describe, expect, test } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';
import { open } from '../shared-browser.js';
import { showAllFields, vaultAfter } from './settings-window.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('further ways to change the workspace'));

/** A vault with a state in each of Default, Garden and House; the device is in Default. */
async function threeWorkspaces(): Promise<FileSet> {
  return vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    await vault.data('createWorkspace', { ...garden, name: 'House', rootFolder: '/' });
    for (const [name, workspaceId] of [
      ['Beds drawn', 'Garden'],
      ['Roof tiles', 'House'],
      ['In the open', 'default'],
    ] as const)
      await vault.data('createState', { ...stateNamed(name), context: { workspaceId } });
  });
}

async function openApp(files?: FileSet) {
  const host = await open({
    files: { 'Plan.md': '# Plan', ...(files ?? (await threeWorkspaces())) },
  });
  await expect.poll(() => currentWorkspace(host)).toBe('Default');
  const { page } = host;
  return {
    host,
    page,
    run: (name: string) => host.runCommand(`Savepoint: ${name}`),
    rows: () => page.locator('.prompt .suggestion-item'),
    line: (name: string) =>
      page.locator('.savepoint-line', { has: page.getByText(name, { exact: true }) }),
    workspaceField: () => page.getByLabel('Workspace', { exact: true }),
  };
}

/** Returns the workspace that the status bar shows. */
function currentWorkspace({ page }: ChromiumHost): Promise<string> {
  return page.locator('.status-bar-item[aria-label^="Savepoint:"]').innerText();
}

async function selectedText(select: ReturnType<ChromiumHost['page']['getByLabel']>) {
  return select.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]?.text);
}

testInFull('a state is moved to another workspace, and back by Undo', async () => {
  const { page, run, rows, line } = await openApp();
  await run('Open memory');
  await line('Garden').click();
  await line('Beds drawn').click();
  await page.locator('.savepoint-view').getByRole('button', { name: 'More actions' }).click();
  await page.locator('.menu-item', { hasText: 'Move to workspace…' }).click();
  await rows().filter({ hasText: 'House' }).click();
  await page.locator('.savepoint-header-title', { hasText: 'House' }).waitFor();
  await page.locator('.savepoint-name', { hasText: 'Beds drawn' }).waitFor();
  const notice = page.locator('.notice', { hasText: 'to workspace "House"' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('This state is archived.').waitFor();
  await run('Resume state');
  const beds = rows().filter({ hasText: 'Beds drawn' });
  await expect.poll(() => beds.allInnerTexts()).toEqual([expect.stringContaining('Garden')]);
});

describe('the current workspace', () => {
  test('is that of a resumed state, in the status bar and in the form that saves', async () => {
    const { host, page, run, rows, line, workspaceField } = await openApp();
    await run('Resume state');
    await rows().filter({ hasText: 'Roof tiles' }).click();
    await expect.poll(() => currentWorkspace(host)).toBe('House');
    await page.locator('.savepoint-composer textarea:focus').waitFor();
    expect(await page.locator('.status-bar-item .lucide-box').count()).toBe(1);

    await run('Save state');
    await showAllFields(page);
    await expect.poll(() => selectedText(workspaceField())).toBe('House');
    await page.getByLabel('Name', { exact: true }).fill('Roof done');
    await page.getByLabel('Where are you?').fill('All tiles are on.');
    await page.getByLabel('What next?').fill('Paint');
    await page.keyboard.press('Control+Enter');
    await page.locator('.notice-message', { hasText: 'Roof done' }).waitFor();
    // a click would wait until no notice covers the line
    await page.locator('.notice').evaluateAll((all: HTMLElement[]) => {
      for (const notice of all) notice.click();
    });
    await run('Open memory');
    await line('House').click();
    await line('Roof done').waitFor();
  });

  testInFull('returns to the earlier one if resuming is undone', async () => {
    const { host, page, run, rows } = await openApp();
    await run('Resume state');
    await rows().filter({ hasText: 'Roof tiles' }).click();
    const notice = page.locator('.notice', { hasText: 'Switched to workspace "House"' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => currentWorkspace(host)).toBe('Default');
  });

  testInFull('follows the memory view while that has the focus', async () => {
    const { host, page, run, rows, line, workspaceField } = await openApp();
    await run('Open memory');
    await page.locator('.savepoint-tree:focus').waitFor();
    await line('Garden').click();
    await expect.poll(() => currentWorkspace(host)).toBe('Garden');
    await run('Save state');
    await expect.poll(() => selectedText(workspaceField())).toBe('Garden');
    await page.keyboard.press('Escape');

    await run('Switch workspace');
    await rows().filter({ hasText: 'House' }).click();
    await expect.poll(() => currentWorkspace(host)).toBe('House');
    await line('Roof tiles').waitFor();
    await page.locator('.nav-file-title', { hasText: 'Plan' }).click();
    await expect.poll(() => currentWorkspace(host)).toBe('House');
  });

  testInFull('is where a new conversation begins', async () => {
    const { host, page, run, line } = await openApp();
    await run('Open memory');
    await line('Garden').click();
    await expect.poll(() => currentWorkspace(host)).toBe('Garden');
    await run('New conversation');
    await page.getByRole('button', { name: 'Workspace: Garden' }).waitFor();
    await expect.poll(() => currentWorkspace(host)).toBe('Garden');
  });

  testInFull('can be changed in the form, which then saves there', async () => {
    const { host, page, run, workspaceField } = await openApp();
    await run('Save state');
    await showAllFields(page);
    await workspaceField().selectOption('Garden');
    for (const theme of AXE_THEMES) {
      await host.setTheme(theme);
      await expectNoViolations(page, '.modal');
    }
    await page.getByLabel('Where are you?').fill('Beds are dug.');
    await page.getByLabel('What next?').fill('Sow');
    await page.keyboard.press('Control+Enter');
    await page.locator('.notice-message', { hasText: 'Beds are dug' }).waitFor();
    const files = Object.values(await host.snapshot()).map((file) => JSON.stringify(file));
    const line = files
      .join('\\n')
      .split('\\n')
      .find((each) => each.includes('Beds are dug.'));
    expect(line).not.toContain('default');
  });
});
