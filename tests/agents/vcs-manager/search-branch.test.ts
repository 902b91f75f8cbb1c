import { describe, expect, it } from 'vitest';
import { stateNamed } from '../../fakes/test-vault.js';
import { commitAll, git } from '../../node/git/run-git.js';
import { openGitVault } from './git-vault.js';

async function create() {
  const vault = openGitVault();
  await vault.data('createState', stateNamed('Zero'));
  const head = commitAll(vault.folder);
  await vault.data('createState', stateNamed('One'));
  git(vault.folder, 'checkout', '--quiet', '-b', 'Topic/Beds');
  for (const name of ['Two', 'Three']) await vault.data('createState', stateNamed(name));
  return { vault, head: head.slice(0, 10) };
}

describe('searchBranch', () => {
  it('finds the states of a branch, newest first', async () => {
    const { vault, head } = await create();
    const rows = (await vault.data('searchBranch', { branch: 'beds' })) as { id: string }[];
    expect(rows).toMatchObject([
      { name: 'Three', branch: 'Topic/Beds', commit: head },
      { name: 'Two', branch: 'Topic/Beds', commit: head },
    ]);
    expect(await vault.data('getMemory', { id: rows[0]?.id })).toMatchObject({ name: 'Three' });
  });

  it('finds a state from before the first commit', async () => {
    const { vault } = await create();
    const rows = (await vault.data('searchBranch', { branch: ' MAIN ' })) as object[];
    expect(rows).toMatchObject([{ name: 'One' }, { name: 'Zero' }]);
    expect(rows[1]).not.toHaveProperty('commit');
  });

  it('omits archived states', async () => {
    const { vault } = await create();
    await vault.data('archiveState', { name: 'Two' });
    expect(await vault.data('searchBranch', { branch: 'Topic' })).toMatchObject([
      { name: 'Three' },
    ]);
  });

  it('finds nothing on other branches', async () => {
    const { vault } = await create();
    expect(await vault.data('searchBranch', { branch: 'release' })).toEqual([]);
  });

  it('says if there are more', async () => {
    const { vault } = await create();
    expect(await vault.call('searchBranch', { branch: 'Topic', limit: 1 })).toMatchObject({
      data: [{ name: 'Three' }],
      notice: 'There are more than 1 states; pass a longer part of the name.',
    });
  });
});
