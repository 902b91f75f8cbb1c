import { expect, it } from 'vitest';
import type { Conversations } from '../../src/chat/conversations.js';
import type { MessageContent } from '../../src/model/message.js';

const first = { workspaceId: 'default', title: 'Beds' };

function said(conversationId: string, text: string, parentId?: string): MessageContent {
  return { conversationId, parentId, role: 'user', parts: [{ type: 'text', text }] };
}

/**
 * Defines the tests that every implementation of `Conversations` must pass. `open` returns an empty
 * one.
 */
export function conversationsContract(open: () => Promise<Conversations> | Conversations): void {
  it('is empty at first', async () => {
    const conversations = await open();
    expect(await conversations.list()).toEqual([]);
    expect(await conversations.messages('nobody')).toEqual([]);
  });

  it('lists conversations, newest first', async () => {
    const conversations = await open();
    const older = await conversations.create(first);
    const newer = await conversations.create({ workspaceId: 'other', title: '<b>Plants</b>' });
    expect(older).toMatchObject({ ...first, isPinned: false, isArchived: false });
    expect(newer.id).not.toBe(older.id);
    expect(await conversations.list()).toEqual([newer, older]);
  });

  it('stores every field of a message', async () => {
    const conversations = await open();
    const { id } = await conversations.create(first);
    const question = await conversations.add({
      ...said(id, 'Which?'),
      parts: [
        { type: 'text', text: 'Which? \u{1f331} __proto__' },
        { type: 'data', source: 'the note "A"', text: '<script>\n', path: 'A.md' },
      ],
    });
    const answer = await conversations.add({
      conversationId: id,
      parentId: question.id,
      role: 'assistant',
      model: 'ollama/small',
      usage: { input: 10, output: 2 },
      end: 'failed',
      error: 'It broke off.',
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        {
          type: 'tool',
          id: '1',
          tool: 'listStates',
          params: {},
          answer: { success: true, data: [] },
          status: 'done',
          ms: 3,
        },
      ],
    });
    const kept = new Map(
      (await conversations.messages(id)).map((message) => [message.id, message]),
    );
    expect(kept.size).toBe(2);
    expect(kept.get(question.id)).toEqual(question);
    expect(kept.get(answer.id)).toEqual(answer);
    expect(answer).toMatchObject({
      parentId: question.id,
      end: 'failed',
      error: 'It broke off.',
      usage: { input: 10, output: 2 },
    });
    expect(answer.createdAt >= question.createdAt).toBe(true);
  });

  it('keeps the messages of different conversations separate', async () => {
    const conversations = await open();
    const one = await conversations.create(first);
    const other = await conversations.create(first);
    await conversations.add(said(one.id, 'One'));
    const message = await conversations.add(said(other.id, 'Other'));
    expect(await conversations.messages(other.id)).toEqual([message]);
  });

  it('changes only the given fields', async () => {
    const conversations = await open();
    const { id } = await conversations.create(first);
    await conversations.change(id, { isPinned: true });
    await conversations.change(id, { title: 'Winter', workspaceId: 'other' });
    await conversations.change(id, { isArchived: true });
    await conversations.change(id, { isPinned: false });
    expect(await conversations.list()).toMatchObject([
      { id, title: 'Winter', workspaceId: 'other', isPinned: false, isArchived: true },
    ]);
  });

  it('notifies listeners of changes until they unsubscribe', async () => {
    const conversations = await open();
    let told = 0;
    const stop = conversations.onChange(() => told++);
    const { id } = await conversations.create(first);
    await expect.poll(() => told).toBeGreaterThan(0);
    const before = told;
    await conversations.add(said(id, 'Hello'));
    await expect.poll(() => told).toBeGreaterThan(before);
    stop();
    const after = told;
    await conversations.change(id, { title: 'Unheard' });
    expect(told).toBe(after);
  });
}
