import { describe, expect, it } from 'vitest';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../src/chat/language-model.js';
import type { JsonObject } from '../../../src/model/event.js';
import type { Memory } from '../../../src/model/memory.js';
import { textOfMessage } from '../../../src/model/message.js';
import { Refusal } from '../../../src/model/refusal.js';
import {
  createTalk,
  type ConversationController,
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
  readonly talk: ConversationController;
  readonly vault: TestVault;
  readonly conversations: MemoryConversations;
  readonly requests: ModelRequest[];
  readonly allowedForEver: string[];
}

/** A talk over the real toolset with a model that says what stands in the script, a list for each time that it is asked. */
async function open(...script: ModelEvent[][]): Promise<Opened> {
  const vault = createTestVault();
  const conversations = createMemoryConversations();
  const memory = createStore<Memory>(await vault.log.memory());
  const requests: ModelRequest[] = [];
  const allowedForEver: string[] = [];
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
    toolset: vault.toolset,
    clock: vault.clock,
    memory,
    settings: readSettings(undefined),
    services: vault.toolset.host.services,
    app: { vault: { getName: () => 'Vault' } },
    workspace: () => ({ id: 'default' }),
    refresh: async () => memory.set(await vault.log.memory()),
  } as unknown as Savepoint;
  const models = { open: () => model, preferred: () => ref } as unknown as ModelRegistry;
  const host: ControllerOptions = {
    savepoint,
    conversations,
    models,
    find: () => undefined,
    created: () => undefined,
    allowAlways: (tool) => Promise.resolve(void allowedForEver.push(tool)),
    painted: () => Promise.resolve(),
    yieldToHost: () => Promise.resolve(),
  };
  return { talk: createTalk(host), vault, conversations, requests, allowedForEver };
}

const say = (talk: ConversationController, text: string) => talk.send([{ type: 'text', text }]);
const settled = (talk: ConversationController) => expect.poll(() => talk.isBusy()).toBe(false);
const said = (talk: ConversationController) =>
  talk.path().map((message) => [message.role, textOfMessage(message), message.end]);

