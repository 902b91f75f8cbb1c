import { expect, it } from 'vitest';
import type { ChatConversation } from '../../../../src/chat/conversations.js';
import { conversationRows } from '../../../../src/obsidian/chat/ui/conversation-rows.js';

const conversation = (id: string, more: Partial<ChatConversation> = {}): ChatConversation => ({
  id,
  workspaceId: 'default',
  title: id,
  isPinned: false,
  isArchived: false,
  isPrivate: false,
  createdAt: '2026-11-20T10:00:00.000Z',
  ...more,
});
const list = [
  conversation('new'),
  conversation('pinned', { isPinned: true }),
  conversation('archived', { isArchived: true }),
];
const keys = (rows: readonly { readonly key: string }[]) => rows.map(({ key }) => key);

it('conversationRows puts pinned conversations first', () => {
  expect(keys(conversationRows(list, undefined, true))).toEqual(['pinned', 'new', 'archived']);
});

it('conversationRows omits archived conversations, and counts the rest', () => {
  const rows = conversationRows(list, undefined, false);
  expect(rows.map(({ key, at, of }) => [key, at, of])).toEqual([
    ['pinned', 1, 2],
    ['new', 2, 2],
  ]);
});

it('conversationRows shows search results in their order', () => {
  const hits = ['new', 'pinned'].map((id) => ({
    conversation: list.find((each) => each.id === id)!,
    message: undefined,
    excerpt: '',
  }));
  expect(keys(conversationRows(list, hits, false))).toEqual(['new', 'pinned']);
});
