import { describe, expect, it } from 'vitest';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { createFolder } from '../../node/folders.js';
import { commitAll, put } from '../../node/git/run-git.js';
import { openGitVault } from './git-vault.js';

async function create() {
  const vault = openGitVault();
  put(vault.folder, { 'Garden/a.md': 'one', 'b.md': 'two' });
  commitAll(vault.folder, 'Begin');
  await vault.data('createWorkspace', garden);
  await vault.data('createState', stateNamed('One'));
  put(vault.folder, { 'Garden/a.md': 'changed' });
  const first = commitAll(vault.folder, 'Dig\n\nThe first bed');
  put(vault.folder, { 'b.md': 'changed' });
  commitAll(vault.folder, 'Elsewhere');
  put(vault.folder, { 'Garden/a.md': undefined });
  const last = commitAll(vault.folder, 'Sow');
  return { vault, first, last };
}

describe('listCommits', () => {
  it("lists the commits since a state that change the workspace's folder", async () => {
    const { vault, first, last } = await create();
    const rows = (await vault.data('listCommits', { state: 'one' })) as { commit: string }[];
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
    expect(rows.sort((a) => (a.commit === last.slice(0, 10) ? -1 : 1))).toEqual([
      { commit: last.slice(0, 10), subject: 'Sow', author: 'Ana', authoredAt: at },
      { commit: first.slice(0, 10), subject: 'Dig', author: 'Ana', authoredAt: at },
    ]);
  });

  it('lists at most `limit` commits, and says if there are more', async () => {
    const { vault } = await create();
    const answer = await vault.call('listCommits', { state: 'One', limit: 1 });
    expect(answer).toMatchObject({ notice: 'There are more than 1 commits.' });
    expect((answer as { data: unknown[] }).data).toHaveLength(1);
  });

  it("leaves out commits that change only Savepoint's own files", async () => {
    const vault = openGitVault();
    put(vault.folder, { 'a.md': 'one' });
    commitAll(vault.folder);
    await vault.data('createState', stateNamed('One'));
    commitAll(vault.folder, 'Memory');
    expect(await vault.data('listCommits', { state: 'One' })).toEqual([]);
  });

  it('refuses a state without a commit, and a workspace without a repository', async () => {
    const vault = openGitVault(createFolder());
    await vault.data('createState', stateNamed('One'));
    expect(await vault.error('listCommits', { state: 'One' })).toBe(
      'State "One" was saved outside of a git repository. Choose another state; searchBranch lists states with a branch.',
    );
    const { vault: other } = await create();
    put(other.folder, { '.git': undefined });
    expect(await other.error('listCommits', { state: 'One' })).toBe(
      'The folder "Garden" is in no git repository. Run git init in it, or use a workspace whose folder is in one.',
    );
  });
});
