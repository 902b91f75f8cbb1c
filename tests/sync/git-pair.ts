import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { differences, pairFolder, until, type KeptVersion, type SyncedPair } from './pair.js';

const run = promisify(execFile);

/**
 * Two clones of a bare repository whose user commits, pulls and pushes without resolving conflicts.
 */
export async function createGitPair(): Promise<SyncedPair> {
  const folder = pairFolder('git');
  const [bare, a, b] = [join(folder, 'bare.git'), join(folder, 'a'), join(folder, 'b')];
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  await git(folder, 'clone', '--quiet', bare, a);
  await git(a, 'commit', '--quiet', '--allow-empty', '--message', 'A vault');
  await git(a, 'push', '--quiet', 'origin', 'HEAD:main');
  await git(folder, 'clone', '--quiet', bare, b);
  let isApart = false;

  return {
    vaults: [a, b],
    async exchangeDuring(work) {
      let isDone = false;
      const done = work.finally(() => (isDone = true));
      done.catch(() => undefined); // awaited below
      while (!isDone) for (const side of isApart ? [] : [a, b]) await takeTurn(side);
      await done;
    },
    part: () => Promise.resolve(void (isApart = true)),
    rejoin: () => Promise.resolve(void (isApart = false)),
    async settle() {
      const isSettled = async () => {
        const turns = [await takeTurn(a), await takeTurn(b), await takeTurn(a)];
        return !turns.includes(false) && differences([a, b]).length === 0;
      };
      await until(isSettled, 60, () => `these files differ: ${differences([a, b]).join(', ')}`);
    },
    carried: async () => Number(await git(bare, 'rev-list', '--count', 'main')),
    keptVersions: () => versionsIn(a),
  };
}

/**
 * Commits everything, merges what the other side has pushed, including conflict markers, and
 * pushes. Returns false if git refuses the pull because a file has changed since the commit.
 */
async function takeTurn(side: string): Promise<boolean> {
  await commitAll(side);
  const pulled = await attempt(
    side,
    'pull',
    '--quiet',
    '--no-rebase',
    '--no-edit',
    'origin',
    'main',
  );
  const isMerging = await attempt(side, 'rev-parse', '--quiet', '--verify', 'MERGE_HEAD');
  if (!pulled && !isMerging) return false;
  if (isMerging) await commitAll(side);
  await git(side, 'push', '--quiet', 'origin', 'HEAD:main');
  return true;
}

async function commitAll(side: string): Promise<void> {
  await git(side, 'add', '--all');
  const isUnchanged = await attempt(side, 'diff', '--cached', '--quiet');
  const isMerging = await attempt(side, 'rev-parse', '--quiet', '--verify', 'MERGE_HEAD');
  if (!isUnchanged || isMerging) await git(side, 'commit', '--quiet', '--message', 'Sync');
}

async function versionsIn(side: string): Promise<KeptVersion[]> {
  const listed = await git(
    side,
    'log',
    '--format=',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '-m',
    '--',
    'Savepoint',
  );
  const found = [...listed.matchAll(/^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) \w+\t(.+)$/gm)];
  const versions = new Map(
    found.flatMap(([, before, after, path]) => [[before, path] as const, [after, path] as const]),
  );
  const kept: KeptVersion[] = [];
  for (const [blob, path] of versions) {
    if (blob === undefined || path === undefined || /^0+$/.test(blob)) continue;
    const { stdout } = await run('git', ['cat-file', 'blob', blob], {
      cwd: side,
      encoding: 'buffer',
      maxBuffer: 16 * 1024 * 1024,
    });
    kept.push({ path, bytes: stdout });
  }
  return kept;
}

const NOBODY = [
  '-c',
  'user.name=Nobody',
  '-c',
  'user.email=nobody@localhost',
  '-c',
  'commit.gpgsign=false',
  '-c',
  'gc.auto=0',
];

/** Excludes the user's own settings and hooks. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  };
  const { stdout } = await run('git', [...NOBODY, ...args], {
    cwd,
    env,
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

function attempt(cwd: string, ...args: string[]): Promise<boolean> {
  return git(cwd, ...args).then(
    () => true,
    () => false,
  );
}
