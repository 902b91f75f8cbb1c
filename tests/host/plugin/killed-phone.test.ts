// Tier full: starts the app twenty times; tests/storage and tests/simulation do the same without it
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readPlugin } from '../../../scripts/host-page.mjs';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import type { Store } from '../../../src/obsidian/store.js';
import { stateNamed } from '../../fakes/test-vault.js';
import type { PluginUnderTest } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';
import { open } from '../shared-browser.js';

declare global {
  interface Window {
    __savepoint: () => Savepoint;
  }
}

const STARTS = 20;

/** Starts the app on a phone with these files. */
async function start(page: Page, files: FileSet): Promise<void> {
  const { manifest } = (await readPlugin()) as unknown as PluginUnderTest;
  await page.evaluate(
    ([given, about]) => {
      window.__savepoint = () => {
        const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
          sessions: { savepoint: Store<Savepoint | undefined> };
        };
        return plugin.sessions.savepoint.get()!;
      };
      window.__started = window.__host.start({
        files: given,
        isMobile: true,
        plugin: { source: window.__pluginSource, manifest: about },
      });
      return window.__started;
    },
    [files, manifest] as const,
  );
  await page.waitForFunction(() => window.__savepoint().memoryStatus.get().phase === 'ready');
}

/** Saves a state and a message, and returns the state's error, if any. */
function save(page: Page, start: number): Promise<unknown> {
  return page.evaluate(
    async ([params, text]) => {
      const { conversations } = window.__savepoint();
      // in a conversation, because the user's own actions leave no trace
      const answer = await window
        .__savepoint()
        .call('createState', params as never, undefined, 'talk');
      await conversations.add({
        conversationId: 'talk',
        parentId: undefined,
        role: 'user',
        parts: [{ type: 'text', text }],
      });
      return answer.success ? undefined : answer.error;
    },
    [stateNamed(`State ${start}`), `Message ${start}`] as const,
  );
}

/** Ends the app as a phone does: without an event, and without waiting for anything. */
async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  session.send('Page.crash').catch(() => undefined); // nobody is left to answer
  await crashed;
}

function hide(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

/** Returns a function that opens a further page with the app, after a preparation in the page. */
async function openPhone() {
  const { page: first, pageErrors } = await open({ isMobile: true });
  const context = first.context();
  const address = first.url();
  await first.close();
  const fresh = async (files: FileSet, prepare: () => unknown = () => undefined): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(address);
    await page.evaluate(prepare);
    await start(page, files);
    return page;
  };
  return { fresh, pageErrors };
}

function tracesIn(files: FileSet): number {
  return JSON.stringify(files).split('trace.new').length - 1;
}

function segmentFolders(files: FileSet): string[] {
  return Object.keys(files)
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => path.split('/').slice(1, 3).join('/'));
}

/** Opens a window as soon as the first lock is requested. */
function openWindowWhileLocking(): void {
  const { locks } = navigator;
  const request = locks.request.bind(locks) as (...given: unknown[]) => Promise<unknown>;
  Object.defineProperty(locks, 'request', {
    configurable: true,
    value: (...given: unknown[]) => {
      Object.defineProperty(locks, 'request', { configurable: true, value: request });
      const answer = request(...given);
      window.open('', '', 'popup');
      return answer;
    },
  });
}

/** Names the phone as the app does, and deletes the database. */
async function evict(): Promise<void> {
  const Device = { getId: () => Promise.resolve({ identifier: 'phone' }) };
  Object.assign(window, { Capacitor: { isNativePlatform: () => true, Plugins: { Device } } });
  for (const { name } of await indexedDB.databases())
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name!);
      request.onsuccess = resolve;
      request.onerror = reject;
    });
}

test.each([
  ['', () => undefined],
  [' without its database', evict],
])('twenty killed starts%s leave few segments per lane, and lose nothing', async (_, prepare) => {
  const { fresh } = await openPhone();
  let files: FileSet = {};
  for (let round = 0; round < STARTS; round++) {
    const page = await fresh(files, prepare);
    expect(await save(page, round)).toBeUndefined();
    if (round % 2 === 0) await hide(page);
    // the trace follows the answer; what is written after a snapshot would be missing from it
    const isTraced = async () => {
      files = await page.evaluate(() => window.__host.snapshot());
      return tracesIn(files) > round;
    };
    await expect.poll(isTraced).toBe(true);
    await kill(page);
    await page.close();
  }
  const folders = segmentFolders(files);
  expect([...new Set(folders.map((folder) => folder.slice(0, 4)))].sort()).toEqual([
    'chat',
    'core',
    'trac',
  ]);
  for (const folder of new Set(folders))
    expect(folders.filter((each) => each === folder).length, folder).toBeLessThanOrEqual(2);
  const page = await fresh(files);
  const [states, messages] = await page.evaluate(async () => {
    const savepoint = window.__savepoint();
    const answer = await savepoint.call('listStates', { limit: 100 });
    const held = await savepoint.conversations.messages('talk');
    return [answer.success ? answer.data : answer.error, held.length] as const;
  });
  expect([states, messages]).toEqual([expect.objectContaining({ length: STARTS }), STARTS]);
});

test('a window that opens while a writer is locked does not stop the next start', async () => {
  const { fresh, pageErrors } = await openPhone();
  const page = await fresh({}, openWindowWhileLocking);
  expect(await save(page, 0)).toBeUndefined();
  const files = await page.evaluate(() => window.__host.snapshot());
  await kill(page);
  const next = await fresh(files);
  expect(await save(next, 1)).toBeUndefined();
  const folders = segmentFolders(await next.evaluate(() => window.__host.snapshot()));
  expect(folders).toEqual([...new Set(folders)]); // the next start continued each segment
  expect(pageErrors).toEqual([]);
});
