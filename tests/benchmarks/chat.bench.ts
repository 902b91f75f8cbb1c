import { createConversations } from '../../src/chat/log-conversations.js';
import { createTestRandom } from '../fakes/deterministic.js';
import { startModelServer, type ModelServer, type Saying } from '../fakes/model-server.js';
import { createTestVault } from '../fakes/test-vault.js';
import type { ChromiumHost } from '../host/chromium.js';
import type { FileSet } from '../host/obsidian/index.js';
import { openBrowser } from './browser.js';
import { median, perForm, type Figure } from './lib.js';

export const question =
  'Does the panel stay smooth while an answer streams into 2,000 messages, and while 20 MB of chats are imported?';
export const measures = ['src'];

const MESSAGES = perForm(2000, 20);
const ROUNDS = perForm(3, 1);

const PARAGRAPH =
  'The **beds** face south, so the first row warms early; see [[Garden plan]] for the distances. `sow()` runs in March.\n\n- peas and beans\n- leeks, later\n\n';

/** Times in milliseconds, and the share of frames that were late. */
interface Round {
  readonly opening: number;
  readonly sending: number;
  readonly streaming: number;
  readonly ending: number;
  readonly framesLate: number;
}

export async function answer(): Promise<Figure[]> {
  const files = await longConversation();
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await talkIn(files));
  const of = (key: keyof Round) => rounds.map((round) => round[key]);
  return [
    {
      what: `longest task while ${MESSAGES} messages were opened, median`,
      value: median(of('opening')),
      limit: 50,
      unit: ' ms',
    },
    {
      what: 'from Enter to the frame that shows the message, median',
      value: median(of('sending')),
      limit: 100,
      unit: ' ms',
    },
    {
      what: 'longest task while an answer streamed in, median',
      value: median(of('streaming')),
      limit: 50,
      unit: ' ms',
    },
    {
      what: `  the longest of ${ROUNDS} such answers`,
      value: Math.max(...of('streaming')),
      unit: ' ms',
    },
    {
      what: 'longest task when it ended, median',
      value: median(of('ending')),
      limit: 50,
      unit: ' ms',
    },
    {
      what: 'share of frames later than 34 ms while it streamed',
      value: median(of('framesLate')),
      unit: '',
    },
    {
      what: 'longest task while chats were imported',
      value: await importOldChats(),
      limit: 50,
      unit: ' ms',
    },
  ];
}

const OLD_CHATS = perForm(100, 2);
const OLD_MESSAGES = 40;

/** Imports chats. Returns the longest task in milliseconds. */
async function importOldChats(): Promise<number> {
  const host = await openBrowser();
  try {
    await host.runCommand('Savepoint: Import chats');
    await watch(host);
    await host.page.evaluate(
      ([chats, messages]) => {
        const text =
          'The beds face south, so the first row warms early; the second follows in May. '.repeat(
            64,
          );
        const list = Array.from({ length: chats }, (_, at) => ({
          uuid: `chat-${at}`,
          name: `Chat ${at}`,
          created_at: '2025-01-02T03:04:05Z',
          chat_messages: Array.from({ length: messages }, (_each, of) => ({
            uuid: `${at}-${of}`,
            sender: of % 2 === 0 ? 'human' : 'assistant',
            text,
          })),
        }));
        const transfer = new DataTransfer();
        transfer.items.add(new File([JSON.stringify(list)], 'conversations.json'));
        document.querySelector<HTMLInputElement>('.modal input[type=file]')!.files = transfer.files;
      },
      [OLD_CHATS, OLD_MESSAGES] as const,
    );
    await host.page.waitForTimeout(1000);
    await longestTask(host);
    await host.page.evaluate(() =>
      document.querySelector('.modal input[type=file]')!.dispatchEvent(new Event('change')),
    );
    await host.page.getByText(`${OLD_CHATS} conversations added.`).waitFor({ timeout: 180_000 });
    return await longestTask(host);
  } finally {
    await host.close();
  }
}

