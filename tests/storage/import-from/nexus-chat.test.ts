import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { createForeignReaders } from '../../../src/agents/foreign-readers.js';
import { createAccount } from '../../../src/storage/import-from/foreign.js';
import { readNexus } from '../../../src/storage/import-from/nexus.js';
import { conversationBegun, conversationUpdated, messageAdded, messageUpdated, shardsOf, type NexusLine } from './nexus-vault.js';

const T = Date.UTC(2026, 4, 1);

async function read(...lines: NexusLine[]) {
  const account = createAccount();
  const { conversations, messages } = await readNexus(shardsOf(lines), createForeignReaders([]), account);
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
const parts = (messages: Awaited<ReturnType<typeof read>>['messages']) => messages.map(({ content }) => content.parts);

describe('a conversation of Nexus', () => {
  it('keeps its title, its workspace and whether it is archived, as they changed', async () => {
    const { conversations, leftOut } = await read(
      conversationBegun('c1', T, { chatSettings: { workspaceId: 'w1' } }),
      conversationUpdated('c1', T + 1, { updated: 5 }),
      conversationUpdated('c1', T + 2, { title: 'Later', settings: { workspaceId: 'w2', isArchived: true } }),
    );
    expect(conversations).toMatchObject([
      { key: 'c1', at: T, title: 'Chat c1', workspace: 'w1', changes: [{ at: T + 2, title: 'Later', workspace: 'w2', isArchived: true }] },
    ]);
    expect(leftOut).toEqual({ chatSettings: 1 });
  });

  it('is there though its first line is lost', async () => {
    const { conversations, messages } = await read(said('m1', 'user', 'Hello'));
    expect(conversations).toMatchObject([{ key: 'c1', title: 'Conversation c1', workspace: undefined }]);
    expect(messages).toHaveLength(1);
  });
});

describe('messages of Nexus', () => {
  it('follow each other in their order, as they were last', async () => {
    const { messages } = await read(
      messageAdded('m2', 'c1', T, { role: 'assistant', content: 'H', sequenceNumber: 901, state: 'draft' }),
      messageAdded('m1', 'c1', T + 5, { role: 'user', content: 'Hello', sequenceNumber: 900 }),
      messageUpdated('m2', 'c1', T + 9, { content: 'Hi there', reasoning: 'Greet', state: 'aborted' }),
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

  it('hold the calls of tools with what came of them', async () => {
    const { messages } = await read(
      said('m1', 'assistant', null, { tool_calls: [call('a'), call('b'), call('c', { result: 'inline', success: false }), call('d')] }),
      said('m2', 'tool', '{"success":true}', { tool_call_id: 'a' }),
      said('m3', 'tool', 'plain', { tool_call_id: 'b' }),
      said('m4', 'user', 'Thanks'),
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

  it('keep what could have stood in their place beside them, and go on from the one that was chosen', async () => {
    const { messages } = await read(
      said('m1', 'user', 'Hello'),
      said('m2', 'assistant', 'First', { alternatives: [{ id: 'm2b', content: 'Second', timestamp: T + 99 }], activeAlternativeIndex: 1 }),
      said('m3', 'user', 'Good'),
    );
    expect(messages.map(({ key, parent, at }) => [key, parent, at === T + 99])).toEqual([
      ['m1', undefined, false],
      ['m2', 'm1', false],
      ['m2b', 'm1', true],
      ['m3', 'm2b', false],
    ]);
  });

  it('of the system, and answers whose call is lost, are told as data', async () => {
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
  });

  it('that say nothing are counted as left out', async () => {
    const { messages, leftOut } = await read(said('m1', 'assistant', ''), said('m2', 'user', 'Hi'));
    expect(messages.map(({ key, parent }) => [key, parent])).toEqual([['m2', undefined]]);
    expect(leftOut).toEqual({ emptyMessages: 1 });
  });
});
