import { describe, expect, it } from 'vitest';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';

const LINES = Array.from({ length: 3000 }, (_, at) => `Line ${at + 1} of a long note.`);

function vaultWith(notes: Readonly<Record<string, string>>): TestVault {
  const vault = createTestVault();
  for (const [path, text] of Object.entries(notes)) vault.files.put(path, text);
  return vault;
}

describe('readContent', () => {
  it('reads a note that was found, from the line of the hit', async () => {
    const vault = vaultWith({ 'Garden/Beds.md': '# Beds\n\n# Watering\nEvery morning.\n' });
    const [hit] = (await vault.data('searchContent', { query: 'morning', mode: 'keyword' })) as {
      path: string;
      line: number;
    }[];
    expect(await vault.data('readContent', { path: hit?.path, from: hit?.line })).toEqual({
      path: 'Garden/Beds.md',
      content: 'Every morning.\n',
      from: 4,
      to: 5,
      lines: 5,
    });
    expect(await vault.data('readContent', { path: 'garden/beds.md', to: 1 })).toMatchObject({
      path: 'Garden/Beds.md',
      content: '# Beds',
    });
  });

  it('returns a long note in pages that together are the whole note', async () => {
    const vault = vaultWith({ 'Long.md': LINES.join('\n') });
    const pages: string[] = [];
    for (let from = 1; from <= LINES.length;) {
      const answer = await vault.call('readContent', { path: 'Long.md', from });
      const { content, to } = answer.data as { content: string; to: number };
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(40_000);
      if (to < LINES.length) expect(answer.notice).toContain(`and from ${to + 1} for more`);
      pages.push(content);
      from = to + 1;
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.join('\n')).toBe(LINES.join('\n'));
  });

  it('says that a line is too long to be shown whole', async () => {
    const vault = vaultWith({ 'Wide.md': `${'x'.repeat(100_000)}\nEnd` });
    const answer = await vault.call('readContent', { path: 'Wide.md' });
    expect(answer.notice).toMatch(/^Line 1 is too long to be shown whole\. .* and from 2 for more/);
    expect(await vault.data('readContent', { path: 'Wide.md', from: 2 })).toMatchObject({
      content: 'End',
    });
  });

  it.each([
    ['.obsidian/plugins.md', 'is hidden'],
    ['Garden/.secret/Note.md', 'is hidden'],
    ['Savepoint/README.md', 'is in an excluded folder'],
    ['savepoint/readme.md', 'is in an excluded folder'],
    ['Garden/photo.png', 'is no Markdown note'],
  ])('does not read "%s"', async (path, problem) => {
    const vault = vaultWith({ [path]: 'secret' });
    const error = await vault.error('readContent', { path });
    expect(error).toContain(problem);
    expect(error).not.toContain('secret.');
  });

  it('refuses paths outside the vault, missing notes and missing lines', async () => {
    const vault = vaultWith({ 'A.md': 'One\nTwo' });
    expect(await vault.error('readContent', { path: '../A.md' })).toContain('leads outside');
    expect(await vault.error('readContent', { path: 'B.md' })).toBe(
      'Note "B.md" not found. Use searchDirectory with query "B.md" and rootFolder "/" to find it.',
    );
    expect(await vault.error('readContent', { path: 'A.md', from: 3 })).toBe(
      'There are no lines 3 to 3 in "A.md", which has 2 lines. Pass line numbers from 1, with "from" up to "to".',
    );
    expect(await vault.error('readContent', { path: 'A.md', from: 2, to: 1 })).toContain('2 to 1');
  });
});
