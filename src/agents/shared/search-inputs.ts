import type { JsonObject } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import type { Workspace } from '../../model/workspace.js';
import { resolveVaultPath } from '../../platform/safe-file-names.js';
import { MAX_QUERY_LENGTH, queryWords } from '../../search/index.js';
import type { Fail, Failures } from '../../toolkit/define-tool.js';
import type { IndexProgress } from '../../indexing/index-progress.js';
import type { Services } from '../services.js';

export const queryFailures = {
  emptyQuery: {
    error: 'The query contains no words.',
    advice: 'Include at least one word, such as "token refresh".',
  },
  queryTooLong: {
    error: `The query has {length} characters; at most ${MAX_QUERY_LENGTH} are allowed.`,
    advice: 'Search for its most important words.',
  },
} as const satisfies Failures;

export const folderFailures = {
  folderInvalid: {
    error: 'rootFolder "{folder}" {problem}.',
    advice: 'Pass a folder in the vault, such as "Projects/Alpha", or "/" for the whole vault.',
  },
  folderNotFound: {
    error: 'Folder "{folder}" not found.',
    advice: 'Use searchDirectory with query "{folder}" and rootFolder "/" to find it.',
  },
} as const satisfies Failures;

export function hasWords(query: string): boolean {
  return queryWords(query, []).length > 0;
}

/** Fails the call if the query is too long, or has no words but needs some. */
export function checkQuery(
  query: string,
  fail: Fail<typeof queryFailures>,
  needsWords = true,
): void {
  if (query.length > MAX_QUERY_LENGTH) fail('queryTooLong', { length: `${query.length}` });
  if (needsWords && !hasWords(query)) fail('emptyQuery');
}

/** Defaults to the workspace's root folder. Fails the call if a given folder does not exist. */
export async function resolveSearchFolder(
  typed: string | undefined,
  { rootFolder }: Pick<Workspace, 'rootFolder'>,
  { files }: Pick<Services, 'files'>,
  fail: Fail<typeof folderFailures>,
): Promise<VaultPath> {
  const folder = clip(typed ?? rootFolder);
  const read = await resolveVaultPath(files, typed ?? rootFolder);
  if ('problem' in read) return fail('folderInvalid', { folder, problem: read.problem });
  if (typed === undefined) return read.path; // if it does not exist, nothing is found in it
  const info = await files.stat(read.path);
  return info?.kind === 'folder' ? read.path : fail('folderNotFound', { folder });
}

/** Returns the progress of the first incomplete part. */
export function unfinishedIndex(
  ...parts: readonly (IndexProgress | undefined)[]
): JsonObject | undefined {
  const behind = parts.find((part) => part !== undefined);
  return behind && { ready: false, done: behind.done, total: behind.total };
}
