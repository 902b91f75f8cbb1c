import type { NodeModules } from '../modules.js';
import { readGitHead, readText } from './git-head.js';
import { GitObjects, type GitCommit } from './git-objects.js';
import { createProblems } from './problems.js';

/** Reading more would hold up the caller for seconds. */
const MAX_COMMITS = 5000;
const MAX_SHALLOW_BYTES = 4096;

/**
 * Returns the id of the oldest commit, following first parents from what is checked out. Undefined
 * without commits; empty if the first one is missing or unreadable. `gitFolder` has the objects.
 */
export async function firstCommit(
  node: NodeModules,
  folder: string,
  gitFolder: string,
): Promise<string | undefined> {
  let id = (await readGitHead(node, folder))?.head;
  const shallow = await readText(node, node.path.join(gitFolder, 'shallow'), MAX_SHALLOW_BYTES);
  if (id === undefined) return undefined;
  if (shallow !== undefined) return ''; // its oldest commit is not the first
  const objects = new GitObjects(node, gitFolder, createProblems(''));
  for (let count = 0; id !== undefined && count < MAX_COMMITS; count++) {
    // damaged or another format
    const commit: GitCommit | undefined = await objects.readCommit(id).catch(() => undefined);
    if (commit?.parents.length === 0) return id;
    id = commit?.parents[0];
  }
  return '';
}
