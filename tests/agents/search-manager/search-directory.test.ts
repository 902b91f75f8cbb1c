import { describe, expect, it } from 'vitest';
import { createTestVault } from '../../fakes/test-vault.js';

function vault() {
  const made = createTestVault({ excluded: ['Private'] });
  for (const path of [
    'Garden/Tomatoes.md',
    'Garden/Tools/Spade.md',
    'House/Tomato soup.md',
    'House/Plan.canvas',
    'Private/Tomato.md',
  ])
    made.files.put(path, '');
  return made;
}

const find = async (params: Record<string, unknown>, made = vault()) =>
  ((await made.data('searchDirectory', params)) as { path: string }[]).map(({ path }) => path);

describe('searchDirectory', () => {
  it.each([
    ['tomato', ['House/Tomato soup.md', 'Garden/Tomatoes.md']],
    ['tomatos', ['Garden/Tomatoes.md', 'House/Tomato soup.md']],
    ['soup tomato', ['House/Tomato soup.md']],
    ['house plan', ['House/Plan.canvas']],
    ['garden', ['Garden/', 'Garden/Tools/', 'Garden/Tomatoes.md', 'Garden/Tools/Spade.md']],
    ['spd', ['Garden/Tools/Spade.md']],
    ['cucumber', []],
  ])('finds %j', async (query, expected) => {
    expect(await find({ query })).toEqual(expected);
  });

  it('respects folder and limit, and finds new files immediately', async () => {
    const made = vault();
    expect(await find({ query: 'tomato', rootFolder: 'Garden' }, made)).toEqual([
      'Garden/Tomatoes.md',
    ]);
    expect(await find({ query: 'tomato', limit: 1 }, made)).toEqual(['House/Tomato soup.md']);
    made.files.put('Tomato.md', '');
    expect(await find({ query: 'tomato' }, made)).toEqual([
      'Tomato.md',
      'House/Tomato soup.md',
      'Garden/Tomatoes.md',
    ]);
  });

  it.each(['searchDirectory', 'searchContent', 'searchMemory'])(
    'refuses a long query, as %s does',
    async (tool) => {
      expect(await vault().error(tool, { query: 'a '.repeat(5001) })).toBe(
        'The query has 10002 characters; at most 10000 are allowed. Search for its most important words.',
      );
      expect((await vault().call(tool, { query: 'a '.repeat(5000) })).success).toBe(true);
    },
  );

  it('refuses a query without words and an unknown folder', async () => {
    expect(await vault().error('searchDirectory', { query: '???' })).toContain(
      'The query contains no words.',
    );
    expect(await vault().error('searchDirectory', { query: 'x', rootFolder: 'Attic' })).toContain(
      'Folder "Attic" not found.',
    );
  });
});
