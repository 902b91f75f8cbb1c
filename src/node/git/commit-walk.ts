import type { GitCommit, GitObjects } from './git-objects.js';

type Objects = Pick<GitObjects, 'readCommit'>;

/**
 * Yields the commits that lead to `head` but not to `from`, newest committed first. A commit with a
 * wrong clock may be yielded although it leads to `from`.
 */
export async function* commitsBetween(
  objects: Objects,
  head: string,
  from: string,
): AsyncGenerator<GitCommit> {
  const hidden = new Set<string>([from]);
  const queued = new Set<string>([head, from]);
  const queue = [await objects.readCommit(head)];
  if (from !== head) queue.push(await objects.readCommit(from));
  while (queue.some(({ id }) => !hidden.has(id))) {
    const commit = takeNewest(queue, hidden);
    const isHidden = hidden.has(commit.id);
    for (const parent of commit.parents) {
      if (isHidden) hidden.add(parent);
      if (queued.has(parent)) continue;
      queued.add(parent);
      queue.push(await objects.readCommit(parent));
    }
    if (!isHidden) yield commit;
  }
}

/** Takes hidden commits of one second first, so that a rebase's parents are known to be hidden. */
function takeNewest(queue: GitCommit[], hidden: ReadonlySet<string>): GitCommit {
  let newest = 0;
  for (const [at, commit] of queue.entries()) {
    const later = commit.committedAt - queue[newest]!.committedAt;
    const isFirst = hidden.has(commit.id) && !hidden.has(queue[newest]!.id);
    if (later > 0 || (later === 0 && isFirst)) newest = at;
  }
  return queue.splice(newest, 1)[0]!;
}
