import { describe, expect, onTestFinished, test } from 'vitest';
import { createConversations } from '../../../src/chat/log-conversations.js';
import { createTestClock, createTestRandom } from '../../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { createTestVault } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';
import { button, composer, messages, openChat, said, say, settled } from './chat-window.js';

const endless = { says: Array.from({ length: 300 }, () => ({ text: 'on and on ' })), pace: 50 };

describe('the model', () => {
  test('that calls an unknown tool, or with broken parameters, is told so, and goes on', async () => {
    const unknown = { id: 'c1', name: 'eraseEverything', args: {} };
    const broken = { id: 'c2', name: 'loadState', args: {}, raw: '{"name": "Be' };
    const { host, server } = await openChat([{ says: [{ call: unknown }, { call: broken }] }, { says: [{ text: 'I see.' }] }]);
    await say(host, 'Go');
    await expect.poll(() => messages(host).last().innerText()).toContain('I see.');
    expect(await host.page.locator('.savepoint-call-error').allInnerTexts()).toEqual([
      expect.stringContaining('eraseEverything') as string,
      expect.stringContaining('not valid JSON') as string,
    ]);
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain('not valid JSON');
    expect(sent).toContain('eraseEverything');
  });

  test('that calls the same again and again is stopped, and the person asked', async () => {
    const { host, server } = await openChat([{ says: [{ call: { id: 'c', name: 'listStates', args: {} } }] }]);
    await say(host, 'Go');
    await expect.poll(() => messages(host).last().innerText()).toContain('Stopped after many tool calls in a row. Say how to go on.');
    await settled(host);
    expect(server.requests).toHaveLength(3);
  });

  test('that answers nothing leaves a way on', async () => {
    const { host } = await openChat([{ says: [] }, { says: [{ text: 'Now.' }] }]);
    await say(host, 'Go');
    await expect.poll(() => host.page.locator('.savepoint-failure').innerText()).toMatch(/answered nothing|broke off/);
    await button(host, 'Try again').click();
    await expect.poll(() => said(host)).toEqual(['Go', 'Now.']);
  });
});

