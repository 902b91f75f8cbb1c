import { readVaultPath, type VaultPath } from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import type { Workspace } from '../../model/workspace.js';
import { queryWords } from '../../search/text/terms.js';
import type { Success } from '../../toolkit/answer.js';
import type { FailureText } from '../../toolkit/define-tool.js';
import type { Progress } from '../../indexing/notes/note-index.js';
import type { Services } from '../services.js';

/** Why something cannot be searched for, or not there. */
export const queryFailures = {
  noWord: {
    error: 'The query holds no word to search for.',
    advice: 'Give one or more words, such as "token refresh".',
  },
} as const satisfies Record<string, FailureText>;

export const folderFailures = {
  folderNoPath: {
    error: 'rootFolder "{folder}" {problem}.',
    advice: 'Give a folder of the vault, such as "Projects/Alpha", or "/" for all of it.',
  },
  folderNotFound: {
    error: 'Folder "{folder}" not found.',
    advice: 'Use searchDirectory with rootFolder "/" to find it.',
  },
} as const satisfies Record<string, FailureText>;

export function hasWord(query: string): boolean {
  return queryWords(query, []).length > 0;
}

/** The folder to search in: the one that is named, else the workspace's own. */
export async function searchedFolder(
  typed: string | undefined,
  { rootFolder }: Pick<Workspace, 'rootFolder'>,
  { files }: Pick<Services, 'files'>,
  fail: (failure: keyof typeof folderFailures, values: Record<string, string>) => never,
): Promise<VaultPath> {
  const folder = clip(typed ?? rootFolder);
  const read = readVaultPath((typed ?? rootFolder).trim());
  if ('problem' in read) return fail('folderNoPath', { folder, problem: read.problem });
  if (typed === undefined) return read.path; // where it is gone, nothing is found in it
  const info = await files.stat(read.path);
  return info?.kind === 'folder' ? read.path : fail('folderNotFound', { folder });
}

/** What an answer says while not everything has been read. */
export function indexState(
  ...parts: readonly (Progress | undefined)[]
): Pick<Success, 'indexState'> {
  const behind = parts.find((part) => part !== undefined);
  return behind ? { indexState: { ready: false, done: behind.done, total: behind.total } } : {};
}

/** A score as answers show it. */
export function roundScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}

/** An excerpt in one line, with `…` where it was cut. */
export function inOneLine(text: string, [from, to]: readonly [number, number]): string {
  const cut = text.slice(from, to).replace(/\s+/gu, ' ').trim();
  return `${from > 0 && cut !== '' ? '…' : ''}${cut}${to < text.length && cut !== '' ? '…' : ''}`;
}