describe('a talk', () => {
  it('begins its conversation with the first thing that is said, and is named after it', async () => {
    const { talk, conversations } = await open([words('Yes.'), end()]);
    expect(await conversations.list()).toEqual([]);
    await say(talk, '  Shall we\n begin?  ');
    await settled(talk);
    expect(await conversations.list()).toMatchObject([
      { id: talk.id.get(), title: 'Shall we begin?', workspaceId: 'default' },
    ]);
    expect(said(talk)).toEqual([
      ['user', '  Shall we\n begin?  ', undefined],
      ['assistant', 'Yes.', 'done'],
    ]);
    expect(talk.path()[1]).toMatchObject({
      model: 'ollama/small',
      usage: { input: 10, output: 5 },
    });
  });

  it('keeps each step before the next begins', async () => {
    const { talk, conversations, requests } = await open(
      [words('Look.'), ask('listStates', {}), end('tools')],
      [words('None.'), end()],
    );
    await say(talk, 'Which?');
    await settled(talk);
    const kept = await conversations.messages(talk.id.get() ?? '');
    expect(kept.map(({ end: how }) => how)).toEqual([undefined, 'tools', 'done']);
    expect(kept.map(({ parentId }) => parentId)).toEqual([undefined, kept[0]?.id, kept[1]?.id]);
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('lets the model name neither session nor workspace', async () => {
    const context = { sessionId: 'another', workspaceId: 'another' };
    const { talk, vault, requests } = await open(
      [ask('listStates', { context }), end('tools')],
      [words('Done.'), end()],
    );
    await say(talk, 'Go');
    await settled(talk);
    const [entry] = await vault.log.traceEntries('default');
    const [trace] = entry ? await vault.log.readTraces([entry]) : [];
    expect(trace).toMatchObject({
      sessionId: talk.id.get(),
      workspaceId: 'default',
      tool: 'listStates',
    });
    for (const tool of requests[0]?.tools ?? [])
      expect(JSON.stringify(tool.inputSchema)).not.toContain('"context"');
    expect(requests[0]?.tools.map(({ name }) => name)).not.toContain('useTools');
  });

  it('goes on in a workspace that the model has made or loaded', async () => {
    const { talk, vault } = await open(
      [ask('createWorkspace', garden), end('tools')],
      [words('Made.'), end()],
    );
    await say(talk, 'Make a garden');
    await expect.poll(() => talk.panel.get().live?.calls[0]?.status).toBe('asking');
    talk.decideCall('c1', 'once');
    await settled(talk);
    const { id } = (await vault.data('loadWorkspace', { name: 'Garden' })) as { id: string };
    expect(talk.workspaceId.get()).toBe(id);
  });

  it('says what could not be kept, and is ready again', async () => {
    const { talk, conversations } = await open([words('Yes.'), end()]);
    conversations.fault = new Refusal('The disk is full.');
    await expect(say(talk, 'Hello')).rejects.toThrow('The disk is full.');
    expect([talk.isBusy(), talk.pending.get(), talk.path()]).toEqual([false, undefined, []]);
    conversations.fault = undefined;
    await say(talk, 'Hello');
    await settled(talk);
    expect(said(talk)).toHaveLength(2);
  });

  it('tells in words when the answer could not be kept', async () => {
    const { talk, conversations } = await open([
      ask('createState', stateNamed('Beds')),
      end('tools'),
    ]);
    await say(talk, 'Save');
    await expect.poll(() => talk.panel.get().live?.calls[0]?.status).toBe('asking');
    conversations.fault = new Refusal('The disk is full.');
    talk.decideCall('c1', 'once');
    await settled(talk);
    expect(talk.panel.get()).toMatchObject({
      phase: 'idle',
      failure: { error: 'The disk is full.' },
    });
  });

  it('keeps what was said when it is closed in the middle', async () => {
    const endless = Array.from({ length: 1000 }, () => words('on '));
    const { talk } = await open(endless);
    const closed = new Promise<void>((resolve) => {
      talk.panel.subscribe(() => {
        if (talk.panel.get().phase === 'streaming') resolve(talk.close());
      });
    });
    await say(talk, 'Go');
    await closed;
    expect(said(talk)[1]).toEqual(['assistant', expect.stringMatching(/^on /), 'stopped']);
  });

  it('puts an answer that is asked for once more beside the first', async () => {
    const { talk } = await open([words('One.'), end()], [words('Two.'), end()]);
    await say(talk, 'Say');
    await settled(talk);
    const first = talk.path()[1]!;
    talk.retry(first);
    await settled(talk);
    expect(said(talk).map(([, text]) => text)).toEqual(['Say', 'Two.']);
    talk.showBranch(first.id);
    expect(said(talk).map(([, text]) => text)).toEqual(['Say', 'One.']);
  });
});

describe('leave to write', () => {
  const saving = (name: string, id: string) => [
    ask('createState', stateNamed(name), id),
    end('tools'),
  ];

  it('given for a conversation is asked for no more in it', async () => {
    const { talk, allowedForEver } = await open(saving('One', 'c1'), saving('Two', 'c2'), [
      words('Both.'),
      end(),
    ]);
    await say(talk, 'Save both');
    await expect.poll(() => talk.panel.get().live?.calls[0]?.status).toBe('asking');
    talk.decideCall('c1', 'conversation');
    await settled(talk);
    expect(said(talk).at(-1)?.[1]).toBe('Both.');
    expect(allowedForEver).toEqual([]);
  });

  it('that is denied leaves the memory as it was', async () => {
    const { talk, vault } = await open(saving('One', 'c1'), [words('As you wish.'), end()]);
    await say(talk, 'Save');
    await expect.poll(() => talk.panel.get().live?.calls[0]?.status).toBe('asking');
    talk.decideCall('c1', 'deny');
    await settled(talk);
    expect(await vault.data('listStates')).toEqual([]);
  });
});

describe('a tool that the person calls', () => {
  it('asks no model and no leave, and stays in the conversation as a call', async () => {
    const { talk, requests, vault } = await open();
    await talk.callTool('createState', stateNamed('Beds') as JsonObject);
    expect(requests).toEqual([]);
    expect(await vault.data('listStates')).toMatchObject([{ name: 'Beds' }]);
    expect(talk.path().map(({ parts }) => parts[0])).toMatchObject([
      { type: 'text', text: '/createState' },
      { type: 'tool', tool: 'createState', status: 'done' },
    ]);
  });
});