test('a crash in the middle of an answer loses nothing that the person has said', async () => {
  const { host, server } = await openChat([endless, { says: [{ text: 'Again, whole.' }] }]);
  await say(host, 'Go');
  await expect.poll(() => messages(host).last().innerText()).toContain('on and on');
  await composer(host).fill('And the next');
  await expect.poll(() => host.page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('And the next');
  const again = await host.restart('crash');
  onTestFinished(() => again.close());
  await again.runCommand('Savepoint: Open chat');
  await button(again, 'All conversations').click();
  await again.page.locator('.savepoint-line').first().click();
  await expect.poll(async () => (await said(again))[0]).toBe('Go');
  expect(await composer(again).inputValue()).toBe('And the next');
  server.scripts.splice(0, Infinity, { says: [{ text: 'Again, whole.' }] });
  await button(again, 'Have this answered').click();
  await expect.poll(() => said(again)).toEqual(['Go', 'Again, whole.']);
});

describe('a message of a megabyte', () => {
  test('is refused in words before anything is written, and stays in the composer', async () => {
    const { host, server } = await openChat([{ says: [{ text: 'Never.' }] }]);
    await composer(host).evaluate((area: HTMLTextAreaElement) => {
      area.value = `${'beds '.repeat(20)}\n`.repeat(10_500);
      area.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await composer(host).press('Enter');
    await expect
      .poll(() => host.page.locator('.savepoint-composer-problem').innerText())
      .toMatch(/^Not sent: The message has 10\d\d KB; one message holds at most 900 KB/);
    expect((await composer(host).inputValue()).length).toBe(101 * 10_500);
    expect(server.requests).toEqual([]);
    expect(Object.keys(await host.snapshot()).filter((path) => path.startsWith('Savepoint/chat'))).toHaveLength(0);
  });

  test('less a little is sent, kept and shown as it is', async () => {
    const { host, server } = await openChat([{ says: [{ text: 'Long.' }] }]);
    await composer(host).evaluate((area: HTMLTextAreaElement) => {
      area.value = `${'**beds** '.repeat(10)}\n`.repeat(9000);
      area.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await composer(host).press('Enter');
    await expect.poll(() => messages(host).last().innerText(), { timeout: 20_000 }).toContain('Long.');
    expect(JSON.stringify(server.requests[0]?.body).length).toBeGreaterThan(800_000);
    const again = await host.restart();
    onTestFinished(() => again.close());
    await expect.poll(async () => (await said(again))[0]?.length ?? 0, { timeout: 20_000 }).toBeGreaterThan(700_000);
  });
});

/** What lies in the data folder after a device has done this over the same files. */
async function toldBy(
  files: MemoryFiles,
  seed: number,
  tell: (conversations: ReturnType<typeof createConversations>) => Promise<unknown>,
): Promise<FileSet> {
  const vault = createTestVault({ files, seed, clock: createTestClock(Date.now()) });
  await tell(createConversations(vault.log, createTestRandom(seed + 50)));
  await vault.idle();
  await vault.log.close();
  return Object.fromEntries(files.paths().map((path) => [path, files.text(path)]));
}

async function arrive({ page }: ChromiumHost, before: FileSet, after: FileSet): Promise<void> {
  const arrived = Object.entries(after).filter(([path, text]) => before[path] !== text);
  await page.evaluate(async (entries) => {
    const { medium, host } = window.__host;
    for (const [path, text] of entries) {
      const folder = path.split('/').slice(0, -1).join('/');
      if (!(await host.app.vault.adapter.exists(folder))) await medium.mkdir(folder);
      await medium.write(path, new TextEncoder().encode(text as string));
    }
  }, arrived);
}

test('what another device says in the same conversation shows, and both go on from it', async () => {
  const files = createMemoryFiles();
  const own = { role: 'user' as const, parentId: undefined };
  let conversationId = '';
  let first = '';
  const before = await toldBy(files, 1, async (conversations) => {
    conversationId = (await conversations.create({ workspaceId: 'default', title: 'Beds' })).id;
    first = (await conversations.add({ ...own, conversationId, parts: [{ type: 'text', text: 'From here' }] })).id;
  });
  const { host, server } = await openChat([{ says: [{ text: 'Both are here.' }] }], { files: before });
  await button(host, 'All conversations').click();
  await host.page.locator('.savepoint-line').click();
  await expect.poll(() => said(host)).toEqual(['From here']);
  await composer(host).fill('Half a thou');
  const after = await toldBy(files, 2, (conversations) =>
    conversations.add({
      ...own,
      conversationId,
      parentId: first,
      role: 'assistant',
      end: 'done',
      parts: [{ type: 'text', text: 'From there' }],
    }),
  );
  await arrive(host, before, after);
  await expect.poll(() => said(host)).toEqual(['From here', 'From there']);
  expect(await composer(host).inputValue()).toBe('Half a thou');
  await composer(host).press('Enter');
  await expect.poll(() => messages(host).last().innerText()).toContain('Both are here.');
  expect(JSON.stringify(server.requests[0]?.body)).toContain('From there');
});

describe('two panels', () => {
  test('show one answer as it comes, and what is stopped in one is stopped in both', async () => {
    const { host } = await openChat([{ says: [{ text: 'Yes.' }] }, endless]);
    await say(host, 'Same?');
    await settled(host);
    await host.page.evaluate(async () => {
      const { workspace } = window.__host.host.app;
      const leaf = workspace.getLeavesOfType('savepoint-chat')[0]!;
      await workspace.getLeaf('tab').setViewState({ type: 'savepoint-chat', state: leaf.view.getState(), active: true });
    });
    const panels = host.page.locator('.savepoint-chat');
    await expect.poll(() => panels.count()).toBe(2);
    const box = panels.first().locator('textarea');
    await box.fill('And?');
    await box.press('Enter');
    for (const panel of [panels.first(), panels.last()])
      await expect.poll(() => panel.locator('.savepoint-message').last().innerText()).toContain('on and on');
    await panels.last().getByRole('button', { name: 'Stop', exact: true }).click();
    for (const panel of [panels.first(), panels.last()])
      await expect.poll(() => panel.locator('.savepoint-message').last().innerText()).toContain('You stopped this answer.');
  });

  test('may stand in a window of their own, where everything works on', async () => {
    const { host } = await openChat([{ says: [{ text: 'Yes, **there**.' }] }, { says: [{ text: 'Here, too.' }] }], {
      files: { 'Plan.md': 'South.' },
    });
    await say(host, 'Moved?');
    await settled(host);
    await composer(host).fill('Half a thou');
    const opened = host.page.context().waitForEvent('page');
    await host.page.evaluate(() => {
      const { workspace } = window.__host.host.app;
      workspace.moveLeafToPopout(workspace.getLeavesOfType('savepoint-chat')[0]!);
    });
    const popout = await opened;
    const panel = popout.locator('.savepoint-chat');
    await expect.poll(() => panel.locator('.savepoint-message').count()).toBe(2);
    const box = panel.locator('.savepoint-composer textarea');
    expect(await box.inputValue()).toBe('Half a thou');
    await box.fill('See [[Pla');
    await box.press('n');
    await panel.locator('.savepoint-offer').first().waitFor();
    await box.press('Enter');
    await expect.poll(() => panel.locator('.savepoint-chip').innerText()).toContain('Plan.md');
    await box.press('Enter');
    await expect.poll(() => panel.locator('.savepoint-message').last().innerText()).toContain('Here, too.');
    await expect.poll(() => panel.locator('.savepoint-message strong').allInnerTexts()).toEqual(['there']);
    await popout.close();
    await host.runCommand('Savepoint: Open chat');
    await button(host, 'All conversations').click();
    await host.page.locator('.savepoint-line').first().click();
    await expect.poll(() => messages(host).count()).toBe(4);
  });
});
