// Tier full: agents are real processes, which take seconds to start.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createConversations } from '../../../src/chat/log-conversations.js';
import { createTestRandom } from '../../fakes/deterministic.js';
import { PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { installAgents } from '../agents-in-page.js';
import { isNightly } from '../../tier.js';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open } from '../shared-browser.js';
import { button, choose, composer, messages, openChat, said, say, settled } from './chat-window.js';
import { openSettings, press, row, textIn, vaultAfter } from './settings-window.js';

const NOTE = 'one\ntwo\n';

interface AgentOptions extends Partial<Parameters<typeof installAgents>[1]> {
  /** Whether the agents start the real MCP server over their folder. */
  readonly isConnected?: boolean;
}

/** Opens a vault with one note in a page, and lets agents run in a folder with the same note. */
async function openWithAgents(options: AgentOptions = {}) {
  const host = await open({ files: { 'note.md': NOTE } });
  await allowAgents(host, options);
  return host;
}

async function allowAgents(
  host: ChromiumHost,
  { isConnected = false, ...options }: AgentOptions = {},
) {
  const vault = temporaryFolder();
  writeFileSync(join(vault, 'note.md'), NOTE);
  const memoryServer = isConnected ? [PROGRAM, 'mcp', '--vault', vault] : undefined;
  onTestFinished(await installAgents(host, { ...options, memoryServer, vault }));
}

/** Adds agents in the settings, by keyboard. */
async function addAgents(host: ChromiumHost, ...titles: string[]) {
  const { page } = host;
  await openSettings(host);
  await press(page, row(page, 'Agents in the chat'));
  for (const title of titles) {
    await press(page, page.getByRole('button', { name: `Add: ${title}` }));
    await page.locator('.notice', { hasText: `${title} works.` }).waitFor();
  }
}

/** Widths in CSS pixels, the second that of a phone, and themes. */
const TWO_LOOKS = [
  [1280, 'dark'],
  [400, 'light'],
] as const;
const ALL_LOOKS = [...TWO_LOOKS, [1280, 'light'], [400, 'dark']] as const;

