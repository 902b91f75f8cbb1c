import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';

function createVault(notes: Readonly<Record<string, string>>, excluded: string[] = []) {
  const vault = createTestVault({ excluded });
  for (const [path, text] of Object.entries(notes)) vault.files.put(path, text);
  return vault;
}

const notes = {
  'Garden/Beds.md': 'Three beds. [[Beds]]',
  'Garden/Plan.md': 'Line\n[[Beds|the beds]] and again [[Beds]]',
  'Garden/Shed.md': '[beds](./Beds.md#North)',
  'Year.md': '![[Plan]] [[Shed]]',
  'Other.md': '[[Year]] `[[Beds]]`',
};

describe('analyzeImpact', () => {
  it('finds the notes that link to a file, directly and through another note', async () => {
    const vault = createVault(notes);
    expect(await vault.data('analyzeImpact', { path: 'Garden/Beds.md' })).toEqual({
      linkedFrom: [
        { path: 'Garden/Plan.md', line: 2 },
        { path: 'Garden/Shed.md', line: 1 },
      ],
      indirectly: ['Year.md'],
    });
  });

  it('leads a link to the file that Obsidian would open', async () => {
    const vault = createVault({
      'Beds.md': '',
      'Long folder/Shed.md': '',
      'Deep/Shed.md': '',
      'Garden/Beds.md': '',
      'Garden/Plan.md': '[[Beds]] [[Garden/Beds]] [[Shed]]',
      'Deep/Note.md': '[[Shed]]',
      'Long folder/Note.md': '[[Shed]]',
    });
    const linked = async (path: string) => {
      const data = await vault.data('analyzeImpact', { path });
      return (data as { linkedFrom?: { path: string }[] }).linkedFrom?.map((row) => row.path);
    };
    expect(await linked('Beds.md')).toEqual(['Garden/Plan.md']);
    expect(await linked('Garden/Beds.md')).toEqual(['Garden/Plan.md']);
    expect(await linked('Deep/Shed.md')).toEqual(['Deep/Note.md', 'Garden/Plan.md']);
    expect(await linked('Long folder/Shed.md')).toEqual(['Long folder/Note.md']);
  });

  it('finds the states and workspaces that name a file, even one that is gone', async () => {
    const vault = createVault({});
    await vault.data('createState', stateNamed('One', { activeFiles: ['garden/beds.md'] }));
    await vault.data('createState', stateNamed('Gone', { activeFiles: ['Garden/Beds.md'] }));
    await vault.data('archiveState', { name: 'Gone' });
    await vault.data('createWorkspace', { ...garden, keyFiles: ['Garden/Beds.md'] });
    await vault.data('createState', stateNamed('Two', { activeFiles: ['Garden/Beds.md'] }));
    const data = await vault.data('analyzeImpact', { path: 'Garden/Beds.md' });
    expect(data).toEqual({
      states: [
        { id: expect.stringMatching(/^s/) as string, name: 'One', workspace: 'Default' },
        { id: expect.stringMatching(/^s/) as string, name: 'Two', workspace: 'Garden' },
      ],
      keyFileOf: ['Garden'],
    });
  });

  it('returns nothing for a file on which nothing depends', async () => {
    expect(await createVault(notes).data('analyzeImpact', { path: 'Other.md' })).toEqual({});
  });

  it('does not read excluded folders', async () => {
    const vault = createVault({ ...notes, 'Private/Diary.md': '[[Beds]]' }, ['Private']);
    const data = await vault.data('analyzeImpact', { path: 'Garden/Beds.md' });
    expect(JSON.stringify(data)).not.toContain('Diary');
    expect(await vault.error('analyzeImpact', { path: 'Private/Diary.md' })).toBe(
      '"Private/Diary.md" is in an excluded folder, which Savepoint does not read. Choose a file in another folder.',
    );
  });

  it('lists the first hundred', async () => {
    const many = Array.from({ length: 120 }, (_, at) => [`Note ${at}.md`, '[[Beds]]'] as const);
    const vault = createVault({ 'Beds.md': '', ...Object.fromEntries(many) });
    const answer = await vault.call('analyzeImpact', { path: 'Beds.md' });
    expect(answer).toMatchObject({
      notice:
        'There are 120 direct and 0 indirect links, 0 states; the first 100 of each are listed.',
    });
    expect((answer as { data: { linkedFrom: unknown[] } }).data.linkedFrom).toHaveLength(100);
  });

  it.each([
    [
      'Nothing.md',
      'Nothing in the vault has or names the path "Nothing.md". Use searchDirectory with query "Nothing.md" to find the file.',
    ],
    [
      '../a.md',
      'path "../a.md" leads outside the vault with ".."; use a path inside the vault. Pass a file in the vault, such as "Projects/Plan.md".',
    ],
  ])('refuses %j', async (path, words) => {
    expect(await createVault(notes).error('analyzeImpact', { path })).toBe(words);
  });
});
