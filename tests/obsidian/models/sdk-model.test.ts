import { afterEach, describe, expect, it } from 'vitest';
import {
  ModelFailure,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
} from '../../../src/chat/language-model.js';
import { findHiddenCharacter } from '../../../src/model/text/visible-text.js';
import { PROVIDERS } from '../../../src/obsidian/models/providers.js';
import { createSdkModel } from '../../../src/obsidian/models/sdk-model.js';
import {
  startModelServer,
  type ModelServer,
  type Protocol,
  type Script,
} from '../../fakes/model-server.js';

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A provider of each protocol, and the path of its API. */
const PLACES: Record<Protocol, { provider: string; path: string }> = {
  anthropic: { provider: 'anthropic', path: '/v1' },
  responses: { provider: 'openai', path: '/v1' },
  google: { provider: 'google', path: '/v1beta' },
  chat: { provider: 'ollama', path: '/v1' },
};
const PROTOCOLS = Object.keys(PLACES) as Protocol[];

async function open(
  protocol: Protocol,
  ...scripts: Script[]
): Promise<{ model: LanguageModel; server: ModelServer }> {
  const server = await startModelServer(protocol, scripts);
  servers.push(server);
  return { server, model: modelAt(protocol, server.origin) };
}

function modelAt(
  protocol: Protocol,
  origin: string,
  apiKey: string | undefined = 'secret-key',
): LanguageModel {
  const { provider: id, path } = PLACES[protocol];
  const provider = PROVIDERS.find((each) => each.id === id)!;
  return createSdkModel({
    provider,
    baseUrl: `${origin}${path}`,
    model: 'small',
    apiKey,
    fetchLike: fetch,
    isOnline: () => true,
    now: () => Date.now(),
  });
}

const tools = [
  {
    name: 'loadState',
    description: 'Load a state.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
];
const hello: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools,
};

async function all(
  model: LanguageModel,
  request = hello,
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

const failureOf = async (model: LanguageModel): Promise<ModelFailure> => {
  const error: unknown = await all(model).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelFailure)) throw new Error(`No failure in words: ${String(error)}`);
  return error;
};

const textIn = (events: readonly ModelEvent[], type: 'text' | 'reasoning') =>
  events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');

