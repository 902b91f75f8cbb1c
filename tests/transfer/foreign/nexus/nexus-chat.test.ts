import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/event.js';
import { createReadStats } from '../../../../src/transfer/foreign/foreign-memory.js';
import { readNexus } from '../../../../src/transfer/foreign/nexus/nexus.js';
import {
  conversationBegun,
  conversationUpdated,
  messageAdded,
  messageUpdated,
  shardsOf,
  type NexusLine,
} from '../nexus-vault.js';

const T = Date.UTC(2026, 4, 1);

async function read(...lines: NexusLine[]) {
  const account = createReadStats();
  const { conversations, messages } = await readNexus(shardsOf(lines), [], account);
  return { conversations, messages, leftOut: Object.fromEntries(account.leftOut) };
}

let sequence = 0;
const said = (id: string, role: string, content: string | null, more: JsonObject = {}) =>
  messageAdded(id, 'c1', T + ++sequence, { role, content, sequenceNumber: sequence, ...more });
const call = (id: string, more: JsonObject = {}) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"path":"a.md"}' },
  ...more,
});
const parts = (messages: Awaited<ReturnType<typeof read>>['messages']) =>
  messages.map(({ content }) => content.parts);

describe('Nexus conversations', () => {
  it('keep the changes of title, workspace and archived flag', async () => {
    const { conversations, leftOut } = await read(
      conversationBegun('c1', T, { chatSettings: { workspaceId: 'w1' } }),
      conversationUpdated('c1', T + 1, { updated: 5 }),
      conversationUpdated('c1', T + 2, {
        title: 'Later',
        settings: { workspaceId: 'w2', isArchived: true },
      }),
    );
    expect(conversations).toMatchObject([
      {
        key: 'c1',
        at: T,
        title: 'Chat c1',
        workspace: 'w1',
        changes: [{ at: T + 2, title: 'Later', workspace: 'w2', isArchived: true }],
      },
    ]);
    expect(leftOut).toEqual({ chatSettings: 1 });
  });

  it('are imported even if their first line is missing', async () => {
    const { conversations, messages } = await read(
      said('m1', 'user', 'Hello'),
      messageAdded('m2', 'y'.repeat(50), T, { content: 'Hi' }),
    );
    expect(conversations).toMatchObject([
      { key: 'y'.repeat(50), title: `Conversation ${'y'.repeat(40)}` },
      { key: 'c1', title: 'Conversation c1', workspace: undefined, changes: [] },
    ]);
    expect(messages.map(({ key, conversation }) => [key, conversation])).toEqual([
      ['m2', 'y'.repeat(50)],
      ['m1', 'c1'],
    ]);
  });

  it('keep their creation time, and can start archived', async () => {
    const line = conversationBegun('c1', T, { workspaceId: '', isArchived: true });
    const { conversations } = await read({
      ...line,
      text: line.text.replace(`"created":${T}`, `"created":${T - 5}`),
    });
    expect(conversations).toMatchObject([
      { at: T - 5, workspace: undefined, changes: [{ at: T - 5, isArchived: true }] },
    ]);
  });

  it('change only the settings that an update contains', async () => {
    const { conversations } = await read(
      conversationBegun('c1', T),
      conversationUpdated('c1', T + 1, { settings: { workspaceId: 'w1' } }),
      conversationUpdated('c1', T + 2, { settings: { isArchived: false } }),
      conversationUpdated('c1', T + 3, { settings: { isArchived: 'yes' } }),
    );
    expect(conversations[0]?.changes).toEqual([
      { at: T + 1, workspace: 'w1' },
      { at: T + 2, isArchived: false },
    ]);
  });
});

