import { expect, test } from 'vitest';
import { sessionDraft } from '../../../src/capture/checkpoint-trace.js';
import { readCheckpoint } from '../../../src/model/text/checkpoint.js';
import { traceData } from '../../../src/model/trace.js';
import { inFull } from '../../tier.js';
import { AXE_DEVICES, AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open, type OpenOptions } from '../shared-browser.js';
import { formsOf, placesWith } from './leftovers.js';
import { press, tabTo } from './settings-window.js';

const testInFull = test.runIf(inFull('further cases of the messages of a session'));

const SESSION = '4c1e8f8a-5f0b-4f0e-9c67-1b2a3c4d5e6f';
/** Message and answer of each turn. */
const TURNS = [
  ['Draw the beds of the "south" slope', 'The plan has nine wombat-shaped beds.'],
  ['Aunt Ottilie pays with the "blue" zebra-card', 'Noted: zebra-card, not the purse.'],
  ['Now order the kohlrabi seedlings', 'Ordered forty kohlrabi for Thursday.'],
] as const;
const [FIRST, SECOND, THIRD] = TURNS;
const FOURTH = ['And who waters the quokka moss?', 'Nobody does.'] as const;
const BUTTON = 'Forget this message and its answer';

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

const failedCall = {
  t: 'trace.new',
  e: 'call1',
  d: traceData({
    workspaceId: 'default',
    sessionId: 'another',
    toolset: 'memoryManager',
    tool: 'loadState',
    input: '{"name":"No such state"}',
    outcome: 'State "No such state" not found.',
    isSuccess: false,
  }),
};

/** Returns the session's version after this number of turns, the last of which continues a task. */
function versionAfter(count: number) {
  const turns = [...TURNS, FOURTH].slice(0, count).map(([message, answer], at) => ({
    id: `turn-${at + 1}`,
    message,
    answer,
    isTask: at < 2,
  }));
  const origin = { workspaceId: 'default', sessionId: SESSION, client: 'claude-code' };
  const checkpoint = readCheckpoint({ turns, turnCount: count, isFinished: true })!;
  return sessionDraft(`version${count}`, origin, checkpoint, `version ${count}`);
}

/** Writes events through the log of the running plugin. */
async function write({ page }: ChromiumHost, ...drafts: object[]): Promise<void> {
  await page.evaluate(async (all) => {
    const running = window.__host.host.app.plugins.plugins['savepoint'] as unknown as Running;
    const { log } = running.sessions.savepoint.get().services;
    for (const draft of all) await log.writeTrace(draft);
  }, drafts);
}

/** Opens the timeline of a workspace with a failed call, and then two versions of a session. */
async function openTimeline(options: OpenOptions = {}): Promise<ChromiumHost> {
  const host = await open(options);
  await host.runCommand('Savepoint: Open memory');
  await line(host, 'Default').first().waitFor();
  await write(host, failedCall, versionAfter(2), versionAfter(3));
  await line(host, 'Default').first().click();
  await line(host, SECOND[0]).first().waitFor();
  return host;
}

function line({ page }: ChromiumHost, name: string) {
  return page.locator('.savepoint-line').filter({ hasText: name });
}

/** The row of a version of the session. */
function version(host: ChromiumHost) {
  return line(host, 'Checkpoint');
}

function modal({ page }: ChromiumHost) {
  return page.locator('.savepoint-call');
}

/** Opens the modal with the session's messages from the timeline. Returns the number of clicks. */
async function openSession(host: ChromiumHost): Promise<number> {
  const { page } = host;
  let clicks = 0;
  while ((await modal(host).count()) === 0) {
    const level = `.savepoint-line[aria-level="${++clicks}"]`;
    await page.locator(level, { hasText: SECOND[0] }).click();
    const next = `.savepoint-line[aria-level="${clicks + 1}"]`;
    await page.locator(`${next}, .savepoint-call`).first().waitFor();
  }
  return clicks;
}

function placesOf(host: ChromiumHost, texts: readonly string[]): Promise<string[]> {
  return placesWith(host, texts.flatMap(formsOf));
}

test('the timeline shows the newest version of a session alone, with all messages', async () => {
  const host = await openTimeline();
  await openSession(host);
  expect(await version(host).count()).toBe(1);
  expect(await modal(host).locator('li').allInnerTexts()).toEqual(
    TURNS.map(([message, answer]) => expect.stringMatching(`${message}\\s+${answer}`) as string),
  );
});

