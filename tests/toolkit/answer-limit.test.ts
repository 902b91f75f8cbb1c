import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/event.js';
import type { Answer } from '../../src/toolkit/answer.js';
import {
  cutToJsonLength,
  jsonLength,
  limitAnswer,
  MAX_ANSWER_CHARACTERS,
  shareRoom,
} from '../../src/toolkit/answer-limit.js';
import { createTestVault, stateNamed } from '../fakes/test-vault.js';

const NOTICE =
  'The answer was truncated. Ask for less at once: a smaller limit, a narrower query, or fewer calls.';

describe('limitAnswer', () => {
  it('leaves a short answer as it is', () => {
    const answer: Answer = { success: true, data: ['a', 'b'] };
    expect(limitAnswer(answer)).toBe(answer);
  });

  it('keeps the first entries of a long list, and says so', () => {
    const data = Array.from({ length: 2000 }, (_, index) => `Entry ${index} ${'x'.repeat(50)}`);
    const answer = limitAnswer({ success: true, data, notice: 'First.' }) as { data: string[] };
    expect(answer).toMatchObject({ success: true, notice: `First. ${NOTICE}` });
    expect(answer.data.length).toBeGreaterThan(500);
    expect(answer.data).toEqual(data.slice(0, answer.data.length));
    expect(jsonLength(answer)).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
  });

  it('shortens long texts, and leaves short fields whole', () => {
    const data = { name: 'Plan', text: '"'.repeat(90_000), steps: ['one', 'two'] };
    const { data: short } = limitAnswer({ success: true, data }) as { data: typeof data };
    expect(short).toMatchObject({ name: 'Plan', steps: ['one', 'two'] });
    expect(short.text).toMatch(/^"+…$/);
    expect(short.text.length).toBeGreaterThan(19_000);
  });

  it('never exceeds the limit', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.integer({ min: 400, max: 2000 }),
        (value, limit) => {
          const data = Array.from({ length: 20 }, () => value as Json);
          expect(jsonLength(limitAnswer({ success: true, data }, limit))).toBeLessThanOrEqual(
            limit,
          );
        },
      ),
    );
  });
});

describe('cutToJsonLength', () => {
  it('returns the longest start that fits, without half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 3, max: 300 }),
        (text, room) => {
          const cut = cutToJsonLength(text, room);
          expect(text.startsWith(cut)).toBe(true);
          expect(jsonLength(cut)).toBeLessThanOrEqual(room);
          expect(cut).not.toMatch(/\p{Surrogate}/u);
        },
      ),
    );
  });
});

describe('shareRoom', () => {
  it('gives small items their size, and the others equal shares', () => {
    expect(shareRoom([5, 100, 100], 65)).toEqual([5, 30, 30]);
    expect(shareRoom([1, 2, 3], 100)).toEqual([1, 2, 3]);
    expect(shareRoom([], 100)).toEqual([]);
  });
});

describe('every answer', () => {
  it('of several calls fits together, with one entry per call', async () => {
    const vault = createTestVault();
    await vault.data(
      'createState',
      stateNamed('Long', { conversationContext: 'x'.repeat(25_000) }),
    );
    await vault.data('createState', stateNamed('Short', { continues: '' }));
    const load = (name: string) => ({
      agent: 'memoryManager',
      tool: 'loadState',
      params: { name },
    });
    const calls = [load('Short'), ...Array.from({ length: 9 }, () => load('Long')), load('None')];
    const answer = await vault.call('useTools', { calls, strategy: 'parallel' });
    expect(jsonLength(answer)).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
    const { results } = answer.data as { results: Record<string, unknown>[] };
    expect(results.map(({ success }) => success)).toEqual([
      ...Array<boolean>(10).fill(true),
      false,
    ]);
    expect(results[0]).not.toHaveProperty('notice');
    expect(results[1]).toMatchObject({ notice: NOTICE });
  });

  it('of a search fits', async () => {
    const vault = createTestVault();
    for (let index = 0; index < 200; index++)
      await vault.data(
        'createState',
        stateNamed(`Ptarmigan ${index} ${'y'.repeat(180)}`, { activeTask: 'x'.repeat(900) }),
        { session: `s${index}` }, // so that none continues another
      );
    const answer = await vault.call('searchMemory', {
      query: 'ptarmigan',
      memoryTypes: ['states'],
      limit: 200,
    });
    expect(jsonLength(answer)).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
    expect(answer.notice).toBe(NOTICE);
  });

  it('of a stored file says where it continues', async () => {
    const vault = createTestVault();
    const content = Array.from({ length: 9000 }, (_, index) => `"${index}"\n`).join('');
    await vault.data('workspaceStorageWrite', { path: 'long.txt', content });
    let read = '';
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const answer = await vault.call('workspaceStorageRead', {
        path: 'long.txt',
        offset,
        limit: 100_000,
      });
      expect(jsonLength(answer)).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
      const data = answer.data as { content: string; nextOffset?: number };
      read += data.content;
      offset = data.nextOffset;
    }
    expect(read).toBe(content);
  });
});
