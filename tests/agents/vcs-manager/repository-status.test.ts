import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestVault, garden } from '../../fakes/test-vault.js';
import { createFolder } from '../../node/folders.js';
import { commitAll, createRepository, put } from '../../node/git/run-git.js';
import { openGitVault, type GitVault } from './git-vault.js';

const NONE =
  'The folder "/" is in no git repository. Run git init in it, or use a workspace whose folder is in one.';

/** Asks for the status as a client whose project is in a folder. */
const statusIn = (vault: GitVault, project: string) =>
  vault.call(
    'repositoryStatus',
    {},
    { defaults: { sessionId: 's', project: { key: 'k', folder: project } } },
  );

describe('repositoryStatus', () => {
  it('shows the branch, the commit and the number of changed files', async () => {
    const vault = openGitVault();
    put(vault.folder, { 'a.md': 'one', 'b.md': 'two', 'c.md': 'six' });
    const head = commitAll(vault.folder);
    put(vault.folder, { 'a.md': 'changed', 'b.md': undefined, 'new.md': 'not tracked' });
    expect(await vault.data('repositoryStatus')).toEqual([
      { of: 'workspace', branch: 'main', head: head.slice(0, 10), unstaged: 2 },
    ]);
  });

  it("shows the client's project, too", async () => {
    const vault = openGitVault();
    const project = createRepository();
    commitAll(project);
    expect(await statusIn(vault, project)).toMatchObject({
      data: [
        { of: 'workspace', branch: 'main', unstaged: 0 },
        { of: 'project', branch: 'main', unstaged: 0 },
      ],
    });
  });

  it('shows a repository once that contains both', async () => {
    const vault = openGitVault();
    put(vault.folder, { 'code/a.ts': 'x' });
    const answer = await statusIn(vault, join(vault.folder, 'code'));
    expect(answer).toMatchObject({ data: [{ of: 'workspace' }] });
    expect((answer as { data: unknown[] }).data).toHaveLength(1);
  });

  it('says what is wrong with one of two repositories', async () => {
    const vault = openGitVault(createFolder());
    const project = createRepository();
    expect(await statusIn(vault, project)).toMatchObject({
      success: true,
      data: [
        { of: 'workspace', problem: NONE },
        { of: 'project', branch: 'main' },
      ],
    });
  });

  it('fails without any repository', async () => {
    expect(await openGitVault(createFolder()).error('repositoryStatus')).toBe(NONE);
  });

  it('names the folder, but not where it is', async () => {
    const vault = openGitVault(createFolder());
    await vault.data('createWorkspace', garden);
    expect(await vault.error('repositoryStatus')).toBe(NONE.replace('"/"', '"Garden"'));
    rmSync(join(vault.folder, 'Garden'), { recursive: true });
    expect(await vault.error('repositoryStatus')).toBe(
      'The folder "Garden" does not exist. Create it.',
    );
  });

  it('is refused where git repositories cannot be read', async () => {
    expect(await createTestVault().error('repositoryStatus')).toBe(
      'This device cannot read git repositories. Use Obsidian on a computer, or the command line.',
    );
  });
});
