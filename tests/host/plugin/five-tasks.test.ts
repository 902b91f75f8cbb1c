// Tier full: five tasks of a reader, each in its own app
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { choose, composer, messages, openChat, say, settled } from './chat-window.js';
import { vaultAfter } from './settings-window.js';

/** Most clicks that a task may take, from a note and with no view of the plugin open. */
const MAX_CLICKS = 4;

const NOTE = 'Garden/Beds.md';
const DECISION = 'Use peat in the raised beds';

/** A workspace with a state and a decision about a note, and one state with something private. */
const filled = () =>
  vaultAfter(async (vault) => {
    vault.files.put(NOTE, '# Beds');
    await vault.data('createWorkspace', { ...garden, rootFolder: 'Garden', keyFiles: [NOTE] });
    await vault.data('createState', { ...stateNamed('Beds drawn'), activeFiles: [NOTE] });
    const files = [NOTE];
    await vault.data('createRecord', { resource: 'decision', title: DECISION, files });
    await vault.data('createRecord', { resource: 'issue', title: 'Sow the benas', files });
    await vault.data('createState', stateNamed('The key is under the pot'));
  });

/** Opens the note in the workspace, as a person left it. */
async function openNote(): Promise<ChromiumHost> {
  const host = await open({ files: { [NOTE]: '# Beds', ...(await filled()) } });
  const { page } = host;
  await page.evaluate(() => window.__host.host.app.workspace.openLinkText('Garden/Beds', ''));
  await host.runCommand('Savepoint: Switch workspace');
  await page.locator('.prompt .suggestion-item', { hasText: 'Garden' }).first().click();
  await page.locator('.notice').click();
  await page.locator('.status-bar-item', { hasText: 'Garden' }).waitFor();
  return host;
}

/** What a person does: a click, the right button for a menu, or typing into a field. */
type Step = Locator | { readonly menuOf: Locator } | { readonly field: Locator; text: string };

/** Does one after the other, and fails if there are more clicks than a task may take. */
async function clickAll(...steps: readonly Step[]) {
  expect(steps.filter((step) => !('field' in step)).length).toBeLessThanOrEqual(MAX_CLICKS);
  for (const step of steps)
    if ('menuOf' in step) await step.menuOf.click({ button: 'right' });
    else if ('field' in step) await step.field.fill(step.text);
    else await step.click();
}

const row = ({ page }: ChromiumHost, title: string) =>
  page.locator('.savepoint-line', { has: page.locator('bdi', { hasText: title }) }).first();
const menuItem = ({ page }: ChromiumHost, title: string) =>
  page.locator('.menu-item', { hasText: title });
const ribbon = ({ page }: ChromiumHost, label: string) =>
  page.locator(`.side-dock-ribbon-action[aria-label="${label}"]`);

test('what was decided about a note is found from the menu of its tab', async () => {
  const host = await openNote();
  const tab = host.page.locator('.workspace-tab-header', { hasText: 'Beds' });
  await clickAll({ menuOf: tab }, menuItem(host, 'Memory of this note'), row(host, DECISION));
  await host.page.getByRole('article').getByRole('heading', { name: DECISION }).waitFor();
});

test('a task is corrected from the status bar', async () => {
  const host = await openNote();
  const { page } = host;
  const status = page.locator('.status-bar-item', { hasText: 'Garden' });
  const modal = page.locator('.modal');
  await clickAll(
    status,
    { menuOf: row(host, 'Sow the benas') },
    menuItem(host, 'Edit…'),
    { field: modal.getByLabel('Title'), text: 'Sow the beans' },
    modal.getByRole('button', { name: 'Save', exact: true }),
  );
  await row(host, 'Sow the beans').waitFor();
});

test('yesterday’s talk is continued from the chat', async () => {
  const { host: first } = await openChat([{ says: [{ text: 'Tomatoes go south.' }] }], {
    isRestarted: true,
  });
  await say(first, 'Plan the south beds');
  await settled(first);
  await choose(first, 'New conversation');
  await expect.poll(() => messages(first).count()).toBe(0);
  const host = await first.restart();
  try {
    const talk = host.page
      .getByRole('region', { name: 'Continue' })
      .getByText('Plan the south beds');
    await clickAll(ribbon(host, 'Open chat'), talk);
    await expect.poll(() => messages(host).count()).toBe(2);
    await messages(host).last().getByText('Tomatoes go south.').waitFor();
    await composer(host).waitFor();
  } finally {
    await host.close();
  }
});

test('something private is removed for good from the status bar', async () => {
  const host = await openNote();
  const { page } = host;
  const secret = row(host, 'The key is under the pot');
  const status = page.locator('.status-bar-item', { hasText: 'Garden' });
  const forget = page.locator('.modal').getByRole('button', { name: 'Forget', exact: true });
  await clickAll(status, { menuOf: secret }, menuItem(host, 'Forget…'), forget);
  await page.locator('.notice', { hasText: 'for good' }).waitFor();
  await expect.poll(() => secret.count()).toBe(0);
});