describe('Nexus messages', () => {
  it('are linked in order, with their updates', async () => {
    const { messages } = await read(
      messageAdded('m2', 'c1', T, {
        role: 'assistant',
        content: 'H',
        sequenceNumber: 901,
        state: 'draft',
      }),
      messageAdded('m1', 'c1', T + 5, { role: 'user', content: 'Hello', sequenceNumber: 900 }),
      messageUpdated('m2', 'c1', T + 9, {
        content: 'Hi there',
        reasoning: 'Greet',
        state: 'aborted',
      }),
    );
    expect(messages.map(({ key, parent, content }) => [key, parent, content])).toEqual([
      ['m1', undefined, { role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
      [
        'm2',
        'm1',
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Greet' },
            { type: 'text', text: 'Hi there' },
          ],
          end: 'stopped',
        },
      ],
    ]);
  });

  it('are sorted by number, time and key, and omitted without an id', async () => {
    const { messages } = await read(
      ...[4, 1, 3, 5, 2].map((sequenceNumber) =>
        messageAdded(`n${sequenceNumber}`, 'c1', T, { content: 'x', sequenceNumber }),
      ),
      ...['b', 'a'].map((key) => messageAdded(key, 'c1', T, { content: 'x' })),
      messageAdded('first', 'c1', T - 1, { content: 'x' }),
      messageAdded('none', 'c1', T, { id: null, content: 'x' }),
    );
    expect(messages.map(({ key }) => key)).toEqual([
      'n1',
      'n2',
      'n3',
      'n4',
      'n5',
      'first',
      'a',
      'b',
    ]);
  });

  it.each([
    ['complete', [], 'done'],
    ['complete', [call('a')], 'tools'],
    ['invalid', [], 'failed'],
    ['aborted', [call('a')], 'stopped'],
  ])('in the state %s with the calls %j end as "%s"', async (state, tool_calls, end) => {
    const { messages } = await read(
      said('m1', 'assistant', 'Hi', { state, tool_calls }),
      said('m2', 'user', 'Hi', { state }),
    );
    expect(messages.map(({ content }) => [content.role, content.end])).toEqual([
      ['assistant', end],
      ['user', undefined],
    ]);
  });

  it('contain tool calls of older versions, even incomplete ones', async () => {
    const calls = [
      { id: 'a', name: 'read', parameters: { path: 'a.md' } },
      { id: 'b', name: 'read', function: { arguments: '' }, result: { success: false } },
      5,
      {},
    ];
    const { messages } = await read(said('m1', 'assistant', null, { tool_calls: calls }));
    expect(parts(messages)).toStrictEqual([
      [
        { type: 'tool', id: 'a', tool: 'read', params: { path: 'a.md' }, status: 'stopped' },
        {
          type: 'tool',
          id: 'b',
          tool: 'read',
          params: {},
          answer: { success: false },
          status: 'failed',
        },
        { type: 'tool', id: '', tool: 'unknown', params: {}, status: 'stopped' },
      ],
    ]);
  });

  it('contain tool calls with their results', async () => {
    const { messages } = await read(
      said('m1', 'assistant', null, {
        tool_calls: [
          call('a'),
          call('b'),
          call('c', { result: 'inline', success: false }),
          call('d'),
        ],
      }),
      said('m2', 'tool', '{"success":true}', { tool_call_id: 'a' }),
      said('m3', 'tool', 'plain', { tool_call_id: 'b' }),
      said('m4', 'user', 'Thanks', { tool_call_id: 'a' }),
    );
    const tool = { type: 'tool', tool: 'read', params: { path: 'a.md' } };
    expect(parts(messages)).toEqual([
      [
        { ...tool, id: 'a', answer: { success: true }, status: 'done' },
        { ...tool, id: 'b', answer: 'plain', status: 'done' },
        { ...tool, id: 'c', answer: 'inline', status: 'failed' },
        { ...tool, id: 'd', status: 'stopped' },
      ],
      [{ type: 'text', text: 'Thanks' }],
    ]);
    expect(messages.map(({ parent }) => parent)).toEqual([undefined, 'm1']);
  });

  it('keep alternatives as siblings and continue from the active one', async () => {
    const { messages } = await read(
      said('m1', 'user', 'Hello'),
      said('m2', 'assistant', 'First', {
        alternatives: [{ id: 'm2b', content: 'Second', timestamp: T + 99 }],
        activeAlternativeIndex: 1,
      }),
      said('m3', 'user', 'Good'),
    );
    expect(messages.map(({ key, parent, at }) => [key, parent, at === T + 99])).toEqual([
      ['m1', undefined, false],
      ['m2', 'm1', false],
      ['m2b', 'm1', true],
      ['m3', 'm2b', false],
    ]);
  });

  it('ignore invalid alternatives and an invalid active index', async () => {
    const alternatives = [5, { content: 'Second' }, { id: 'empty' }];
    const { messages, leftOut } = await read(
      said('m1', 'assistant', 'First', { alternatives, activeAlternativeIndex: 9 }),
      said('m2', 'user', 'Good', { alternatives: 'none', activeAlternativeIndex: 'x' }),
    );
    expect(messages.map(({ key, parent, content: { role } }) => [key, parent, role])).toEqual([
      ['m1', undefined, 'assistant'],
      ['m1 0', undefined, 'assistant'],
      ['m2', 'm1', 'user'],
    ]);
    expect(leftOut).toEqual({});
  });

  it('become data if they are only tool results', async () => {
    const { messages } = await read(
      messageAdded('m1', 'c1', T, { role: 'tool', content: null, tool_call_id: 'gone' }),
      messageAdded('m2', 'c2', T, { role: 'tool', content: 'No call' }),
    );
    const data = { type: 'data', source: 'An answer of a tool' };
    expect(messages).toMatchObject([
      {
        key: 'c1 answers',
        at: T,
        location: { line: 1 },
        content: { role: 'assistant', parts: [{ ...data, text: '' }] },
      },
      {
        key: 'm2',
        at: T,
        content: { role: 'assistant', parts: [{ ...data, text: 'No call' }], end: 'done' },
      },
    ]);
  });

  it('become data if they are system messages or lack their tool call', async () => {
    const { messages } = await read(
      said('m1', 'system', 'Be kind'),
      said('m2', 'tool', 'lost', { tool_call_id: 'gone' }),
      said('m3', 'user', 'Hi'),
    );
    expect(parts(messages)).toEqual([
      [{ type: 'data', source: 'System prompt', text: 'Be kind' }],
      [{ type: 'text', text: 'Hi' }],
      [{ type: 'data', source: 'An answer of a tool', text: 'lost' }],
    ]);
    const [, hi, answers] = messages;
    expect(answers).toMatchObject({ parent: 'm3', at: hi!.at });
  });

  it('are counted as skipped if they are empty', async () => {
    const { messages, leftOut } = await read(
      said('m1', 'assistant', ''),
      said('m2', 'user', 'Hi'),
      said('m3', 'user', null),
    );
    expect(messages.map(({ key, parent }) => [key, parent])).toEqual([['m2', undefined]]);
    expect(leftOut).toEqual({ emptyMessages: 2 });
  });
});
