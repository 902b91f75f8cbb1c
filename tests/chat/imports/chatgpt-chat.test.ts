import { expect, it } from 'vitest';
import { isChatGptChat, readChatGptChat } from '../../../src/chat/imports/chatgpt-chat.js';
import type { JsonObject } from '../../../src/model/event.js';

interface Node {
  readonly parent?: string | null;
  readonly role?: string;
  readonly content?: JsonObject;
  readonly more?: JsonObject;
}

const words = (...parts: (string | JsonObject)[]): JsonObject => ({ content_type: 'text', parts });

function chat(nodes: Record<string, Node>): JsonObject {
  const mapping: JsonObject = {};
  for (const [id, { parent = null, role, content = words(''), more = {} }] of Object.entries(
    nodes,
  )) {
    const facts = {
      id,
      author: { role: role ?? '', name: null },
      create_time: 1_770_000_000.5,
      content,
      recipient: 'all',
      ...more,
    };
    mapping[id] = { id, parent, children: [], message: role === undefined ? null : facts };
  }
  return { conversation_id: 'c', title: 'Beds', create_time: 1_770_000_000.25, mapping };
}

it('readChatGptChat reads the tree without hidden messages', () => {
  const read = readChatGptChat(
    chat({
      root: {},
      system: { parent: 'root', role: 'system', content: words('') },
      hidden: {
        parent: 'system',
        role: 'user',
        content: words('About me'),
        more: { metadata: { is_visually_hidden_from_conversation: true } },
      },
      context: {
        parent: 'hidden',
        role: 'user',
        content: { content_type: 'user_editable_context', user_profile: 'x' },
      },
      ask: { parent: 'context', role: 'user', content: words('Which?') },
      empty: { parent: 'ask', role: 'assistant', content: words('') },
      one: {
        parent: 'empty',
        role: 'assistant',
        content: words('South.'),
        more: { metadata: { model_slug: 'gpt-4o' } },
      },
      two: { parent: 'ask', role: 'assistant', content: words('West.') },
    }),
  );
  expect(read).toMatchObject({
    source: 'ChatGPT',
    id: 'c',
    title: 'Beds',
    createdAt: '2026-02-02T02:40:00.250Z',
  });
  expect(read.messages).toMatchObject([
    {
      id: 'ask',
      parentId: undefined,
      role: 'user',
      parts: [{ type: 'text', text: 'Which?' }],
      createdAt: '2026-02-02T02:40:00.500Z',
    },
    { id: 'one', parentId: 'ask', role: 'assistant', model: 'gpt-4o' },
    { id: 'two', parentId: 'ask', role: 'assistant', model: undefined },
  ]);
});

it('readChatGptChat puts each message after its parent', () => {
  const nodes = {
    c: { parent: 'b', role: 'user', content: words('3') },
    b: { parent: 'a', role: 'assistant', content: words('2') },
  };
  const read = readChatGptChat(chat({ ...nodes, a: { role: 'user', content: words('1') } }));
  expect(read.messages.map(({ id, parentId }) => [id, parentId])).toEqual([
    ['a', undefined],
    ['b', 'a'],
    ['c', 'b'],
  ]);
});

it('readChatGptChat keeps code, tools and reasoning, and names pictures', () => {
  const read = readChatGptChat(
    chat({
      picture: {
        role: 'user',
        content: {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'x' }, 'This?'],
        },
      },
      thought: {
        parent: 'picture',
        role: 'assistant',
        content: { content_type: 'thoughts', thoughts: [{ summary: 'S', content: 'Hm.' }] },
      },
      run: {
        parent: 'thought',
        role: 'assistant',
        content: { content_type: 'code', language: 'python', text: 'print(1)' },
        more: { recipient: 'python' },
      },
      ran: {
        parent: 'run',
        role: 'tool',
        content: { content_type: 'execution_output', text: '1' },
        more: { author: { role: 'tool', name: 'python' } },
      },
      spoken: {
        parent: 'ran',
        role: 'user',
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'audio_transcription', text: 'Yes.' },
            { content_type: 'real_time_user_audio_video_asset_pointer' },
            { content_type: 'audio_asset_pointer' },
          ],
        },
      },
      heard: {
        parent: 'spoken',
        role: 'user',
        content: {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'audio_asset_pointer' }],
        },
      },
    }),
  );
  expect(read.messages.map(({ parts }) => parts[0])).toEqual([
    { type: 'text', text: '(picture)\n\nThis?' },
    { type: 'reasoning', text: 'Hm.' },
    {
      type: 'tool',
      id: 'run',
      tool: 'python',
      params: { input: '````python\nprint(1)\n````' },
      status: 'done',
    },
    { type: 'tool', id: 'ran', tool: 'python', params: {}, answer: '1', status: 'done' },
    { type: 'text', text: 'Yes.' },
    { type: 'text', text: '(audio)' },
  ]);
});

it('readChatGptChat handles a mapping with a cycle', () => {
  const read = readChatGptChat(
    chat({
      a: { parent: 'b', role: 'user', content: words('1') },
      b: { parent: 'a', role: 'user', content: words('2') },
    }),
  );
  expect(read.messages.map(({ id }) => id).sort()).toEqual(['a', 'b']);
  expect(read.messages.filter(({ parentId }) => parentId === undefined)).toHaveLength(1);
});

it('isChatGptChat recognizes its own format', () => {
  expect([
    isChatGptChat({ mapping: {} }),
    isChatGptChat({ chat_messages: [] }),
    isChatGptChat({ mapping: [] }),
  ]).toEqual([true, false, false]);
});
