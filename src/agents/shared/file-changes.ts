import { PROJECT_PREFIX, toVaultPath, type VaultPath } from '../../model/paths.js';
import { recordedDigest, type FileDigest } from '../../model/states/provenance.js';
import type { State } from '../../model/state.js';
import { eachInParallel } from '../../platform/parallel.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import { resolveActiveFiles } from './active-files.js';
import { listingOnce, readDigest, readProjectDigest, type FileAccess } from './file-digests.js';

export interface FileChange {
  readonly path: string;
  /** `created`: missing when saved. `outside`: not in the vault or project, so not checked. */
  readonly change: 'created' | 'modified' | 'missing' | 'outside';
  /** True if the file's time was compared, because its content is not recorded. */
  readonly byTime?: true;
  /** True if the file is larger than 1 MB, so only its size and samples were compared. */
  readonly sampled?: true;
}

/** Comparison of active files with their content or time when the state was saved. */
export interface FileComparison {
  readonly changes: readonly FileChange[];
  /** Files above 1 MB with unchanged size and samples; other parts of them may have changed. */
  readonly sampledFiles: readonly string[];
  /** Number of files that have changed, appeared or disappeared since. */
  readonly changedCount: number;
}

export type ComparedState = Pick<State, 'activeFiles' | 'createdAt' | 'files' | 'origin'>;

/** Result for one file; undefined if it has not changed. */
type FileResult = Pick<FileChange, 'byTime' | 'sampled'> & {
  readonly change: FileChange['change'] | 'same sample';
};

const READ_WIDTH = 16;

/** Compares active files by content, or by time (later than the state's) if none is recorded. */
export async function compareFiles(
  access: FileAccess,
  state: ComparedState,
): Promise<FileComparison> {
  const paths = [...new Set(state.activeFiles)];
  const once = listingOnce(access);
  const results = new Map<string, FileResult | undefined>();
  await eachInParallel(paths, READ_WIDTH, async (path) => {
    results.set(path, await compareFile(once, state, path));
  });
  const changes: FileChange[] = [];
  const sampledFiles: string[] = [];
  for (const path of paths) {
    const result = results.get(path);
    if (result?.change === 'same sample') sampledFiles.push(path);
    else if (result) changes.push({ path, ...result, change: result.change });
  }
  const changed = changes.filter(
    ({ path, change }) =>
      change !== 'outside' && (change !== 'missing' || recordedDigest(state.files, path) !== null),
  );
  return { changes, sampledFiles, changedCount: changed.length };
}

/** Returns the paths of nothing in the vault or project. Others outside are not checked. */
export async function missingPaths(
  access: Pick<FileAccess, 'files' | 'device'>,
  project: ClientProject | undefined,
  paths: readonly string[],
): Promise<string[]> {
  const resolved = await resolveActiveFiles(access, project, paths);
  const isMissing = await Promise.all(
    resolved.map(async (path) => {
      const inVault = toVaultPath(path);
      return inVault !== undefined && (await access.files.stat(inVault)) === undefined;
    }),
  );
  return paths.filter((_, index) => isMissing[index]);
}

async function compareFile(
  access: FileAccess,
  { createdAt, files, origin }: ComparedState,
  path: string,
): Promise<FileResult | undefined> {
  const before = recordedDigest(files, path);
  if (path.startsWith(PROJECT_PREFIX)) {
    const now = await readProjectDigest(access, path);
    return before === undefined || now === undefined
      ? { change: 'outside' }
      : compareDigests(before, now);
  }
  const inVault = toVaultPath(path);
  if (inVault === undefined) return { change: 'outside' };
  const now = before === undefined ? undefined : await readDigest(access, inVault);
  if (before === undefined || now === undefined)
    return compareInfo(access, inVault, before, origin?.at ?? createdAt);
  return compareDigests(before, now);
}

function compareDigests(before: FileDigest | null, now: FileDigest | null): FileResult | undefined {
  if (!now) return { change: 'missing' };
  if (!before) return { change: 'created' };
  const isSame = now.size === before.size && now.sha256 === before.sha256;
  const sampled = now.sampled && ({ sampled: true } as const);
  if (isSame) return sampled && { change: 'same sample' };
  return { change: 'modified', ...sampled };
}

/** Compares the time of a file whose content was not recorded, or cannot be read now. */
async function compareInfo(
  { files }: FileAccess,
  path: VaultPath,
  before: FileDigest | null | undefined,
  savedAt: string,
): Promise<FileResult | undefined> {
  const info = await files.stat(path);
  if (!info) return { change: 'missing' };
  if (before === null) return { change: 'created' };
  if (before && info.kind === 'folder') return { change: 'missing' };
  const isLater = info.kind === 'file' && info.mtime > Date.parse(savedAt);
  return isLater ? { change: 'modified', byTime: true } : undefined;
}