/** Forgets a message in the open modal. Returns the number of clicks. */
async function forgetMessage(host: ChromiumHost, at: number): Promise<number> {
  const { page } = host;
  await modal(host).getByRole('button', { name: BUTTON }).nth(at).click();
  const question = page.locator('.savepoint-forget li').first();
  await expect
    .poll(() => question.innerText())
    .toMatch(/^This message with its answer, in \d saved versions? of the session$/);
  await page.locator('.modal').getByRole('button', { name: 'Forget', exact: true }).click();
  const notice = page.locator('.notice', { hasText: TURNS[at]![0] });
  await notice.filter({ hasText: 'for good.' }).waitFor();
  await modal(host).waitFor({ state: 'detached' });
  return 2;
}

/** Forgets the second message from the timeline. Returns the number of clicks. */
async function forgetSecond(host: ChromiumHost): Promise<number> {
  return (await openSession(host)) + (await forgetMessage(host, 1));
}

test('a message is forgotten, and no byte of it is left', async () => {
  const host = await openTimeline();
  for (const text of SECOND) expect(await placesOf(host, [text])).not.toEqual([]);
  await forgetSecond(host);
  await expect.poll(() => placesOf(host, SECOND)).toEqual([]);
  for (const text of [...FIRST, ...THIRD]) expect(await placesOf(host, [text])).not.toEqual([]);
});

testInFull('a message is forgotten in at most four clicks', async () => {
  expect(await forgetSecond(await openTimeline())).toBeLessThanOrEqual(4);
});

testInFull('the timeline keeps the session without the forgotten message', async () => {
  const host = await openTimeline();
  await forgetSecond(host);
  await expect.poll(() => line(host, SECOND[0]).count()).toBe(0);
  await expect.poll(() => version(host).count()).toBe(1);
  await version(host).click();
  await modal(host).waitFor();
  const shown = await modal(host).innerText();
  for (const text of [...FIRST, ...THIRD]) expect(shown).toContain(text);
  for (const text of SECOND) expect(shown).not.toContain(text);
});

testInFull('a message stays forgotten when another one is', async () => {
  const host = await openTimeline();
  await forgetSecond(host);
  await expect.poll(() => placesOf(host, SECOND)).toEqual([]);
  await version(host).first().click();
  await forgetMessage(host, 0);
  expect(await placesOf(host, [...FIRST, ...SECOND])).toEqual([]);
  for (const text of THIRD) expect(await placesOf(host, [text])).not.toEqual([]);
});

testInFull('what was said since the session was opened stays', async () => {
  const host = await openTimeline();
  await openSession(host);
  await write(host, versionAfter(4));
  await forgetMessage(host, 1);
  await expect.poll(() => placesOf(host, SECOND)).toEqual([]);
  for (const text of FOURTH) expect(await placesOf(host, [text])).not.toEqual([]);
});

testInFull('a session is forgotten from its menu, and no byte of it is left', async () => {
  const host = await openTimeline();
  const { page } = host;
  await openSession(host);
  await host.press('Escape');
  await version(host).click({ button: 'right' });
  await page.locator('.menu-item', { hasText: 'Forget…' }).click();
  await page.locator('.modal').getByRole('button', { name: 'Forget', exact: true }).click();
  await page.locator('.notice', { hasText: 'for good.' }).waitFor();
  await expect.poll(() => version(host).count()).toBe(0);
  await expect.poll(() => placesOf(host, TURNS.flat())).toEqual([]);
  await line(host, 'Load state').first().waitFor();
});

testInFull('a message is forgotten with the keyboard alone', async () => {
  const host = await openTimeline();
  const { page } = host;
  await openSession(host);
  const buttons = modal(host).getByRole('button', { name: BUTTON });
  expect(await buttons.count()).toBe(TURNS.length);
  for (const button of await buttons.all()) await tabTo(page, button);
  await host.press('Escape');
  expect(await modal(host).count()).toBe(0);
  await version(host).click();
  await press(page, buttons.nth(1));
  const forget = page.locator('.modal').getByRole('button', { name: 'Forget', exact: true });
  await expect.poll(() => forget.isEnabled()).toBe(true);
  await host.press('Escape');
  expect(await buttons.count()).toBe(TURNS.length);
  await press(page, buttons.nth(1), 'Space');
  await expect.poll(() => forget.isEnabled()).toBe(true);
  await press(page, forget);
  await page.locator('.notice', { hasText: 'for good.' }).waitFor();
  await expect.poll(() => placesOf(host, SECOND)).toEqual([]);
});

testInFull.each(AXE_DEVICES)(
  'axe-core finds no violation in the messages of a session, on %s',
  async (_, isMobile) => {
    const host = await openTimeline({ isMobile });
    await openSession(host);
    for (const theme of AXE_THEMES) {
      await host.setTheme(theme);
      await expectNoViolations(host.page);
    }
  },
);
