import { afterEach, expect, it, vi } from 'vitest';
import type { Memory } from '../../../src/model/memory.js';
import { createChat } from '../../../src/obsidian/chat/chat-service.js';
import type { Models } from '../../../src/obsidian/models/models.js';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import { readSettings } from '../../../src/obsidian/settings-schema.js';
import { createStore } from '../../../src/obsidian/store.js';
import { createMemoryConversations } from '../../fakes/memory-conversations.js';
import { createTestVault } from '../../fakes/test-vault.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A chat with one conversation, which somebody has open, and how often it was read. */
async function open() {
  vi.stubGlobal('window', {
    requestAnimationFrame: (paint: () => void) => setTimeout(paint),
    setTimeout,
    clearTimeout,
  });
  const vault = createTestVault();
  const port = createMemoryConversations();
  const { id } = await port.create({ workspaceId: 'default', title: 'Beds' });
  const reads: string[] = [];
  const conversations = {
    ...port,
    messages: (of: string) => port.messages(of).finally(() => reads.push(of)),
  };
  const savepoint = {
    toolset: vault.toolset,
    clock: vault.clock,
    settings: readSettings(undefined),
    services: vault.toolset.host.services,
    memory: createStore<Memory>(await vault.log.memory()),
    workspace: () => ({ id: 'default' }),
    whenReady: () => Promise.resolve(),
  } as unknown as Savepoint;
  const chat = createChat({
    savepoint,
    conversations,
    models: {} as Models,
    changeSettings: () => Promise.resolve(),
  });
  const talk = chat.talk(id);
  await expect.poll(() => talk.thread.get()).toBeDefined();
  reads.length = 0;
  return { chat, talk, port, id, reads, clock: vault.clock };
}

it('does not read a conversation again for what was said here, until things have been calm', async () => {
  const { chat, talk, port, id, reads, clock } = await open();
  await talk.note([{ type: 'text', text: 'Said here' }]);
  const first = talk.path()[0];
  expect(reads).toEqual([]);
  clock.advance(1999);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads).toEqual([]);
  clock.advance(1);
  await expect.poll(() => reads).toEqual([id]);
  expect(talk.path()[0]).toBe(first); // nobody need draw it anew
  await port.add({
    conversationId: id,
    parentId: first?.id,
    role: 'user',
    parts: [{ type: 'text', text: 'Said elsewhere' }],
  });
  await expect.poll(() => talk.path()).toHaveLength(2);
  expect(talk.path()[0]).toBe(first);
  await chat.close();
});

it('reads nothing any more once it is closed', async () => {
  const { chat, talk, port, id, reads, clock } = await open();
  await talk.note([{ type: 'text', text: 'Said here' }]);
  await chat.close();
  clock.advance(10_000);
  await port.add({
    conversationId: id,
    parentId: undefined,
    role: 'user',
    parts: [{ type: 'text', text: 'Said elsewhere' }],
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads).toEqual([]);
});