async function longConversation(): Promise<FileSet> {
  const vault = createTestVault({ seed: 1 });
  const conversations = createConversations(vault.log, createTestRandom(7));
  const { id } = await conversations.create({ workspaceId: 'default', title: 'Long' });
  let parentId: string | undefined;
  for (let at = 1; at <= MESSAGES; at++) {
    vault.clock.advance(1000);
    const role = at % 2 === 1 ? ('user' as const) : ('assistant' as const);
    const content = {
      conversationId: id,
      parentId,
      role,
      parts: [{ type: 'text' as const, text: `Message ${at}.\n\n${PARAGRAPH.repeat(2)}` }],
    };
    const end = { end: 'done' as const, usage: { input: 100 * at, output: 90 } };
    parentId = (await conversations.add({ ...content, ...(role === 'assistant' && end) })).id;
  }
  await vault.idle();
  await vault.log.close();
  return Object.fromEntries(vault.files.paths().map((path) => [path, vault.files.text(path)]));
}

/** Returns an answer word by word, as a fast model streams it. */
function streamed(): Saying[] {
  const words = PARAGRAPH.repeat(12).match(/\S+\s*/gu) ?? [];
  return words.map((text) => ({ text }));
}

async function talkIn(files: FileSet): Promise<Round> {
  const server = await startModelServer('chat', [{ says: streamed(), pace: 15 }]);
  try {
    const settings = {
      providers: { compatible: { address: `${server.origin}/v1`, model: 'small' } },
      chatProvider: 'compatible',
    };
    const data = { '.obsidian/plugins/savepoint/data.json': JSON.stringify(settings) };
    const options = {
      isMobile: true,
      width: 400,
      height: 800,
      connect: [server.origin],
      files: { ...files, ...data },
    };
    const host = await openBrowser(options);
    try {
      return await measure(host, server);
    } finally {
      await host.close();
    }
  } finally {
    await server.close();
  }
}

async function measure(host: ChromiumHost, server: ModelServer): Promise<Round> {
  const { page } = host;
  await host.runCommand('Savepoint: Open chat');
  await page.locator('.savepoint-chat .savepoint-header').getByRole('button').click();
  await page.locator('.menu-item', { hasText: 'All conversations' }).click();
  const row = page.locator('.savepoint-line', { hasText: 'Long' });
  await row.waitFor();
  await watch(host);
  await row.click();
  await page.locator('.savepoint-message', { hasText: `Message ${MESSAGES}.` }).waitFor();
  await page.waitForTimeout(1500);
  const opening = await longestTask(host);

  const box = page.locator('.savepoint-composer textarea');
  await box.fill('And then?');
  await page.waitForTimeout(500);
  await longestTask(host);
  await box.press('Enter');
  await page.locator('.savepoint-message.mod-live').waitFor();
  await page.waitForTimeout(200);
  const sending = await page.evaluate(() => (window as unknown as Watch).sentAfter);
  const first = await longestTask(host);
  while (server.requests.length === 0) await page.waitForTimeout(20);
  await page.evaluate(() => ((window as unknown as Watch).frames.length = 0));
  await page.waitForTimeout(4000);
  const streaming = Math.max(first, await longestTask(host));
  const frames = await page.evaluate(() => (window as unknown as Watch).frames);
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1000);
  return {
    opening,
    sending,
    streaming,
    ending: await longestTask(host),
    framesLate: frames.filter((ms) => ms > 34).length / frames.length,
  };
}

interface Watch {
  readonly tasks: number[];
  readonly frames: number[];
  sentAfter: number;
}

/** Starts recording long tasks, frame intervals, and the time until a sent message is visible. */
function watch({ page }: ChromiumHost): Promise<void> {
  return page.evaluate(() => {
    const tasks: number[] = [];
    const frames: number[] = [];
    const seen = { tasks, frames, sentAfter: 0 };
    Object.assign(window, seen);
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      entryTypes: ['longtask'],
    });
    let before = performance.now();
    const frame = (now: number) => {
      frames.push(now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.addEventListener(
      'keydown',
      ({ key, timeStamp }) => {
        if (key !== 'Enter') return;
        const observer = new MutationObserver(() => {
          if (!document.querySelector('.savepoint-message[aria-busy]')) return;
          observer.disconnect();
          requestAnimationFrame(() =>
            setTimeout(() => Object.assign(window, { sentAfter: performance.now() - timeStamp })),
          );
        });
        observer.observe(document.body, { childList: true, subtree: true });
      },
      true,
    );
  });
}

function longestTask({ page }: ChromiumHost): Promise<number> {
  return page.evaluate(() => Math.max(0, ...(window as unknown as Watch).tasks.splice(0)));
}
