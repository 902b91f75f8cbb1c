import { describe, expect, it } from 'vitest';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../src/chat/language-model.js';
import type { JsonObject } from '../../../src/model/event.js';
import type { Memory } from '../../../src/model/memory.js';
import { textOfMessage } from '../../../src/model/message.js';
import { Refusal } from '../../../src/model/refusal.js';
import {
  ConversationController,
  type ControllerOptions,
} from '../../../src/obsidian/chat/conversation-controller.js';
import type { ModelRegistry } from '../../../src/obsidian/models/model-registry.js';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import { readSettings } from '../../../src/obsidian/settings-schema.js';
import { createStore } from '../../../src/obsidian/store.js';
import {
  createMemoryConversations,
  type MemoryConversations,
} from '../../fakes/memory-conversations.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

const ref = { provider: 'ollama', model: 'small' };
const end = (reason: 'done' | 'tools' = 'done'): ModelEvent => ({
  type: 'end',
  reason,
  usage: { input: 10, output: 5 },
});
const words = (text: string): ModelEvent => ({ type: 'text', text });
const ask = (tool: string, params: Record<string, unknown>, id = 'c1'): ModelEvent => ({
  type: 'call',
  id,
  tool,
  params: params as never,
});

interface Opened {
  readonly controller: ConversationController;
  readonly vault: TestVault;
  readonly conversations: MemoryConversations;
  readonly requests: ModelRequest[];
  readonly alwaysAllowed: string[];
}

/** A controller over the real tools with a model that streams one list of events per request. */
async function open(...script: ModelEvent[][]): Promise<Opened> {
  const vault = createTestVault();
  const conversations = createMemoryConversations();
  const memory = createStore<Memory>(await vault.log.memory());
  const requests: ModelRequest[] = [];
  const alwaysAllowed: string[] = [];
  const model: LanguageModel = {
    name: 'small',
    contextLimit: undefined,
    async *stream(request, signal) {
      requests.push(request);
      for (const event of script[requests.length - 1] ?? []) {
        await Promise.resolve();
        signal.throwIfAborted();
        yield event;
      }
    },
  };
  const savepoint = {
    toolkit: vault.toolkit,
    clock: vault.clock,
    memory,
    settings: readSettings(undefined),
    services: vault.toolkit.host.services,
    app: { vault: { getName: () => 'Vault' } },
    workspaceOfOpenNote: () => ({ id: 'default' }),
    refresh: async () => memory.set(await vault.log.memory()),
  } as unknown as Savepoint;
  const models = {
    open: () => model,
    preferred: () => ref,
    openNoteChoice: () => true,
  } as unknown as ModelRegistry;
  const options: ControllerOptions = {
    savepoint,
    conversations,
    models,
    find: () => undefined,
    onCreated: () => undefined,
    allowAlways(tool) {
      alwaysAllowed.push(tool);
      return Promise.resolve();
    },
    whenPainted: () => Promise.resolve(),
    yieldToHost: () => Promise.resolve(),
  };
  return {
    controller: new ConversationController(options),
    vault,
    conversations,
    requests,
    alwaysAllowed,
  };
}

const say = (controller: ConversationController, text: string) =>
  controller.send([{ type: 'text', text }]);
const settled = (controller: ConversationController) =>
  expect.poll(() => controller.isBusy()).toBe(false);
const messagesOf = (controller: ConversationController) =>
  controller.path().map((message) => [message.role, textOfMessage(message), message.end]);

