import { describe, expect, test } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { AXE_THEMES, AXE_WIDTHS, expectNoViolations } from '../axe.js';
import { open } from '../shared-browser.js';
import { composer, say } from './chat-window.js';
import { vaultAfter } from './settings-window.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('further cases of search memory'));

/**
 * Opens a vault with states in three workspaces, the archived one included, and a note. The device
 * is in Default.
 */
async function openApp() {
  const files = await vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    for (const name of ['House', 'Attic'])
      await vault.data('createWorkspace', { ...garden, name, rootFolder: '/' });
    const tiles = stateNamed('Roof tiles', { nextSteps: ['Call the plumber about the gutter'] });
    for (const [state, workspaceId] of [
      [stateNamed('Beds drawn'), 'Garden'],
      [tiles, 'House'],
      [stateNamed('Gutter boxes'), 'Attic'],
      [stateNamed('In the open'), 'default'],
    ] as const)
      await vault.data('createState', { ...state, context: { workspaceId } });
    await vault.data('archiveWorkspace', { name: 'Attic' });
  });
  const host = await open({ files: { ...files, 'House/Rain.md': '# Rain\n\nThe gutter leaks.' } });
  const { page } = host;
  await page.locator('.status-bar-item[aria-label="Savepoint: Default"]').waitFor();
  return {
    host,
    page,
    run: (name: string) => host.runCommand(`Savepoint: ${name}`),
    rows: () => page.locator('.prompt .suggestion-item'),
    titles: () => page.locator('.prompt .suggestion-title').allTextContents(),
    groups: () => page.locator('.prompt .savepoint-group').allTextContents(),
    scope: (name: string) => page.locator('.prompt').getByRole('button', { name, exact: true }),
  };
}

describe('Search memory', () => {
  test('finds a word of a state in another workspace, and a note, in one step', async () => {
    const { host, page, run, rows, titles, groups } = await openApp();
    await run('Search memory');
    await page.keyboard.type('gutter');
    await expect.poll(groups).toEqual(['States', 'Notes']);
    expect(await titles()).toEqual(['Roof tiles', 'Rain']);
    expect(await rows().first().innerText()).toContain('House');
    const marked = page.locator('.prompt .suggestion-highlight');
    expect(await marked.allInnerTexts()).toEqual(['gutter', 'gutter']);
    for (const width of AXE_WIDTHS)
      for (const theme of AXE_THEMES) {
        await page.setViewportSize({ width, height: 800 });
        await host.setTheme(theme);
        await expectNoViolations(page, '.prompt');
      }
    await page.keyboard.press('Enter');
    await page.getByText('Call the plumber about the gutter').waitFor();
  });

  testInFull('takes its hint away as soon as something is typed', async () => {
    const { page, run, titles } = await openApp();
    await run('Search memory');
    await page.locator('.prompt .suggestion-empty').waitFor();
    const hints = await page.locator('.prompt-input').evaluate((input: HTMLInputElement) => {
      input.value = 'gutter';
      input.dispatchEvent(new Event('input'));
      return document.querySelectorAll('.prompt .suggestion-empty').length;
    });
    expect(hints).toBe(0);
    await expect.poll(titles).toEqual(['Roof tiles', 'Rain']);
  });

  testInFull('searches the current workspace alone if that is chosen', async () => {
    const { page, run, titles, scope } = await openApp();
    await run('Search memory');
    expect(await scope('All workspaces').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.type('plumber');
    await expect.poll(titles).toEqual(['Roof tiles']);
    await scope('Default').click();
    await page.locator('.suggestion-empty', { hasText: 'in this workspace' }).waitFor();
    await scope('All workspaces').click();
    await expect.poll(titles).toEqual(['Roof tiles']);
  });

  testInFull('finds a conversation, and opens it at the message', async () => {
    const { host, page, run, groups } = await openApp();
    await run('Open chat');
    await composer(host).waitFor();
    await say(host, 'A gutter made of copper');
    await page.locator('.savepoint-message', { hasText: 'copper' }).first().waitFor();
    await run('New conversation');
    await expect.poll(() => page.locator('.savepoint-message').count()).toBe(0);
    await run('Search memory');
    await page.keyboard.type('gutter');
    await expect.poll(groups).toEqual(['States', 'Notes', 'Conversations']);
    await page.locator('.suggestion-item', { hasText: 'copper' }).click();
    await page.locator('.savepoint-message.is-marked', { hasText: 'copper' }).waitFor();
  });

  testInFull('takes over the text of the filter in the memory view', async () => {
    const { page, run, titles } = await openApp();
    await run('Open memory');
    await page.getByLabel('Filter workspaces…').fill('plumber');
    await page.keyboard.press('Enter');
    await expect.poll(titles).toEqual(['Roof tiles']);
    expect(await page.locator('.prompt-input').inputValue()).toBe('plumber');
  });
});