/** Checks the page, or a part of it, in both themes and widths. */
async function check({ page, setTheme }: ChromiumHost, selector?: string) {
  for (const [width, theme] of isNightly ? ALL_LOOKS : TWO_LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await setTheme(theme);
    await expectNoViolations(page, selector);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('agents are added by keyboard, with a warning about free models', async () => {
  const host = await openWithAgents({ missing: ['gemini'] });
  const { page } = host;
  await addAgents(host, 'Claude Code');
  const rows = page.locator('.savepoint-chat-agent-row');
  await expect
    .poll(() => rows.filter({ hasText: 'free models of its own cloud' }).allInnerTexts())
    .toEqual([expect.stringContaining('opencode')]);
  expect(await rows.filter({ hasText: 'Gemini CLI' }).innerText()).toContain(
    'Not installed. To install it: npm install -g @google/gemini-cli@',
  );
  await check(host, '.modal-container');
});

test('an agent is added from the first conversation by keyboard, and answers it', async () => {
  const host = await openWithAgents({ missing: ['gemini'] });
  const { page } = host;
  await host.runCommand('Savepoint: Open chat');
  await check(host, '.savepoint-chat');
  await press(page, button(host, 'Add an agent'));
  const modal = page.locator('.modal', { hasText: 'For any other agent' });
  await modal.waitFor();
  await check(host, '.modal-container');
  await press(page, modal.getByRole('button', { name: 'Add: Claude Code' }));
  await expect.poll(() => page.locator('.modal').count()).toBe(0);
  await say(host, 'do: say Hello.');
  await settled(host);
  expect((await said(host)).at(-1)).toContain('Hello.');
});

test('an agent’s writes are approved, reviewed and undone by keyboard', async () => {
  const host = await openWithAgents({ hasMemory: false });
  const { page, press: pressKeys } = host;
  await addAgents(host, 'Claude Code');
  await pressKeys('Escape');
  await host.runCommand('Savepoint: Open chat');
  await say(host, 'do: write note.md NEW\ndo: write other.md Another');
  const card = page.locator('.savepoint-call-card.mod-asking');
  await card.locator('pre', { hasText: '-one\n-two\n+NEW' }).waitFor();
  await check(host, '.savepoint-chat');
  for (const name of ['note.md', 'other.md']) {
    await card.filter({ hasText: name }).waitFor();
    await page.waitForTimeout(700); // a new approval ignores keys for a moment
    await press(page, button(host, 'Allow once'));
  }
  await settled(host);
  expect(textIn(await host.snapshot(), 'note.md')).toBe('NEW\n');
  await page.getByRole('status').filter({ hasText: 'has not connected to Savepoint' }).waitFor();
  await check(host, '.savepoint-chat');

  await press(page, button(host, 'Agent settings'));
  await page.locator('.menu-item', { hasText: 'Mode: Read-only' }).waitFor();
  await check(host, '.menu');
  await pressKeys('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
  await page.locator('.savepoint-meter', { hasText: 'Mode: Read-only' }).waitFor();

  await press(page, button(host, 'Review and undo'));
  const modal = page.locator('.modal.savepoint-agent-changes');
  await modal.getByRole('heading', { name: 'other.md · created' }).waitFor();
  await check(host, '.modal-container');
  await press(page, modal.getByRole('button', { name: 'Undo: other.md' }));
  await page.locator('.notice', { hasText: 'Undid 1 change.' }).waitFor();
  await press(page, modal.getByRole('button', { name: 'Undo all changes' }));
  await modal.getByRole('heading', { name: 'note.md · edited · undone' }).waitFor();
  const left = await host.snapshot();
  expect([textIn(left, 'note.md'), textIn(left, 'other.md')]).toEqual([NOTE, undefined]);
  await pressKeys('Escape');
  await expect
    .poll(() => composer(host).evaluate((box) => box === document.activeElement))
    .toBe(true);
});

test('Claude Code saves a state, and Codex resumes it in two clicks', async () => {
  const host = await openWithAgents({ isConnected: true });
  const { page } = host;
  await addAgents(host, 'Codex', 'Claude Code');
  await host.press('Escape');
  await host.runCommand('Savepoint: Open chat');
  await say(host, `do: call createState ${JSON.stringify(stateNamed('Halfway'))}`);
  await button(host, 'Allow once').click();
  await settled(host);
  expect((await said(host)).join()).toContain('createState: completed');

  await button(host, 'Model: Claude Code').click();
  await page.locator('.suggestion-item', { hasText: 'Codex' }).click();
  await say(host, 'do: call loadState {"name":"Halfway"}');
  await settled(host);
  expect((await said(host)).join()).toContain('loadState: completed');
  expect(await page.locator('.savepoint-call-card').last().innerText()).toContain('Halfway');
});

const IMAGE = '<img/src=x/onerror=window.hacked=1>';
/** A red escape sequence, and a character that reverses the text after it. */
const HIDDEN = '\u001B[31m\u202E';
const MESSAGE = [
  '<img src=x onerror="window.hacked=1"> <script>window.hacked=1</script>',
  '[open](obsidian://open?vault=x) ![x](obsidian://adv-uri) [run](javascript:window.hacked=1)',
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe> ${HIDDEN}`,
];

test('what an agent sends is text, and its messages are as safe as a model’s', async () => {
  const { host } = await openChat([{ says: [{ text: MESSAGE.join(' ') }] }]);
  const { page } = host;
  const body = () => messages(host).last().locator('.markdown-rendered').innerHTML();
  await say(host, 'Hello');
  await settled(host);
  await expect.poll(body).toContain('onerror');
  const ofModel = await body();
  await allowAgents(host);
  await addAgents(host, 'Claude Code');
  await host.press('Escape');
  await choose(host, 'New conversation');
  await say(host, `do: say ${MESSAGE.join(' ')}`);
  await settled(host);
  await expect.poll(body).toBe(ofModel);

  const name = `${IMAGE}${HIDDEN}`;
  const visible = `${IMAGE}⟨U+001B⟩[31m⟨U+202E⟩`;
  await say(
    host,
    [
      `do: title ${name}`,
      `do: plan ${name}`,
      `do: think ${name}`,
      `do: commands ${name}`,
      `do: option ${name}`,
      `do: become ${name}`,
      `do: ask ${name}.md`,
      `do: fail ${name}`,
    ].join('\n'),
  );
  await page.waitForTimeout(700);
  await button(host, 'Deny').click();
  await settled(host);
  const chat = page.locator('.savepoint-chat');
  await expect.poll(() => page.locator('.savepoint-failure p').innerText()).toContain(visible);
  const titles = await page.locator('.savepoint-call-title').allInnerTexts();
  expect(titles.filter((title) => title.includes(visible))).toHaveLength(2);
  for (const card of await page.locator('.savepoint-call-card > details > summary').all())
    await card.click();
  const results = (await page.locator('.savepoint-call-card pre').allInnerTexts()).join('\n');
  expect(results).toContain(`○ ${IMAGE}`);
  await page.locator('.savepoint-reasoning summary').click();
  await page.locator('.savepoint-meter', { hasText: `Mode: ${visible}` }).waitFor();
  await button(host, 'Agent settings').click();
  await page.locator('.menu-item', { hasText: `${visible}: ${visible}` }).waitFor();
  await host.press('Escape');
  await composer(host).pressSequentially('/');
  await page.locator('.savepoint-offer', { hasText: `/${visible}` }).waitFor();

  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  for (const tag of ['img', 'script', 'iframe', '[onerror]', 'a[href^="javascript"]'])
    expect(await chat.locator(tag).count()).toBe(0);
  const shown = page.locator('.savepoint-call-card, .savepoint-places, .savepoint-reasoning');
  expect((await shown.allInnerTexts()).join('\n')).not.toMatch(/[\u001B\u202E]/u);
  host.pageErrors.splice(0); // the failed turn
});

test('a phone hides agents, and says why', async () => {
  const files = await vaultAfter(async ({ log }) => {
    const conversations = createConversations(log, createTestRandom(7));
    const { id: conversationId } = await conversations.create({
      workspaceId: 'default',
      title: 'With an agent',
    });
    const parts = [{ type: 'text' as const, text: 'Hello' }];
    const { id: parentId } = await conversations.add({
      conversationId,
      parentId: undefined,
      role: 'user',
      parts,
    });
    const answer = { role: 'assistant' as const, end: 'done' as const, model: 'agent/claude-code' };
    await conversations.add({ ...answer, conversationId, parentId, parts });
  });
  const settings = JSON.stringify({ chatProvider: 'agent' });
  const host = await open({
    isMobile: true,
    files: { ...files, '.obsidian/plugins/savepoint/data.json': settings },
  });
  const { page } = host;
  await openSettings(host);
  await press(page, row(page, 'Agents in the chat'));
  await page.getByText('Agents run only in the desktop app.').waitFor();
  expect(await page.locator('.savepoint-chat-agent-row').count()).toBe(0);
  await expectNoViolations(page, '.modal-container');
  await host.press('Escape', 'Escape');

  await host.runCommand('Savepoint: Open chat');
  await page.locator('.savepoint-first').waitFor(); // a phone without a model offers to set one up
  await choose(host, 'All conversations');
  await page.locator('.savepoint-line', { hasText: 'With an agent' }).click();
  await say(host, 'And now?');
  await expect
    .poll(() => page.locator('.savepoint-failure p').allInnerTexts())
    .toEqual(['Agents run only in the desktop app. Choose a model to continue here.']);
});
