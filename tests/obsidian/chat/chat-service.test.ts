import { afterEach, expect, it, vi } from 'vitest';
import type { Memory } from '../../../src/model/memory.js';
import { ChatService } from '../../../src/obsidian/chat/chat-service.js';
import { createLocalCapture } from '../../../src/obsidian/checkpoints/local-capture.js';
import { createSentTexts } from '../../../src/obsidian/host/sent-texts.js';
import type { ModelRegistry } from '../../../src/obsidian/models/model-registry.js';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import { readSettings } from '../../../src/obsidian/settings-schema.js';
import { createStore } from '../../../src/obsidian/store.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createMemoryConversations } from '../../fakes/memory-conversations.js';
import { createTestVault } from '../../fakes/test-vault.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A chat with one open conversation, and the ids of the conversations it reads. */
async function open() {
  const window = {
    requestAnimationFrame: (paint: () => void) => setTimeout(paint),
    setTimeout,
    clearTimeout,
  };
  vi.stubGlobal('window', window);
  vi.stubGlobal('activeWindow', window);
  vi.stubGlobal('document', { hidden: false });
  const vault = createTestVault();
  const port = createMemoryConversations();
  const { id } = await port.create({ workspaceId: 'default', title: 'Beds' });
  const reads: string[] = [];
  const conversations = {
    ...port,
    messages: (of: string) => port.messages(of).finally(() => reads.push(of)),
  };
  const blobs = createMemoryBlobs();
  const sentTexts = createSentTexts(blobs, vault.clock);
  await sentTexts.save(id, 'aa', 'Text of a note');
  await sentTexts.save('deleted-elsewhere', 'aa', 'Text of a note');
  const savepoint = {
    app: { loadLocalStorage: () => null, saveLocalStorage: () => undefined },
    toolkit: vault.toolkit,
    clock: vault.clock,
    settings: readSettings(undefined),
    services: vault.toolkit.host.services,
    memory: createStore<Memory>(await vault.log.memory()),
    workspaceOfOpenNote: () => ({ id: 'default' }),
    whenReady: () => Promise.resolve(),
    sentTexts,
    callsAdded: createStore(0),
    deviceStore: { load: () => Promise.resolve({ confirmed: new Map() }) },
  } as unknown as Savepoint;
  const chat = new ChatService({
    savepoint,
    conversations,
    models: {} as ModelRegistry,
    chatAgents: undefined,
    changeSettings: () => Promise.resolve(),
    capture: createLocalCapture(savepoint.app),
  });
  const controller = chat.open(id);
  await expect.poll(() => controller.thread.get()).toBeDefined();
  reads.length = 0;
  return { chat, controller, port, id, reads, blobs, clock: vault.clock };
}

it('ChatService rereads a conversation two seconds after sending a message', async () => {
  const { chat, controller, port, id, reads, clock } = await open();
  await controller.append([{ type: 'text', text: 'Sent here' }]);
  const first = controller.path()[0];
  expect(reads).toEqual([]);
  clock.advance(1999);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads).toEqual([]);
  clock.advance(1);
  await expect.poll(() => reads).toEqual([id]);
  expect(controller.path()[0]).toBe(first); // the same object is not rendered again
  await port.add({
    conversationId: id,
    parentId: first?.id,
    role: 'user',
    parts: [{ type: 'text', text: 'Sent elsewhere' }],
  });
  await expect.poll(() => controller.path()).toHaveLength(2);
  expect(controller.path()[0]).toBe(first);
  await chat.close();
});

it('ChatService reads nothing after close', async () => {
  const { chat, controller, port, id, reads, clock } = await open();
  await controller.append([{ type: 'text', text: 'Sent here' }]);
  await chat.close();
  clock.advance(10_000);
  await port.add({
    conversationId: id,
    parentId: undefined,
    role: 'user',
    parts: [{ type: 'text', text: 'Sent elsewhere' }],
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads).toEqual([]);
});

it('ChatService finds nothing for a message of which it is closed in the meantime', async () => {
  const { chat, id } = await open();
  const asking = { conversation: { id, workspaceId: 'default', isPrivate: false }, path: [] };
  const found = chat.recall.linesFor('Where are the beds?', asking, []);
  await chat.close();
  expect(await found).toEqual([]);
});

it('ChatService removes the texts of notes that were sent in conversations deleted elsewhere', async () => {
  const { blobs, id } = await open();
  await expect
    .poll(() => [...blobs.records.keys()].map((name) => name.split('.')[2]))
    .toEqual([id]);
});
