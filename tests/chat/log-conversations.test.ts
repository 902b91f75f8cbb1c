import { describe, expect, it } from 'vitest';
import { createConversations } from '../../src/chat/log-conversations.js';
import { allWorkspaces } from '../../src/model/lookup.js';
import type { MessageContent } from '../../src/model/message.js';
import { conversationsContract } from '../contracts/conversations.js';
import { createTestRandom } from '../fakes/deterministic.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createTestVault } from '../fakes/test-vault.js';

const open = (seed = 1, files = createMemoryFiles()) => {
  const { log, clock } = createTestVault({ seed, files });
  return {
    log,
    clock,
    files,
    conversations: createConversations(log, createTestRandom(seed + 100)),
  };
};
const userMessage = (conversationId: string, text: string): MessageContent => ({
  conversationId,
  parentId: undefined,
  role: 'user',
  parts: [{ type: 'text', text }],
});

describe('conversations in the log', () => {
  conversationsContract(() => open().conversations);

  it('survive a restart and reach another device', async () => {
    const { log, files, conversations } = open();
    const { id } = await conversations.create({ workspaceId: 'default', title: 'Beds' });
    const message = await conversations.add(userMessage(id, 'Which?'));
    await conversations.change(id, { title: 'Plants', isPinned: true });
    await log.close();
    const other = open(2, files).conversations;
    expect(await other.list()).toMatchObject([{ id, title: 'Plants', isPinned: true }]);
    expect(await other.messages(id)).toEqual([message]);
  });

  it('merge the messages of two devices', async () => {
    const one = open();
    const { id } = await one.conversations.create({ workspaceId: 'default', title: 'Beds' });
    const other = open(2, one.files);
    one.clock.advance(1000);
    other.clock.advance(2000);
    await Promise.all([
      one.conversations.add(userMessage(id, 'One')),
      other.conversations.add(userMessage(id, 'Other')),
    ]);
    const texts = async ({ conversations }: typeof one) =>
      (await conversations.messages(id)).map(({ parts }) => parts);
    expect(await texts(one)).toEqual(await texts(other));
    expect(await texts(one)).toHaveLength(2);
  });

  it('do not touch workspaces and states', async () => {
    const { log, files, conversations } = open();
    await conversations.create({ workspaceId: 'default', title: 'Beds' });
    expect(files.paths().filter((path) => path.includes('/chat/'))).toHaveLength(1);
    expect(allWorkspaces(await log.memory()).map(({ displayName }) => displayName)).toEqual([
      'Default',
    ]);
    expect(files.paths().filter((path) => path.includes('/core/'))).toEqual([]);
  });

  it('refuse a message that is too large, before any write', async () => {
    const { files, conversations } = open();
    const { id } = await conversations.create({ workspaceId: 'default', title: 'Beds' });
    const before = files.paths().map((path) => files.text(path));
    await expect(conversations.add(userMessage(id, 'x'.repeat(1024 * 1024)))).rejects.toThrow(
      'one message holds at most 900 KB',
    );
    expect(files.paths().map((path) => files.text(path))).toEqual(before);
    expect(await conversations.add(userMessage(id, 'x'.repeat(800 * 1024)))).toMatchObject({
      conversationId: id,
    });
  });
});
