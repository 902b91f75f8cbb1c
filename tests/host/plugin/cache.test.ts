// Tier full: restarts a browser for each case; the cache itself is tested in tests/obsidian/host and tests/storage
import { expect, onTestFinished, test } from 'vitest';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import type { Store } from '../../../src/obsidian/store.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { joinLines, lineOf, workspaceDraft } from '../../fakes/events.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { openHost, type ChromiumHost } from '../chromium.js';

const PATH = 'Savepoint/core/2026-11/20261120-aaaaaaaaaaaa-0001.jsonl';
/** The end of the segment, which the cache compares, is the same for each name. */
const segmentOf = (name: string) =>
  new TextDecoder().decode(
    joinLines([lineOf(workspaceDraft(name, 'ws-shed')), lineOf({ t: 'thing.new', n: 2 })]),
  );

/** Opens the app on mobile, where every file is read over a bridge. */
async function open(text: string): Promise<ChromiumHost> {
  const host = await openHost({ files: { [PATH]: { text, mtime: START_TIME } }, isMobile: true });
  onTestFinished(() => closing());
  closing = () => host.close();
  return host;
}

let closing: () => Promise<void>;

async function restart(host: ChromiumHost, how?: 'quit' | 'crash'): Promise<ChromiumHost> {
  const again = await host.restart(how);
  closing = () => again.close();
  return again;
}

async function call(
  host: ChromiumHost,
  tool: string,
  params: Record<string, unknown> = {},
): Promise<unknown> {
  return host.page.evaluate(
    async ([name, given]) => {
      const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
        sessions: { savepoint: Store<Savepoint | undefined> };
      };
      const answer = await plugin.sessions.savepoint.get()!.call(name, given as never);
      return answer.success ? answer.data : answer.error;
    },
    [tool, params] as const,
  );
}

/** Returns the number of rows in a store of the device's database. */
function rowsIn(host: ChromiumHost, store: string): Promise<number> {
  return host.page.evaluate(async (name) => {
    const [held] = (await indexedDB.databases()).filter((each) =>
      each.name?.startsWith('savepoint-'),
    );
    if (!held?.name) return 0;
    const opening = indexedDB.open(held.name);
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const counting = opening.result.transaction(name).objectStore(name).count();
    await new Promise((resolve) => counting.addEventListener('success', resolve));
    opening.result.close();
    return counting.result;
  }, store);
}

/** Replaces the file with the same size and time, so that the change cannot be detected. */
function replaceUnseen({ page }: ChromiumHost, text: string): Promise<void> {
  return page.evaluate(
    ([path, content, mtime]) =>
      window.__host.medium.write(path, new TextEncoder().encode(content), { mtime, ctime: mtime }),
    [PATH, text, START_TIME] as const,
  );
}

test('the plugin loads cached segments after a restart, until a rebuild', async () => {
  const host = await open(segmentOf('Shed'));
  await expect.poll(() => rowsIn(host, 'segments')).toBe(1);
  await replaceUnseen(host, segmentOf('Barn'));
  const again = await restart(host, 'crash');
  expect(await call(again, 'listWorkspaces')).toMatchObject([
    { name: 'Default' },
    { name: 'Shed' },
  ]);
  await again.runCommand('Savepoint: Rebuild cache');
  await again.page.getByText(/^Cache rebuilt in \d+\.\d s\.$/).waitFor();
  expect(await call(again, 'listWorkspaces')).toMatchObject([
    { name: 'Barn' },
    { name: 'Default' },
  ]);
});

test('the plugin rereads a changed file after a restart', async () => {
  const host = await open(segmentOf('Shed'));
  await expect.poll(() => rowsIn(host, 'segments')).toBe(1);
  await host.page.evaluate(
    ([path, content]) => window.__host.medium.write(path, new TextEncoder().encode(content)),
    [PATH, segmentOf('Barn')] as const,
  );
  const again = await restart(host);
  expect(await call(again, 'listWorkspaces')).toMatchObject([
    { name: 'Barn' },
    { name: 'Default' },
  ]);
});

test('the plugin keeps copies of its writes when the cache is rebuilt', async () => {
  const host = await open(segmentOf('Shed'));
  expect(await call(host, 'createState', stateNamed('Roof'))).toBeUndefined();
  await expect.poll(() => rowsIn(host, 'copies')).toBeGreaterThan(0);
  const again = await restart(host);
  await again.runCommand('Savepoint: Rebuild cache');
  await again.page.getByText(/^Cache rebuilt/).waitFor();
  expect(await rowsIn(again, 'copies')).toBeGreaterThan(0);
});