describe.each(PROTOCOLS)('the protocol %s', (protocol) => {
  it('streams text, and reports the tokens used', async () => {
    const { model } = await open(protocol, {
      says: [{ reasoning: 'Thinking.' }, { text: 'Good morning.' }],
    });
    const events = await all(model);
    expect([textIn(events, 'reasoning'), textIn(events, 'text')]).toEqual([
      'Thinking.',
      'Good morning.',
    ]);
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
    expect(events.at(-1)).toEqual({
      type: 'end',
      reason: 'done',
      usage: { input: 100, output: 20 },
    });
  });

  it('requests tool calls, and accepts their results', async () => {
    const { model, server } = await open(protocol, {
      says: [
        { text: 'Let me look.' },
        { call: { id: 'call_1', name: 'loadState', args: { name: 'Plan' } } },
      ],
    });
    const events = await all(model);
    const call = events.find(({ type }) => type === 'call');
    expect(call).toMatchObject({ tool: 'loadState', params: { name: 'Plan' } });
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'tools' });
    const { id, tool, params } = call as Extract<ModelEvent, { type: 'call' }>;
    await all(model, {
      ...hello,
      messages: [
        ...hello.messages,
        { role: 'assistant', text: 'Let me look.', calls: [{ id, tool, params }] },
        { role: 'tool', answers: [{ id, tool, answer: { success: true, data: 'found it' } }] },
      ],
    });
    expect(JSON.stringify(server.requests[1]!.body)).toContain('found it');
  });

  it('sends invisible characters of attachments and answers as markers', async () => {
    const { model, server } = await open(protocol, { says: [{ text: 'Hi' }] });
    const text = 'a\u{E0041}b\u202ec\u200bd';
    await all(model, {
      ...hello,
      system: text,
      messages: [
        { role: 'user', text },
        {
          role: 'assistant',
          text,
          calls: [{ id: 'c', tool: 'loadState', params: { name: text } }],
        },
        { role: 'tool', answers: [{ id: 'c', tool: 'loadState', answer: { data: text } }] },
      ],
    });
    const sent = JSON.stringify(server.requests[0]!.body);
    expect(findHiddenCharacter(sent)).toBeUndefined();
    expect(sent.split('a⟨U+E0041⟩b⟨U+202E⟩c⟨U+200B⟩d')).toHaveLength(6);
  });

  it("sends the key in the provider's header, and the tools", async () => {
    const { model, server } = await open(protocol, { says: [{ text: 'Hi' }] });
    await all(model);
    const { headers, path, body } = server.requests[0]!;
    expect(
      [headers['x-api-key'], headers.authorization, headers['x-goog-api-key']]
        .filter(Boolean)
        .join(),
    ).toContain('secret-key');
    expect(path).not.toContain('secret-key');
    expect(JSON.stringify(body)).toContain('loadState');
    expect(JSON.stringify(body)).toContain('Be brief.');
  });

  it.each([
    [401, { error: { message: 'bad key' } }, 'key'],
    [404, { error: { message: 'no such model' } }, 'model'],
    [429, { error: { message: 'slow down' } }, 'busy'],
    [500, { error: { message: 'oops' } }, 'broken'],
    [529, { error: { message: 'overloaded' } }, 'busy'],
  ] as const)('reports status %i as a failure without retrying', async (status, body, kind) => {
    const { model, server } = await open(protocol, {
      status,
      body: JSON.stringify(body),
      headers: { 'retry-after': '7' },
    });
    expect((await failureOf(model)).kind).toBe(kind);
    expect(server.requests).toHaveLength(1);
  });

  it('fails with advice if the server returns an HTML page', async () => {
    const { model } = await open(protocol, {
      status: 502,
      body: '<html><title>Bad gateway</title></html>',
      headers: { 'content-type': 'text/html' },
    });
    expect(await failureOf(model)).toMatchObject({
      kind: 'broken',
      message: expect.stringContaining('Bad gateway') as string,
    });
  });

  it('does not take a broken stream for a complete answer', async () => {
    const { model } = await open(protocol, {
      says: [{ text: 'Half of it' }, { text: 'and the rest' }],
      isBroken: true,
    });
    const outcome = await all(model).then(
      (events) => events.at(-1)?.type,
      (error: unknown) => error,
    );
    expect(outcome === 'end' ? 'whole' : 'broken').toBe('broken');
  });

  it('stops immediately when aborted', async () => {
    const { model } = await open(protocol, {
      says: Array.from({ length: 200 }, () => ({ text: 'on and on ' })),
      pace: 20,
    });
    const stop = new AbortController();
    const events: ModelEvent[] = [];
    const run = (async () => {
      for await (const event of model.stream(hello, stop.signal)) {
        events.push(event);
        if (event.type === 'text') stop.abort();
      }
    })();
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(1);
  });
});

it('a model fails with advice if no server answers', async () => {
  const server = await startModelServer('chat', [{}]);
  await server.close();
  expect(await failureOf(modelAt('chat', server.origin))).toMatchObject({
    kind: 'network',
    message: expect.stringContaining('Start it') as string,
  });
});

it('a model reports parameters that are not JSON', async () => {
  const { model } = await open('chat', {
    says: [{ call: { id: '1', name: 'loadState', args: {}, raw: '{"name": "Pl' } }],
  });
  const events = await all(model);
  expect(events.find(({ type }) => type === 'call')).toMatchObject({
    problem: expect.stringContaining('not valid JSON') as string,
  });
});

it('a model sends no key to a provider without one', async () => {
  const { server } = await open('chat', { says: [{ text: 'Hi' }] });
  await all(modelAt('chat', server.origin, ''));
  expect(server.requests[0]!.headers.authorization).toBeUndefined();
});
