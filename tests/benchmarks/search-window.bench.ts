import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { createConversations } from '../../src/chat/log-conversations.js';
import { en } from '../../src/obsidian/i18n/en.js';
import type { ChromiumHost } from '../host/chromium.js';
import type { FileSet } from '../host/obsidian/index.js';
import { openBrowser, traceTasks } from './browser.js';
import { inFolder, median, perForm, type Figure } from './lib.js';
import { createRandom } from './search-data.js';
import { fillWithStates, openVault } from './vault.js';

export const question =
  'How soon does the search window show hits in a large vault, and does typing stay smooth?';
export const measures = ['src'];

const STATES = perForm(5000, 50);
const NOTES = perForm(13_000, 100);
const CONVERSATIONS = perForm(351, 3);
/** Together 55 MB. */
const MESSAGES = 20;
const MESSAGE_LENGTH = 7800;
const NOTE_LENGTH = 1500;
/** Names of states. */
const NAMES = ['state 7', 'state 31', 'state 43'];
const QUERIES = ['copper gutter', 'greenhouse seeds', 'seeds beds'];

export async function answer(): Promise<Figure[]> {
  const host = await openBrowser({ files: await largeVault() });
  try {
    await indexed(host);
    const rows: Round[] = [];
    for (const name of NAMES) rows.push(await search(host, name, firstRow));
    const whole: Round[] = [];
    for (const query of QUERIES) whole.push(await search(host, query, lastHit));
    return [
      {
        what: `${STATES} states: CPU time from the last key to rows of states, median`,
        value: median(rows.map(({ cpu }) => cpu)),
        limit: 100,
        unit: ' ms',
      },
      {
        what: `${NOTES} notes, ${CONVERSATIONS} conversations: from the last key to the last hit, median`,
        value: median(whole.map(({ time }) => time)),
        unit: ' ms',
      },
      {
        what: 'longest task until the last hit, CPU time',
        value: Math.max(...whole.map(({ longest }) => longest)),
        limit: 100,
        unit: ' ms',
      },
    ];
  } finally {
    await host.close();
  }
}

interface Round {
  /** Of all tasks of the page and of the longest, in milliseconds. */
  readonly cpu: number;
  readonly longest: number;
  /** In milliseconds. */
  readonly time: number;
}

/** Types all but the last letter and waits, so that only the whole query is measured. */
async function search(
  host: ChromiumHost,
  query: string,
  end: (host: ChromiumHost, query: string) => Promise<void>,
): Promise<Round> {
  const { page } = host;
  await host.runCommand('Savepoint: Search memory');
  await page.keyboard.type(query.slice(0, -1), { delay: 150 });
  await page.waitForTimeout(3000);
  const stopTracing = await traceTasks(page);
  const since = performance.now();
  await page.keyboard.press(query.slice(-1));
  await end(host, query);
  const time = performance.now() - since;
  const tasks = await stopTracing();
  await page.keyboard.press('Escape');
  return { cpu: tasks.reduce((sum, each) => sum + each, 0), longest: Math.max(...tasks), time };
}

async function firstRow({ page }: ChromiumHost, name: string): Promise<void> {
  const isFirst = new RegExp(`^${name}$`, 'i');
  await page.locator('.prompt .suggestion-title').filter({ hasText: isFirst }).first().waitFor();
}

/** All conversations have the words, and are searched last. */
async function lastHit({ page }: ChromiumHost, query: string): Promise<void> {
  const [word = ''] = query.split(' ');
  await page
    .locator('.prompt .suggestion-item', { hasText: en.commands.search.kinds.chat })
    .filter({ hasText: new RegExp(word, 'i') })
    .first()
    .waitFor({ timeout: 120_000 });
}

/** Waits until a query has been answered from an index of all notes. */
async function indexed(host: ChromiumHost): Promise<void> {
  const { page } = host;
  await host.runCommand('Savepoint: Search memory');
  await page.keyboard.type('gutter');
  await page.waitForTimeout(3000);
  await lastHit(host, 'gutter');
  await page.keyboard.press('Escape');
}

async function largeVault(): Promise<FileSet> {
  return inFolder(async (folder) => {
    const [vault, state] = [path.join(folder, 'vault'), path.join(folder, 'state')];
    await fs.mkdir(vault);
    await fillWithStates(vault, state, STATES);
    const { services, close } = openVault(vault, state);
    const text = createText();
    const conversations = createConversations(services.log, services.random);
    for (let at = 0; at < CONVERSATIONS; at++) {
      const title = text(30);
      const { id } = await conversations.create({ workspaceId: 'default', title });
      let parentId: string | undefined;
      for (let of = 0; of < MESSAGES; of++) {
        const role = of % 2 === 0 ? ('user' as const) : ('assistant' as const);
        const parts = [{ type: 'text' as const, text: text(MESSAGE_LENGTH) }];
        const message = { conversationId: id, parentId, role, parts };
        const end = role === 'assistant' && { end: 'done' as const };
        parentId = (await conversations.add({ ...message, ...end })).id;
      }
    }
    await close();
    const names = await fs.readdir(vault, { recursive: true, withFileTypes: true });
    const files = await Promise.all(
      names
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => {
          const file = path.join(parentPath, name);
          return [path.relative(vault, file), await fs.readFile(file, 'utf8')] as const;
        }),
    );
    const notes = Array.from({ length: NOTES }, (_, at) => [
      `Notes ${at % 50}/${text(20).trim()} ${at}.md`,
      text(NOTE_LENGTH),
    ]);
    return Object.fromEntries([...files, ...notes]) as FileSet;
  });
}

/** The returned function makes a text of words of which few are frequent, as in a language. */
function createText(): (length: number) => string {
  const random = createRandom(5);
  const known = ['copper', 'gutter', 'greenhouse', 'seeds', 'beds', 'rain', 'state', 'roof'];
  return (length) => {
    let text = '';
    while (text.length < length) {
      const rank = Math.floor(20_000 * random() ** 4);
      text += `${known[rank] ?? `word${rank.toString(36)}`} `;
    }
    return text;
  };
}
