import { describe, expect, it } from 'vitest';
import {
  conversationExcerpt,
  searchConversations,
} from '../../../src/obsidian/chat/search-conversations.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { createMemoryConversations } from '../../fakes/memory-conversations.js';

async function open() {
  const port = createMemoryConversations();
  const { id } = await port.create({ workspaceId: 'default', title: 'Garden beds' });
  for (const text of ['The south beds are drawn.', 'Nothing else.'])
    await port.add({
      conversationId: id,
      parentId: undefined,
      role: 'user',
      parts: [{ type: 'text', text }],
    });
  const messagesOf = (of: string) => port.messages(of);
  return async (query: string, signal = new AbortController().signal) =>
    searchConversations(query, await port.list(), messagesOf, NOOP_SCHEDULER, signal);
}

describe('a search in conversations', () => {
  it('finds messages that contain every word, ignoring case', async () => {
    const search = await open();
    expect(await search('BEDS south')).toMatchObject([{ excerpt: 'The south beds are drawn.' }]);
    expect(await search('beds north')).toEqual([]);
  });

  it('finds a title if no message matches', async () => {
    const search = await open();
    expect(await search('garden')).toMatchObject([{ message: undefined, excerpt: '' }]);
  });

  it('finds nothing for an empty query or after an abort', async () => {
    const search = await open();
    expect(await search('  ')).toEqual([]);
    expect(await search('beds', AbortSignal.abort())).toEqual([]);
  });
});

describe('an excerpt', () => {
  it('starts at a word before the match and has at most 160 characters', () => {
    const whole = `${'first '.repeat(20)}match ${'last '.repeat(60)}`;
    const excerpt = conversationExcerpt(whole, ['match']) ?? '';
    expect(excerpt).toMatch(/^…first .*match last .*…$/u);
    expect(excerpt.length).toBeLessThanOrEqual(162);
  });

  it('has no Markdown syntax', () => {
    expect(conversationExcerpt('## The **south** [[beds|bed]]', ['south'])).toBe(
      'The south beds bed',
    );
    expect(conversationExcerpt('| Night | Moon |\n|---|:--|\n| 3 | 0.86 |', ['moon'])).toBe(
      'Night Moon 3 0.86',
    );
  });

  it('does not start with a separator', () => {
    const whole = `Send the whole chapter today · One sentence on the moon`;
    expect(conversationExcerpt(whole, ['moon'])).toBe('…One sentence on the moon');
  });
});
