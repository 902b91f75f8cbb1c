import { expect, it } from 'vitest';
import { isClaudeChat, readClaudeChat } from '../../../src/chat/imports/claude-chat.js';
import type { JsonObject } from '../../../src/model/event.js';
import { readReport } from '../../fakes/reports/read-report.js';

const at = '2026-03-01T10:00:00.123456+00:00';
const said = (uuid: string, sender: string, more: JsonObject): JsonObject => ({
  uuid,
  sender,
  created_at: at,
  text: '',
  ...more,
});
const chat = (...chat_messages: JsonObject[]): JsonObject => ({
  uuid: 'c',
  name: 'Beds',
  created_at: at,
  chat_messages,
});

it('readClaudeChat reads each message as a reply to the previous one', () => {
  const read = readClaudeChat(
    chat(
      said('1', 'human', { text: 'Which?' }),
      said('2', 'assistant', { content: [{ type: 'text', text: 'South.' }] }),
    ),
  );
  expect(read).toMatchObject({
    source: 'Claude',
    id: 'c',
    title: 'Beds',
    createdAt: '2026-03-01T10:00:00.123Z',
  });
  expect(read.messages).toMatchObject([
    { id: '1', parentId: undefined, role: 'user', parts: [{ type: 'text', text: 'Which?' }] },
    { id: '2', parentId: '1', role: 'assistant', parts: [{ type: 'text', text: 'South.' }] },
  ]);
});

it('readClaudeChat keeps reasoning, tool calls and attachments', () => {
  const content: JsonObject[] = [
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'tool_use', id: 't1', name: 'web_search', input: { query: 'leeks' } },
    {
      type: 'tool_result',
      tool_use_id: 't1',
      name: 'web_search',
      content: [{ type: 'text', text: 'Found.' }],
      is_error: true,
    },
    { type: 'text', text: 'See.' },
    { type: 'something_new', text: 'unknown' },
  ];
  const attachments = [{ file_name: 'plan.txt', extracted_content: 'Beds.' }];
  const files = [{ file_name: 'plan.txt' }, { file_name: 'bed.png' }];
  const [message] = readClaudeChat(
    chat(said('1', 'assistant', { content, attachments, files })),
  ).messages;
  expect(message?.parts).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    {
      type: 'tool',
      id: 't1',
      tool: 'web_search',
      params: { query: 'leeks' },
      answer: 'Found.',
      status: 'failed',
    },
    { type: 'text', text: 'See.' },
    { type: 'data', source: 'the file "plan.txt"', text: 'Beds.' },
    { type: 'data', source: 'the file "bed.png"', text: '' },
  ]);
});

it.each<[string, JsonObject, string[]]>([
  ['alone', { content: [{ type: 'voice_note', title: 'Note', text: 'Buy milk' }] }, ['Buy milk']],
  [
    'among texts',
    {
      content: [
        { type: 'text', text: 'Here:' },
        { type: 'voice_note', text: 'Spoken' },
        { type: 'voice_note', title: 'Silence', text: '' },
        { type: 'text', text: 'Done.' },
      ],
    },
    ['Here:', 'Spoken', 'Done.'],
  ],
  ['with a transcript', { content: [{ type: 'voice_note', transcript: 'Buy tea' }] }, ['Buy tea']],
  [
    'without a text, next to one',
    { text: 'Written', content: [{ type: 'voice_note', title: 'Note' }] },
    ['Written'],
  ],
  [
    'with a file',
    {
      content: [{ type: 'voice_note', text: 'See this' }],
      attachments: [{ file_name: 'a.txt', extracted_content: 'Beds' }],
    },
    ['See this', 'Beds'],
  ],
])('readClaudeChat reads a voice note %s', (_what, more, texts) => {
  const [message] = readClaudeChat(chat(said('1', 'human', more))).messages;
  expect(message?.parts.map((part) => 'text' in part && part.text)).toEqual(texts);
});

it('readClaudeChat branches if the export names a parent', () => {
  const read = readClaudeChat(
    chat(
      said('1', 'human', {
        text: 'One',
        parent_message_uuid: '00000000-0000-4000-8000-000000000000',
      }),
      said('2', 'assistant', { text: 'First', parent_message_uuid: '1' }),
      said('3', 'assistant', { text: 'Second', parent_message_uuid: '1' }),
    ),
  );
  expect(read.messages.map(({ parentId }) => parentId)).toEqual([undefined, '1', '1']);
});

it('readClaudeChat omits empty and repeated messages', () => {
  const read = readClaudeChat(
    chat(
      said('1', 'human', { text: ' ' }),
      said('2', 'human', { text: 'a' }),
      said('2', 'human', { text: 'b' }),
      null as never,
    ),
  );
  expect(read.messages).toMatchObject([{ id: '2', parentId: undefined }]);
});

it('isClaudeChat recognizes its own format', () => {
  expect([
    isClaudeChat(chat()),
    isClaudeChat({ mapping: {} }),
    isClaudeChat({ chat_messages: 3 }),
  ]).toEqual([true, false, false]);
});

const readFirst = (name: string) => (JSON.parse(readReport(name)) as JsonObject[])[0]!;

it('readClaudeChat begins a branch with each wording of the first message', () => {
  const { messages } = readClaudeChat(readFirst('chats/claude-branches.json'));
  expect(messages.map(({ id, parentId, isAside }) => [id, parentId, isAside])).toEqual([
    ['u1', undefined, undefined],
    ['a1', 'u1', undefined],
    ['u2', undefined, true],
    ['a2', 'u2', true],
  ]);
});

it('readClaudeChat reads what was spoken', () => {
  const { messages } = readClaudeChat(readFirst('chats/claude-voice.json'));
  expect(messages.map(({ parts }) => parts)).toEqual([
    [{ type: 'text', text: 'Buy oat milk' }],
    [
      { type: 'text', text: 'Here:' },
      { type: 'text', text: 'spoken answer' },
    ],
  ]);
});

it('readClaudeChat lets the reply to an empty message follow the one before', () => {
  const { messages } = readClaudeChat(
    chat(
      said('1', 'human', { text: 'One', parent_message_uuid: '0' }),
      said('2', 'assistant', { parent_message_uuid: '1' }),
      said('3', 'human', { text: 'Other', parent_message_uuid: '0' }),
      said('4', 'human', { text: 'Three', parent_message_uuid: '2' }),
    ),
  );
  expect(messages.map(({ id, parentId }) => [id, parentId])).toEqual([
    ['1', undefined],
    ['3', undefined],
    ['4', '1'],
  ]);
});

it('readClaudeChat links the sources of a text after their places', () => {
  const citations = [
    {
      start_index: 0,
      end_index: 5,
      details: { type: 'web', url: 'https://a.example/x' },
      title: 'A [1]',
    },
    { start_index: 6, end_index: 12, url: 'https://b.example/(y)' },
    { end_index: 3, url: 'javascript:x' },
  ];
  const content = [{ type: 'text', text: 'Leeks. Chard.', citations }];
  const { messages } = readClaudeChat(chat(said('1', 'assistant', { content })));
  expect(messages[0]?.parts).toEqual([
    {
      type: 'text',
      text: 'Leeks [A 1 ](https://a.example/x). Chard [https://b.example/(y)](https://b.example/%28y%29).',
    },
  ]);
});
