// Tier full: failures of conversations in the app; tests/obsidian/chat covers them without it
import { describe, expect, onTestFinished, test } from 'vitest';
import { createConversations } from '../../../src/chat/log-conversations.js';
import { createTestClock, createTestRandom } from '../../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { createTestVault } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import type { FileSet } from '../obsidian/index.js';
import {
  button,
  choose,
  composer,
  forgetRefusals,
  messages,
  openChat,
  said,
  say,
  settled,
} from './chat-window.js';

const endless = { says: Array.from({ length: 300 }, () => ({ text: 'on and on ' })), pace: 50 };

describe('the model', () => {
  test('is told about unknown tools and invalid parameters, and continues', async () => {
    const unknown = { id: 'c1', name: 'eraseEverything', args: {} };
    const broken = { id: 'c2', name: 'loadState', args: {}, raw: '{"name": "Be' };
    const { host, server } = await openChat([
      { says: [{ call: unknown }, { call: broken }] },
      { says: [{ text: 'I see.' }] },
    ]);
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

  test('is stopped after identical calls, and the user is asked to continue', async () => {
    const { host, server } = await openChat([
      { says: [{ call: { id: 'c', name: 'listStates', args: {} } }] },
    ]);
    await say(host, 'Go');
    await expect
      .poll(() => messages(host).last().innerText())
      .toMatch(/Stopped after 2 tool calls\.\s+Continue/u);
    await settled(host);
    expect(server.requests).toHaveLength(3);
  });

  test('is told why a tool failed, and the user can run it again', async () => {
    const missing = { id: 'c1', name: 'loadState', args: { name: 'No such' } };
    const { host, server } = await openChat([
      { says: [{ call: missing }] },
      { says: [{ text: 'There is none.' }] },
    ]);
    await say(host, 'Load it');
    await expect.poll(() => messages(host).last().innerText()).toContain('There is none.');
    await settled(host);
    expect(await host.page.locator('.savepoint-call-card').innerText()).toMatch(
      /Load state failed[^]*State "No such" not found\./,
    );
    expect(JSON.stringify(server.requests[1]?.body)).toContain('not found');
    await button(host, 'Run again…').click();
    expect(await host.page.locator('.savepoint-form input').first().inputValue()).toBe('No such');
  });

  test('can be asked again after an empty answer', async () => {
    const { host } = await openChat([{ says: [] }, { says: [{ text: 'Now.' }] }]);
    await say(host, 'Go');
    await expect
      .poll(() => host.page.locator('.savepoint-failure').innerText())
      .toMatch(/empty answer|broke off/);
    await button(host, 'Try again').click();
    await expect.poll(() => said(host)).toEqual(['Go', 'Now.']);
  });
});

describe('an error of the provider', () => {
  test('is shown with its own message, and can be retried until it works', async () => {
    const page = { 'content-type': 'text/html' };
    const { host } = await openChat([
      {
        status: 404,
        body: '{"error":{"message":"The model `small` does not exist","code":"model_not_found"}}',
      },
      { status: 500, body: '<html><title>Oops</title></html>', headers: page },
      { status: 402, body: '{"error":{"message":"Insufficient credits"}}' },
      { status: 503, body: '' },
      { body: '', headers: { 'content-type': 'text/event-stream' } },
      { says: [{ text: 'At last.' }] },
    ]);
    await say(host, 'Go');
    const failure = host.page.locator('.savepoint-failure');
    const expected = [
      /does not know the model "small"\. Choose one from its list\.[^]*Try again\n*Set up a model/,
      /had a server error \(500\)\./,
      /account has no credit left\.[^]*Try again\n*Set up a model/,
      /is overloaded|had a server error \(503\)/,
      /empty answer|did not return a model/,
    ];
    for (const words of expected) {
      await expect.poll(() => failure.innerText()).toMatch(words);
      expect(await failure.innerText()).not.toContain('<html>');
      expect(await failure.count()).toBe(1);
      await failure.getByRole('button', { name: 'Try again' }).click();
    }
    await expect.poll(() => said(host)).toEqual(['Go', 'At last.']);
    forgetRefusals(host);
  });

  test('keeps a partial answer after a crash, and can be retried then', async () => {
    const { host, server } = await openChat(
      [{ says: [{ text: 'Half of a wo' }, { text: 'rd never comes' }], isBroken: true, pace: 30 }],
      {
        isRestarted: true,
      },
    );
    await say(host, 'Go');
    await expect
      .poll(() => host.page.locator('.savepoint-failure').innerText())
      .toContain('The answer broke off in the middle. Try again.');
    forgetRefusals(host);
    const again = await host.restart('crash');
    onTestFinished(() => again.close());
    await again.runCommand('Savepoint: Open chat');
    await choose(again, 'All conversations');
    await again.page.locator('.savepoint-line').first().click();
    await expect.poll(async () => (await said(again)).join(' ')).toMatch(/^Go Half of/);
    server.scripts.splice(0, Infinity, { says: [{ text: 'Whole.' }] });
    await button(again, 'Try again').click();
    await expect.poll(() => said(again)).toEqual(['Go', 'Whole.']);
  });
});

test('disabling the plugin during an answer keeps the partial answer', async () => {
  const { host, server } = await openChat([endless]);
  await say(host, 'Go');
  await expect.poll(() => messages(host).last().innerText()).toContain('on and on');
  await host.page.evaluate(async () => {
    const { plugins } = window.__host.host.app;
    await plugins.disablePlugin('savepoint');
  });
  await expect.poll(() => host.page.locator('.savepoint-chat').count()).toBe(0);
  await host.page.evaluate(() =>
    window.__host.host.app.plugins.enablePlugin('savepoint').then(() => undefined),
  );
  await host.runCommand('Savepoint: Open chat');
  await choose(host, 'All conversations');
  await host.page.locator('.savepoint-line').first().click();
  await expect.poll(async () => (await said(host)).join(' ')).toMatch(/^Go on and on/);
  expect(await messages(host).last().innerText()).toContain('Obsidian was closed');
  server.scripts.splice(0, Infinity, { says: [{ text: 'Whole.' }] });
  await button(host, 'Try again').click();
  await expect.poll(() => said(host)).toEqual(['Go', 'Whole.']);
});

test('a crash during an answer loses neither input nor what was shown', async () => {
  const { host, server } = await openChat([endless, { says: [{ text: 'Again, whole.' }] }], {
    isRestarted: true,
  });
  await say(host, 'Go');
  await expect.poll(() => messages(host).last().innerText()).toContain('on and on');
  await composer(host).fill('And the next');
  await expect
    .poll(() => host.page.evaluate(() => JSON.stringify({ ...localStorage })))
    .toMatch(/(?=.*And the next)(?=.*on and on)/);
  const again = await host.restart('crash');
  onTestFinished(() => again.close());
  await again.runCommand('Savepoint: Open chat');
  await choose(again, 'All conversations');
  await again.page.locator('.savepoint-line').first().click();
  await expect
    .poll(() => said(again))
    .toEqual(['Go', expect.stringMatching(/^on and on/) as string]);
  expect(await composer(again).inputValue()).toBe('And the next');
  server.scripts.splice(0, Infinity, { says: [{ text: 'Again, whole.' }] });
  await button(again, 'Try again').click();
  await expect.poll(() => said(again)).toEqual(['Go', 'Again, whole.']);
});

describe('a very long message', () => {
  test('is rejected over 900 KB before any write, and stays in the composer', async () => {
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
    expect(
      Object.keys(await host.snapshot()).filter((path) => path.startsWith('Savepoint/chat')),
    ).toHaveLength(0);
  });

  test('is sent, stored and shown if it is below the limit', async () => {
    const { host, server } = await openChat([{ says: [{ text: 'Long.' }] }], { isRestarted: true });
    await composer(host).evaluate((area: HTMLTextAreaElement) => {
      area.value = `${'**beds** '.repeat(10)}\n`.repeat(9000);
      area.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await composer(host).press('Enter');
    await expect.poll(() => messages(host).last().innerText()).toContain('Long.');
    expect(JSON.stringify(server.requests[0]?.body).length).toBeGreaterThan(800_000);
    const again = await host.restart();
    onTestFinished(() => again.close());
    await expect.poll(async () => (await said(again))[0]?.length ?? 0).toBeGreaterThan(700_000);
  });
});

/** Returns the data folder after a device has run `tell` on the same files. */
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

test('a message from another device appears, and is part of the next request', async () => {
  const files = createMemoryFiles();
  const own = { role: 'user' as const, parentId: undefined };
  let conversationId = '';
  let first = '';
  const before = await toldBy(files, 1, async (conversations) => {
    conversationId = (await conversations.create({ workspaceId: 'default', title: 'Beds' })).id;
    first = (
      await conversations.add({
        ...own,
        conversationId,
        parts: [{ type: 'text', text: 'From here' }],
      })
    ).id;
  });
  const { host, server } = await openChat([{ says: [{ text: 'Both are here.' }] }], {
    files: before,
  });
  await choose(host, 'All conversations');
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

test('an answer from another device during streaming becomes an alternative', async () => {
  const files = createMemoryFiles();
  const own = { role: 'user' as const, parentId: undefined };
  let conversationId = '';
  let first = '';
  const before = await toldBy(files, 1, async (conversations) => {
    conversationId = (await conversations.create({ workspaceId: 'default', title: 'Beds' })).id;
    first = (
      await conversations.add({
        ...own,
        conversationId,
        parts: [{ type: 'text', text: 'From here' }],
      })
    ).id;
  });
  const { host } = await openChat([endless], { files: before });
  await choose(host, 'All conversations');
  await host.page.locator('.savepoint-line').click();
  await button(host, 'Get an answer').click();
  await expect.poll(() => messages(host).last().innerText()).toContain('on and on');
  const parts = [{ type: 'text' as const, text: 'From there' }];
  const after = await toldBy(files, 2, (conversations) =>
    conversations.add({ conversationId, parentId: first, role: 'assistant', end: 'done', parts }),
  );
  await arrive(host, before, after);
  await expect.poll(() => messages(host).last().innerText()).toMatch(/(on and on[^]*){12}/);
  await button(host, 'Stop').click();
  await settled(host);
  await expect
    .poll(() => messages(host).last().innerText())
    .toMatch(/on and on[^]*You stopped this answer\.[^]*[12] of 2/);
  expect(await messages(host).count()).toBe(2);
  await button(host, /^(Previous|Next) version$/)
    .and(host.page.locator(':enabled:not([aria-disabled=true])'))
    .first()
    .click();
  await expect.poll(() => said(host)).toEqual(['From here', 'From there']);
});

describe('chat panels', () => {
  test('stream the same answer, and Stop in one stops both', async () => {
    const { host } = await openChat([{ says: [{ text: 'Yes.' }] }, endless]);
    await say(host, 'Same?');
    await settled(host);
    await host.page.evaluate(async () => {
      const { workspace } = window.__host.host.app;
      const leaf = workspace.getLeavesOfType('savepoint-chat')[0]!;
      await workspace
        .getLeaf('tab')
        .setViewState({ type: 'savepoint-chat', state: leaf.view.getState(), active: true });
    });
    const panels = host.page.locator('.savepoint-chat');
    await expect.poll(() => panels.count()).toBe(2);
    await expect.poll(() => panels.last().locator('.savepoint-message').count()).toBe(2);
    const box = panels.first().locator('textarea');
    await box.fill('And?');
    await box.press('Enter');
    for (const panel of [panels.first(), panels.last()])
      await expect
        .poll(() => panel.locator('.savepoint-message').last().innerText())
        .toContain('on and on');
    await panels.last().getByRole('button', { name: 'Stop', exact: true }).click();
    for (const panel of [panels.first(), panels.last()])
      await expect
        .poll(() => panel.locator('.savepoint-message').last().innerText())
        .toContain('You stopped this answer.');
  });

  test('stream the same answer in two windows, and continue in both', async () => {
    const { host } = await openChat([
      { says: [{ text: 'Yes.' }] },
      endless,
      { says: [{ text: 'Said there.' }] },
    ]);
    await say(host, 'Same?');
    await settled(host);
    const opened = host.page.context().waitForEvent('page');
    await host.page.evaluate(async () => {
      const { workspace } = window.__host.host.app;
      const leaf = workspace.getLeavesOfType('savepoint-chat')[0]!;
      await workspace
        .getLeaf('window')
        .setViewState({ type: 'savepoint-chat', state: leaf.view.getState(), active: true });
    });
    const popout = await opened;
    await expect.poll(() => popout.locator('.savepoint-message').count()).toBe(2);
    await say(host, 'And?');
    for (const page of [host.page, popout])
      await expect
        .poll(() => page.locator('.savepoint-message').last().innerText())
        .toContain('on and on');
    await popout.getByRole('button', { name: 'Stop', exact: true }).click();
    for (const page of [host.page, popout])
      await expect
        .poll(() => page.locator('.savepoint-message').last().innerText())
        .toContain('You stopped this answer.');
    await popout.locator('.savepoint-composer textarea').fill('Then here');
    await popout.locator('.savepoint-composer textarea').press('Enter');
    for (const page of [host.page, popout])
      await expect
        .poll(() => page.locator('.savepoint-message .savepoint-said').allInnerTexts())
        .toEqual([
          'Same?',
          'Yes.',
          'And?',
          expect.stringContaining('on and on') as string,
          'Then here',
          'Said there.',
        ]);
    await popout.close();
  });

  test('work after being moved to a pop-out window', async () => {
    const { host } = await openChat(
      [{ says: [{ text: 'Yes, **there**.' }] }, { says: [{ text: 'Here, too.' }] }],
      {
        files: { 'Plan.md': 'South.' },
      },
    );
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
    await expect
      .poll(() => panel.locator('.savepoint-message').last().innerText())
      .toContain('Here, too.');
    await expect
      .poll(() => panel.locator('.savepoint-message strong').allInnerTexts())
      .toEqual(['there']);
    await popout.close();
    await host.runCommand('Savepoint: Open chat');
    await choose(host, 'All conversations');
    await host.page.locator('.savepoint-line').first().click();
    await expect.poll(() => messages(host).count()).toBe(4);
  });
});
