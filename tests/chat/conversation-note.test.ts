import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { conversationNote } from '../../src/chat/conversation-note.js';
import type { Message, MessagePart } from '../../src/model/message.js';

const message = (
  role: Message['role'],
  parts: MessagePart[],
  more: Partial<Message> = {},
): Message => ({
  id: 'm',
  conversationId: 'c',
  parentId: undefined,
  role,
  parts,
  createdAt: '2026-11-20T10:00:00.000Z',
  ...more,
});
const facts = {
  title: 'Beds: "south" [[x]]',
  workspaceName: 'Garden',
  createdAt: '2026-11-20T10:00:00.000Z',
  you: 'You',
  assistant: 'Assistant',
  toolTitle: (tool: string) => (tool === 'createState' ? 'Save state' : tool),
};

it('conversationNote names the roles, and links notes and states', () => {
  const note = conversationNote(
    [
      message('user', [
        { type: 'text', text: 'Which beds, see [[Plan]]?' },
        {
          type: 'data',
          source: 'the note "Garden/Beds.md"',
          text: 'South.',
          path: 'Garden/Beds.md',
        },
        {
          type: 'data',
          source: 'the saved state "Beds: drawn" of the workspace "Garden", saved on 2026-11-20',
          text: 'x',
          stateId: 's',
        },
      ]),
      message(
        'assistant',
        [
          { type: 'reasoning', text: 'unsaid' },
          { type: 'text', text: 'The **south** ones.' },
          {
            type: 'tool',
            id: '1',
            tool: 'createState',
            params: { name: 'Plants' },
            status: 'done',
          },
        ],
        { model: 'ollama/small' },
      ),
      message(
        'assistant',
        [
          {
            type: 'tool',
            id: '2',
            tool: 'searchMemory',
            params: { query: 'leeks <b>' },
            status: 'failed',
          },
        ],
        {
          error: 'It broke.',
        },
      ),
    ],
    facts,
  );
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n\n(.*)$/su.exec(note) ?? [];
  expect(parse(head)).toMatchObject({
    conversation: facts.title,
    workspace: 'Garden',
    models: ['ollama/small'],
  });
  expect(body.split('\n\n')).toEqual([
    '# Beds: "south" \\[\\[x\\]\\]',
    '## You',
    'Which beds, see [[Plan]]?',
    '> [[Garden/Beds.md]]',
    '> [[Beds- drawn]]',
    '## Assistant',
    'The **south** ones.',
    '> Save state [[Plants]] (done)',
    '> searchMemory leeks \\<b\\> (failed)',
    '*It broke.*\n',
  ]);
});