describe('a conversation controller', () => {
  it('creates and titles the conversation with the first message', async () => {
    const { controller, conversations } = await open([words('Yes.'), end()]);
    expect(await conversations.list()).toEqual([]);
    await say(controller, '  Should we\n begin?  ');
    await settled(controller);
    expect(await conversations.list()).toMatchObject([
      { id: controller.id.get(), title: 'Should we begin?', workspaceId: 'default' },
    ]);
    expect(messagesOf(controller)).toEqual([
      ['user', '  Should we\n begin?  ', undefined],
      ['assistant', 'Yes.', 'done'],
    ]);
    expect(controller.path()[1]).toMatchObject({
      model: 'ollama/small',
      usage: { input: 10, output: 5 },
    });
  });

  it('stores each step before the next begins', async () => {
    const { controller, conversations, requests } = await open(
      [words('Look.'), ask('listStates', {}), end('tools')],
      [words('None.'), end()],
    );
    await say(controller, 'Which?');
    await settled(controller);
    const stored = await conversations.messages(controller.id.get() ?? '');
    expect(stored.map(({ end: how }) => how)).toEqual([undefined, 'tools', 'done']);
    expect(stored.map(({ parentId }) => parentId)).toEqual([
      undefined,
      stored[0]?.id,
      stored[1]?.id,
    ]);
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('does not let the model choose session or workspace', async () => {
    const context = { sessionId: 'another', workspaceId: 'another' };
    const { controller, vault, requests } = await open(
      [ask('listStates', { context }), end('tools')],
      [words('Done.'), end()],
    );
    await say(controller, 'Go');
    await settled(controller);
    const [entry] = await vault.log.traceEntries('default');
    const [trace] = entry ? await vault.log.readTraces([entry]) : [];
    expect(trace).toMatchObject({
      sessionId: controller.id.get(),
      workspaceId: 'default',
      tool: 'listStates',
    });
    for (const tool of requests[0]?.tools ?? [])
      expect(JSON.stringify(tool.inputSchema)).not.toContain('"context"');
    expect(requests[0]?.tools.map(({ name }) => name)).not.toContain('useTools');
  });

  it('switches to a workspace that the model creates', async () => {
    const { controller, vault } = await open(
      [ask('createWorkspace', garden), end('tools')],
      [words('Made.'), end()],
    );
    await say(controller, 'Make a garden');
    await expect.poll(() => controller.panel.get().live?.calls[0]?.status).toBe('asking');
    controller.decideCall('c1', 'once');
    await settled(controller);
    const { id } = (await vault.data('loadWorkspace', { name: 'Garden' })) as { id: string };
    expect(controller.workspaceId.get()).toBe(id);
  });

  it('rejects a message that cannot be stored, and stays usable', async () => {
    const { controller, conversations } = await open([words('Yes.'), end()]);
    conversations.fault = new Refusal('The disk is full.');
    await expect(say(controller, 'Hello')).rejects.toThrow('The disk is full.');
    expect([controller.isBusy(), controller.pending.get(), controller.path()]).toEqual([
      false,
      undefined,
      [],
    ]);
    conversations.fault = undefined;
    await say(controller, 'Hello');
    await settled(controller);
    expect(messagesOf(controller)).toHaveLength(2);
  });

  it('shows the error if the answer cannot be stored', async () => {
    const { controller, conversations } = await open([
      ask('createState', stateNamed('Beds')),
      end('tools'),
    ]);
    await say(controller, 'Save');
    await expect.poll(() => controller.panel.get().live?.calls[0]?.status).toBe('asking');
    conversations.fault = new Refusal('The disk is full.');
    controller.decideCall('c1', 'once');
    await settled(controller);
    expect(controller.panel.get()).toMatchObject({
      phase: 'idle',
      failure: { message: 'The disk is full.' },
    });
  });

  it('stores the partial answer when it is closed', async () => {
    const endless = Array.from({ length: 1000 }, () => words('on '));
    const { controller } = await open(endless);
    const closed = new Promise<void>((resolve) => {
      controller.panel.subscribe(() => {
        if (controller.panel.get().phase === 'streaming') resolve(controller.close());
      });
    });
    await say(controller, 'Go');
    await closed;
    expect(messagesOf(controller)[1]).toEqual([
      'assistant',
      expect.stringMatching(/^on /),
      'failed',
    ]);
  });

  it('adds a regenerated answer as a sibling', async () => {
    const { controller } = await open([words('One.'), end()], [words('Two.'), end()]);
    await say(controller, 'Say');
    await settled(controller);
    const first = controller.path()[1]!;
    controller.retry(first);
    await settled(controller);
    expect(messagesOf(controller).map(([, text]) => text)).toEqual(['Say', 'Two.']);
    controller.showBranch(first.id);
    expect(messagesOf(controller).map(([, text]) => text)).toEqual(['Say', 'One.']);
  });
});

describe('approval', () => {
  const saving = (name: string, id: string) => [
    ask('createState', stateNamed(name), id),
    end('tools'),
  ];

  it('covers later calls of the tool if given for the conversation', async () => {
    const { controller, alwaysAllowed, vault } = await open(
      saving('One', 'c1'),
      saving('Two', 'c2'),
      [words('Both.'), end()],
    );
    await say(controller, 'Save both');
    await expect.poll(() => controller.panel.get().live?.calls[0]?.status).toBe('asking');
    controller.decideCall('c1', 'session');
    await settled(controller);
    expect(messagesOf(controller).at(-1)?.[1]).toBe('Both.');
    expect(alwaysAllowed).toEqual([]);
    expect(await vault.data('loadState', { name: 'Two' })).toMatchObject({
      savedBy: { client: 'Test', model: 'ollama/small', device: 'Laptop' },
    });
  });

  it('leaves the memory unchanged if denied', async () => {
    const { controller, vault } = await open(saving('One', 'c1'), [words('As you wish.'), end()]);
    await say(controller, 'Save');
    await expect.poll(() => controller.panel.get().live?.calls[0]?.status).toBe('asking');
    controller.decideCall('c1', 'deny');
    await settled(controller);
    expect(await vault.data('listStates')).toEqual([]);
  });
});

describe('a tool that the user calls', () => {
  it('needs no model and no approval, and is stored as a call', async () => {
    const { controller, requests, vault } = await open();
    await controller.callTool('createState', stateNamed('Beds') as JsonObject);
    expect(requests).toEqual([]);
    expect(await vault.data('loadState', { name: 'Beds' })).toHaveProperty('savedBy', {
      client: 'Test',
      device: 'Laptop',
    });
    expect(controller.path().map(({ parts }) => parts[0])).toMatchObject([
      { type: 'text', text: 'Save state: Beds' },
      { type: 'tool', tool: 'createState', status: 'done' },
    ]);
    await controller.callTool('listStates', {});
    expect(controller.path().at(-2)?.parts).toEqual([{ type: 'text', text: 'List states' }]);
  });
});
