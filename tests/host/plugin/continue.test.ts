import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { messagesIn } from '../../fakes/captured-project.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { inFull } from '../../tier.js';
import { AXE_DEVICES, AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { button, choose, composer, messages, openChat, say, settled } from './chat-window.js';
import { openSettings, press, row, vaultAfter } from './settings-window.js';

const testInFull = test.runIf(inFull('further cases of Continue'));

const ANSWER = [{ says: [{ text: 'Tomatoes go south.\n\nThe rest can wait.' }] }];
const TASK = 'Plan the south beds';
const NAME = 'Spring planting';

function continued({ page }: ChromiumHost) {
  return page.getByRole('region', { name: 'Continue' });
}

function entry(host: ChromiumHost, title: string) {
  return continued(host).getByRole('button', { name: title });
}

/** Returns the messages of the checkpoints in the vault's log. */
async function capturedTasks(host: ChromiumHost): Promise<unknown[]> {
  const files = Object.entries(await host.snapshot()).filter(([path]) =>
    /^Savepoint\/.*\.jsonl$/.test(path),
  );
  return files.flatMap(([, file]) => {
    const text = typeof file === 'string' ? file : 'text' in file ? String(file.text) : '';
    return text.split('\n').flatMap((line) => {
      if (line === '') return [];
      const { d } = JSON.parse(line) as { d?: { checkpoint?: JsonObject } };
      return d?.checkpoint ? messagesIn(d.checkpoint) : [];
    });
  });
}

/** Opens the chat and leaves a conversation without saving it. */
async function leaveConversation(options: Parameters<typeof openChat>[1] = {}) {
  const opened = await openChat(ANSWER, options);
  await say(opened.host, TASK);
  await settled(opened.host);
  await choose(opened.host, 'New conversation');
  await continued(opened.host).waitFor();
  return opened;
}

testInFull('a conversation left without saving is opened by a click', async () => {
  const { host, server } = await leaveConversation();
  expect(await entry(host, TASK).innerText()).toMatch(/Not saved[\s\S]*Default · Chat/i);
  await entry(host, TASK).click();
  await expect.poll(() => messages(host).count()).toBe(2);
  await expect
    .poll(() => composer(host).evaluate((box) => box === document.activeElement))
    .toBe(true);
  expect(await messages(host).allInnerTexts()).toEqual([
    expect.stringContaining(TASK),
    expect.stringContaining('The rest can wait.'),
  ]);
  expect(await capturedTasks(host)).toEqual([TASK]);
  expect(server.requests).toHaveLength(1);
});

test('a conversation left without saving becomes a state, by a form that is filled in', async () => {
  const { host } = await leaveConversation();
  await continued(host).getByRole('button', { name: 'Save as state' }).click();
  const name = host.page.locator('.modal .savepoint-fold button').last();
  expect(await name.innerText()).toBe(TASK);
  expect(await host.page.getByLabel('What next?').inputValue()).toBe(TASK);
  await host.press('Control+Enter');
  await host.page.locator('.notice', { hasText: `Saved state "${TASK}".` }).waitFor();
  await expect.poll(() => entry(host, 'Not saved').count()).toBe(0);
  expect(await entry(host, TASK).count()).toBe(1);
  await entry(host, TASK).click();
  await expect
    .poll(() => messages(host).first().innerText())
    .toContain('Saved from the checkpoint of a session in Chat');
});

testInFull('the timeline offers to save a checkpoint, with the keyboard too', async () => {
  const { host } = await leaveConversation();
  const { page } = host;
  await host.runCommand('Savepoint: Open memory');
  await page.locator('.savepoint-line', { hasText: 'Default' }).first().click();
  const row = page.locator('.savepoint-line', { hasText: TASK }).first();
  await row.getByRole('button', { name: 'Save as state' }).waitFor();
  await page.locator('.savepoint-tree').focus();
  await host.press('Home', 'Shift+F10');
  await page.locator('.menu-item', { hasText: 'Save as state' }).click();
  await page.getByLabel('Where are you?').waitFor();
  await host.press('Control+Enter');
  await page.locator('.notice', { hasText: `Saved state "${TASK}".` }).waitFor();
  await expect.poll(() => row.getByRole('button', { name: 'Save as state' }).count()).toBe(0);
});

testInFull('a private conversation, and one during a pause, leave no checkpoint', async () => {
  const { host } = await openChat([...ANSWER, ...ANSWER]);
  const { page } = host;
  const bar = page.locator('.status-bar-item[aria-label*="checkpoints"]');
  await bar.click();
  await page.locator('.status-bar-item', { hasText: 'Paused until' }).waitFor();
  await page.locator('.savepoint-uncaptured', { hasText: 'Paused' }).waitFor();
  await say(host, 'Said in the pause');
  await settled(host);
  await host.runCommand('Savepoint: Resume capture');
  await bar.waitFor();
  await button(host, 'More actions').click();
  await page.locator('.menu-item', { hasText: 'Stop capturing this conversation' }).click();
  await page.locator('.savepoint-uncaptured', { hasText: 'Private' }).waitFor();
  await say(host, 'Said in private');
  await settled(host);
  await choose(host, 'New conversation');
  await composer(host).waitFor();
  await page.waitForTimeout(200);
  expect(await capturedTasks(host)).toEqual([]);
});

test('a renamed conversation has its new name wherever it is resumed, listed or opened', async () => {
  const files = await vaultAfter((vault) => vault.data('createWorkspace', garden));
  const { host } = await leaveConversation({ files });
  const { page } = host;
  await entry(host, TASK).click();
  await messages(host).last().waitFor();
  await button(host, 'More actions').click();
  await page.locator('.menu-item', { hasText: 'Rename' }).click();
  await page.locator('.savepoint-form input').fill(NAME);
  await host.press('Control+Enter');
  await expect.poll(() => page.locator('.savepoint-header-title').innerText()).toBe(NAME);
  await choose(host, 'New conversation');
  await entry(host, NAME).waitFor();
  await host.runCommand('Savepoint: Open memory');
  await page.locator('.savepoint-line', { hasText: 'Default' }).first().click();
  const rows = page.locator('.savepoint-view .savepoint-line', { hasText: NAME });
  await expect.poll(() => rows.count()).toBe(1);
  await rows.click();
  await rows.nth(1).click();
  const call = page.locator('.savepoint-call');
  await call.getByText(NAME, { exact: true }).waitFor();
  expect(await call.innerText()).toContain(TASK);
  await host.press('Escape');
  await host.runCommand('Savepoint: Switch workspace');
  await page.locator('.prompt .suggestion-item', { hasText: 'Garden' }).first().click();
  await page.locator('.status-bar-item', { hasText: 'Garden' }).waitFor();
  const resumed = await page.evaluate(() =>
    window.__host.host.app.cliCommands.get('savepoint:resume')?.handler({}),
  );
  expect(resumed).toBe(`Resumed "${NAME}" in a new conversation.`);
  await page.locator('.notice', { hasText: 'Switched to workspace "Default"' }).waitFor();
  await expect.poll(() => page.locator('.savepoint-header-title').allInnerTexts()).toContain(NAME);
});

/** Follows an `obsidian://` link as the app does. */
async function followLink({ page }: ChromiumHost, path: string, params: Record<string, string>) {
  await page.evaluate(
    ([action, given]) => {
      const { protocolHandlers } = window.__host.host.app;
      void protocolHandlers.get(action)?.({ action, ...given });
    },
    [path, params] as const,
  );
}

testInFull('links resume, open a filled form that saves, and show a brief', async () => {
  const files = await vaultAfter((vault) => vault.data('createState', stateNamed('Beds drawn')));
  const host = await open({ files });
  const { page } = host;
  await followLink(host, 'savepoint/save', {
    name: 'Linked',
    task: 'Plant',
    context: 'From a shortcut',
    next: 'Water\nWeed',
  });
  const form = page.locator('.modal', { hasText: 'Save state' });
  await form.waitFor();
  const states = async () =>
    Object.values(await host.snapshot()).filter((file) => JSON.stringify(file).includes('Linked'));
  expect(await states()).toEqual([]);
  await form.getByRole('button', { name: 'Save state' }).click();
  await page.locator('.notice', { hasText: 'Saved state "Linked".' }).waitFor();
  expect(await states()).not.toEqual([]);

  await followLink(host, 'savepoint', { action: 'brief' });
  await page.locator('.savepoint-brief', { hasText: 'State "Linked"' }).waitFor();
  await host.press('Escape');
  await followLink(host, 'savepoint/resume', { state: 'beds drawn' });
  await expect.poll(() => messages(host).first().innerText()).toContain('Beds drawn');
  await followLink(host, 'savepoint', { action: 'erase' });
  await page
    .locator('.notice', {
      hasText: 'Savepoint links have no action "erase". Use resume, save or brief.',
    })
    .waitFor();
});

testInFull("the app's command line resumes, and prints a brief or what is wrong", async () => {
  const files = await vaultAfter((vault) => vault.data('createState', stateNamed('Beds drawn')));
  const host = await open({ files });
  const run = (command: string, params: Record<string, string>) =>
    host.page.evaluate(
      ([id, given]) => window.__host.host.app.cliCommands.get(id)?.handler(given),
      [command, params] as const,
    );
  expect(await run('savepoint:brief', {})).toContain('State "Beds drawn"');
  expect(await run('savepoint:resume', {})).toBe('Resumed "Beds drawn" in a new conversation.');
  expect(await run('savepoint:resume', { state: 'Roof' })).toBe(
    'There is no state "Roof" in this vault.',
  );
  expect(await run('savepoint:brief', { workspace: 'Nowhere' })).toBe(
    'There is no workspace "Nowhere" in this vault.',
  );
});

testInFull.each(AXE_DEVICES)(
  'axe-core finds no violation in Continue, on %s',
  async (_, isMobile) => {
    const { host } = await leaveConversation({ isMobile });
    for (const theme of AXE_THEMES) {
      await host.setTheme(theme);
      await expectNoViolations(host.page);
    }
  },
);

testInFull('settings show the cost, and switch capture off for the vault', async () => {
  const { host } = await openChat(ANSWER);
  const { page } = host;
  await openSettings(host);
  await press(page, row(page, 'Capture'));
  await page.getByText(/^Default: about \d+ of at most 800 tokens$/).waitFor();
  await row(page, 'Capture sessions in this vault').locator('.checkbox-container').click();
  await host.press('Escape');
  await page.locator('.savepoint-uncaptured', { hasText: 'Excluded' }).waitFor();
  await say(host, TASK);
  await settled(host);
  await choose(host, 'New conversation');
  await composer(host).waitFor();
  expect(await capturedTasks(host)).toEqual([]);
});
