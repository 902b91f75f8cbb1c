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

const partsOfOnly = (content: JsonObject, more: JsonObject, role = 'assistant') =>
  readChatGptChat(chat({ a: { role, content, more } })).messages[0]?.parts;

it('readChatGptChat marks what is outside the branch that was shown', () => {
  const nodes = {
    ask: { role: 'user', content: words('Ask') },
    first: { parent: 'ask', role: 'assistant', content: words('First') },
    second: { parent: 'ask', role: 'assistant', content: words('Second') },
    hidden: { parent: 'first', role: 'system', content: words('') },
  };
  const read = readChatGptChat({ ...chat(nodes), current_node: 'hidden' });
  expect(read.messages.map(({ id, isAside }) => [id, isAside])).toEqual([
    ['ask', undefined],
    ['first', undefined],
    ['second', true],
  ]);
});

it('readChatGptChat replaces the marks of sources by links', () => {
  const cite = '\ue200cite\ue202turn0search0\ue201';
  const metadata = {
    content_references: [
      { matched_text: cite, items: [{ title: 'Leeks', url: 'https://a.example/' }] },
      { matched_text: ' ', type: 'sources_footnote' },
    ],
    citations: [{ start_ix: 4, end_ix: 14, metadata: { title: 'Old', url: 'https://b.example/' } }],
  };
  const text = `Yes.【7†source】 ${cite} \ue200cite\ue202turn9\ue201.`;
  expect(partsOfOnly(words(text), { metadata })).toEqual([
    { type: 'text', text: 'Yes.[Old](https://b.example/) [Leeks](https://a.example/) .' },
  ]);
});

it('readChatGptChat keeps the names of attached files', () => {
  const metadata = { attachments: [{ id: 'f', name: 'plan.pdf', size: 9 }] };
  expect(partsOfOnly(words('See.'), { metadata }, 'user')).toEqual([
    { type: 'text', text: 'See.' },
    { type: 'data', source: 'the file "plan.pdf"', text: '' },
  ]);
});

it.each([
  [{ content_type: 'tether_browsing_display', result: 'Leeks like sun.' }, 'Leeks like sun.'],
  [
    { content_type: 'tether_quote', url: 'https://a.example/', title: 'Leeks', text: 'Sun.' },
    '[Leeks](https://a.example/)\n\nSun.',
  ],
])('readChatGptChat keeps what a browser showed: %j', (content, answer) => {
  const more = { author: { role: 'tool', name: 'browser' } };
  expect(partsOfOnly(content, more, 'tool')).toMatchObject([
    { type: 'tool', tool: 'browser', answer },
  ]);
});
