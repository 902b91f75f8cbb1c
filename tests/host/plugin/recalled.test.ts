import { expect, test } from 'vitest';
import { sessionDraft } from '../../../src/capture/checkpoint-trace.js';
import { readCheckpoint } from '../../../src/model/text/checkpoint.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { inFull } from '../../tier.js';
import { AXE_DEVICES, AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { button, choose, composer, messages, openChat, say, settled } from './chat-window.js';
import { vaultAfter } from './settings-window.js';

const testInFull = test.runIf(inFull('further cases of what the memory tells in the chat'));

const MESSAGE = 'Aunt Ottilie pays the kohlrabi seedlings with the "blue" zebra-card';
const ANSWER = 'Noted. The wombat hedge is watered on Thursdays.';
const FITTING = 'Who pays the kohlrabi seedlings, with which zebra-card?';
const LINE =
  /^The user in Claude Code, \d{4}-\d\d-\d\d: "Aunt Ottilie pays .*\\"blue\\" zebra-card"$/;

/** The running plugin, as far as these tests use it. */
interface Running {
  readonly sessions: {
    readonly savepoint: {
      get(): {
        readonly services: { readonly log: { writeTrace(draft: object): Promise<void> } };
      };
    };
  };
}

/** Opens the chat of a device that has captured a session of Claude Code. */
async function openWithMemory(count: number, options: Parameters<typeof openChat>[1] = {}) {
  const answers = Array.from({ length: count }, (_, at) => ({ says: [{ text: `Reply ${at}.` }] }));
  const opened = await openChat(answers, options);
  const turns = [{ id: 'turn1', message: MESSAGE, answer: ANSWER, isTask: true }];
  const checkpoint = readCheckpoint({ turns, turnCount: 1, isFinished: true })!;
  const origin = { workspaceId: 'default', sessionId: 'session1', client: 'claude-code' };
  const captured: object = sessionDraft('captured1', origin, checkpoint, 'session1');
  await opened.host.page.evaluate(async (draft) => {
    const running = window.__host.host.app.plugins.plugins['savepoint'] as unknown as Running;
    await running.sessions.savepoint.get().services.log.writeTrace(draft);
  }, captured);
  return opened;
}

const chip = ({ page }: ChromiumHost) => page.locator('.savepoint-recalled');

/** Types words and waits until the memory has been asked about them. */
async function type(host: ChromiumHost, words: string): Promise<void> {
  await composer(host).fill(words);
  await host.page.waitForTimeout(900);
}

function sentWith({ server }: Awaited<ReturnType<typeof openChat>>, at: number): string {
  const { messages: sent } = server.requests[at]?.body as { messages: { content: unknown }[] };
  return JSON.stringify(sent.at(-1));
}

test('a message that fits gets a chip, which opens and is sent once as a note', async () => {
  const opened = await openWithMemory(2);
  const { host } = opened;
  const { page } = host;
  await composer(host).fill(FITTING);
  await chip(host).waitFor();
  const summary = chip(host).locator('summary');
  expect(await summary.innerText()).toBe('1 from memory');
  await composer(host).focus();
  await host.press('Shift+Tab', 'Shift+Tab', 'Enter');
  expect(await chip(host).locator('ul li').allInnerTexts()).toEqual([expect.stringMatching(LINE)]);
  await expectNoViolations(page, '.savepoint-chat');
  await composer(host).press('Enter');
  await settled(host);
  expect(sentWith(opened, 0)).toContain('from the memory of this workspace');
  expect(sentWith(opened, 0)).toMatch(/> - The user in Claude Code, .*zebra-card/);
  expect(await chip(host).count()).toBe(0);
  const card = messages(host).first().locator('.savepoint-data-card');
  expect(await card.locator('summary').innerText()).toContain('1 from memory');
  await card.locator('summary').click();
  expect(await card.innerText()).toContain('zebra-card');

  await type(host, FITTING);
  expect(await chip(host).count()).toBe(0);
  await composer(host).press('Enter');
  await settled(host);
  expect(sentWith(opened, 1)).not.toContain('Claude Code');
  await choose(host, 'New conversation');
  await composer(host).fill(FITTING);
  await chip(host).waitFor();
});

testInFull('what is removed is not sent, nor offered again for that message', async () => {
  const opened = await openWithMemory(2);
  const { host } = opened;
  await composer(host).fill(FITTING);
  await chip(host).getByRole('button', { name: 'Leave out of this message' }).press('Enter');
  expect(await composer(host).evaluate((box) => box === document.activeElement)).toBe(true);
  await type(host, `${FITTING} Tell me.`);
  expect(await chip(host).count()).toBe(0);
  await composer(host).press('Enter');
  await settled(host);
  expect(sentWith(opened, 0)).not.toContain('Claude Code');
  await composer(host).fill(FITTING);
  await chip(host).waitFor();
  await composer(host).press('Enter');
  await settled(host);
  expect(sentWith(opened, 1)).toContain('Claude Code');
});

testInFull('a message that is sent at once is told what fits, too', async () => {
  const opened = await openWithMemory(2);
  const { host } = opened;
  await type(host, 'Who waters the wombat hedge');
  await say(host, 'Say hello');
  await settled(host);
  await say(host, FITTING);
  await settled(host);
  expect(sentWith(opened, 0)).not.toContain('Claude Code');
  expect(sentWith(opened, 1)).toContain('Claude Code');
});

testInFull('a conversation is not told what it said or saved itself', async () => {
  const moss = {
    id: 'call-1',
    name: 'createState',
    args: {
      name: 'Moss',
      conversationContext: 'The axolotl pond comes later.',
      activeTask: 'Build a terracotta trellis for the quokka moss',
      activeFiles: [],
      nextSteps: ['Order'],
    },
  };
  const { host } = await openChat([
    { says: [{ call: moss }] },
    { says: [{ text: 'Saved as Moss.' }] },
  ]);
  await say(host, 'The quokka moss needs a terracotta trellis by Friday');
  await button(host, 'Allow once').click();
  await expect.poll(() => messages(host).last().innerText()).toContain('Saved as Moss.');
  await settled(host);
  const asked = 'Which terracotta trellis does the quokka moss need by Friday?';
  await type(host, asked);
  expect(await chip(host).count()).toBe(0);
  await choose(host, 'New conversation');
  await composer(host).fill(asked);
  await chip(host).waitFor();
  expect(await chip(host).locator('li').allTextContents()).toEqual([
    expect.stringContaining('State to load'),
  ]);
});

testInFull('nothing is told in private, in a pause, or from devices not confirmed', async () => {
  const files = await vaultAfter((vault) =>
    vault.data('createState', stateNamed('Ottilie pays the kohlrabi seedlings with a zebra-card')),
  );
  const opened = await openWithMemory(3, { files });
  const { host } = opened;
  const { page } = host;
  await composer(host).fill(FITTING);
  await chip(host).waitFor();
  expect(await chip(host).locator('summary').innerText()).toBe('1 from memory');
  await host.runCommand('Savepoint: Pause capture for an hour');
  await expect.poll(() => chip(host).count()).toBe(0);
  await host.runCommand('Savepoint: Resume capture');
  await chip(host).waitFor();
  await say(host, 'Say hello');
  await settled(host);
  await button(host, 'More actions').click();
  await page.locator('.menu-item', { hasText: 'Stop capturing this conversation' }).click();
  await page.locator('.savepoint-uncaptured', { hasText: 'Private' }).waitFor();
  await type(host, FITTING);
  expect(await chip(host).count()).toBe(0);
  await composer(host).press('Enter');
  await settled(host);
  expect(sentWith(opened, 1)).not.toContain('Claude Code');
});

testInFull.each(AXE_DEVICES)(
  'axe-core finds no violation in an open chip, on %s',
  async (_, isMobile) => {
    const { host } = await openWithMemory(1, { isMobile });
    await composer(host).fill(FITTING);
    await chip(host).locator('summary').press('Enter');
    for (const theme of AXE_THEMES) {
      await host.setTheme(theme);
      await expectNoViolations(host.page);
    }
    const sides = await host.page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(sides[0]).toBe(sides[1]);
  },
);