describe('on a phone, something private is removed for good', () => {
  const SECRET = 'The key is under the pot';
  const forgetButton = (host: ChromiumHost) =>
    host.page.locator('.modal').getByRole('button', { name: 'Forget', exact: true });
  const isGone = async (host: ChromiumHost) => {
    await host.page.locator('.notice', { hasText: 'for good' }).waitFor();
    await expect.poll(() => row(host, SECRET).count()).toBe(0);
  };

  test('from the palette', async () => {
    const host = await open({ files: await filled(), isMobile: true });
    const { page } = host;
    await clickAll(
      page.locator('.mobile-navbar-action[aria-label="Open command palette"]'),
      { field: page.locator('.prompt-input'), text: 'Forget' },
      page.locator('.suggestion-item', { hasText: 'Savepoint: Forget state' }),
      page.locator('.suggestion-item', { hasText: SECRET }),
      forgetButton(host),
    );
    await isGone(host);
  });

  test('from the list of workspaces, if it is in another workspace', async () => {
    const host = await open({ files: await filled(), isMobile: true });
    const { page } = host;
    await host.runCommand('Savepoint: Open memory');
    await row(host, 'Garden').waitFor();
    await page.evaluate(() => window.__host.host.app.workspace.rightSplit.collapse());
    await clickAll(
      page.locator('.mobile-navbar-action[aria-label="Open right sidebar"]'),
      page.locator('.savepoint-view').getByRole('button', { name: 'Forget state' }),
      page.locator('.suggestion-item', { hasText: SECRET }),
      forgetButton(host),
    );
    await isGone(host);
    await row(host, 'Garden').click();
    await row(host, 'Beds drawn').waitFor();
    expect(await row(host, SECRET).count()).toBe(0);
  });

  test('from the memory that was left open in the sidebar', async () => {
    const host = await open({ files: await filled(), isMobile: true });
    const { page } = host;
    await host.runCommand('Savepoint: Open memory');
    await row(host, 'Garden').click();
    await row(host, SECRET).waitFor();
    await page.evaluate(() => window.__host.host.app.workspace.rightSplit.collapse());
    await clickAll(
      page.locator('.mobile-navbar-action[aria-label="Open right sidebar"]'),
      row(host, SECRET),
      page.locator('.savepoint-view').getByRole('button', { name: 'Forget…' }),
      forgetButton(host),
    );
    await isGone(host);
  });
});

test('a project’s folder is moved in the app, and its workspace follows', async () => {
  const host = await openNote();
  const { page } = host;
  await page.evaluate(async () => {
    const { vault, fileManager } = window.__host.host.app;
    await fileManager.renameFile(vault.getAbstractFileByPath('Garden')!, 'Allotment');
  });
  const status = page.locator('.status-bar-item', { hasText: 'Garden' });
  await clickAll(status, page.locator('.savepoint-details summary'));
  const details = page.locator('.savepoint-details');
  await details.getByText('Allotment', { exact: true }).waitFor();
  await details.getByText('Allotment/Beds.md', { exact: true }).waitFor();
});

describe('on a phone of 380 px', () => {
  const openPhone = async () => {
    const files = { [NOTE]: '# Beds', ...(await filled()) };
    const host = await open({ files, isMobile: true, width: 380, height: 800 });
    await host.page.evaluate(() =>
      window.__host.host.app.workspace.openLinkText('Garden/Beds', ''),
    );
    return host;
  };
  const palette = ({ page }: ChromiumHost) =>
    page.locator('.mobile-navbar-action[aria-label="Open command palette"]');
  const command = ({ page }: ChromiumHost, title: string) => [
    { field: page.locator('.prompt-input'), text: title },
    page.locator('.suggestion-item', { hasText: title }).first(),
  ];
  /** Leaves the workspace open in the sidebar, which is closed. */
  const leaveWorkspaceOpen = async (host: ChromiumHost) => {
    await host.runCommand('Savepoint: Open memory');
    await row(host, 'Garden').click();
    await row(host, 'Sow the benas').waitFor();
    await host.page.evaluate(() => window.__host.host.app.workspace.rightSplit.collapse());
    return host.page.locator('.mobile-navbar-action[aria-label="Open right sidebar"]');
  };

  test('what was decided about a note is found from the palette', async () => {
    const host = await openPhone();
    await clickAll(
      palette(host),
      ...command(host, 'Savepoint: Open memory of this note'),
      row(host, DECISION),
    );
    await host.page.getByRole('article').getByRole('heading', { name: DECISION }).waitFor();
  });

  test('a task is corrected in the memory that was left open', async () => {
    const host = await openPhone();
    const sidebar = await leaveWorkspaceOpen(host);
    const modal = host.page.locator('.modal');
    await clickAll(
      sidebar,
      { menuOf: row(host, 'Sow the benas') },
      menuItem(host, 'Edit…'),
      { field: modal.getByLabel('Title'), text: 'Sow the beans' },
      modal.getByRole('button', { name: 'Save', exact: true }),
    );
    await row(host, 'Sow the beans').waitFor();
  });

  test('yesterday’s talk is continued from the palette', async () => {
    const says = [{ says: [{ text: 'Tomatoes go south.' }] }];
    const { host } = await openChat(says, { isMobile: true, width: 380, height: 800 });
    await say(host, 'Plan the south beds');
    await settled(host);
    await choose(host, 'New conversation');
    await expect.poll(() => messages(host).count()).toBe(0);
    await host.page.evaluate(() => window.__host.host.app.workspace.rightSplit.collapse());
    await clickAll(
      palette(host),
      ...command(host, 'Savepoint: Open chat'),
      host.page.getByRole('region', { name: 'Continue' }).getByText('Plan the south beds'),
    );
    await expect.poll(() => messages(host).count()).toBe(2);
  });

  test('a project’s folder is moved, and its workspace follows', async () => {
    const host = await openPhone();
    const sidebar = await leaveWorkspaceOpen(host);
    await host.page.evaluate(async () => {
      const { vault, fileManager } = window.__host.host.app;
      await fileManager.renameFile(vault.getAbstractFileByPath('Garden')!, 'Allotment');
    });
    const details = host.page.locator('.savepoint-details');
    await clickAll(sidebar, details.locator('summary'));
    await details.getByText('Allotment/Beds.md', { exact: true }).waitFor();
  });
});
