import type { VaultPath } from '../../model/paths.js';
import { FileChangedError, type Files } from '../../platform/files.js';

const README_TEXT = `# Savepoint

This folder holds what your AI agents remember: workspaces, saved states and the calls they made.
Savepoint writes it, one line per event, and it syncs with your vault.
The folder "files" contains files that your agents keep. You can read them.

Please keep this folder. To hide something, archive it in Savepoint. Nothing in here needs to be edited by hand.
`;

export function readmePath(root: VaultPath): VaultPath {
  return `${root}/README.md`;
}

/** Returns true if README.md exists. Its absence means that the user removed the data folder. */
export async function hasReadme(files: Files, root: VaultPath): Promise<boolean> {
  return (await files.stat(readmePath(root))) !== undefined;
}

/** Identifies a data folder on this device: while one stamp is unchanged, the vault is the same. */
export interface FolderStamps {
  /** Time and identity of README.md; absent if there is none. */
  readonly readme?: string | undefined;
  /** Identity of the folder itself; absent if the platform has none. */
  readonly folder?: string | undefined;
}

export async function folderStamps(files: Files, root: VaultPath): Promise<FolderStamps> {
  const readme = await files.stat(readmePath(root));
  const folder = await files.stat(root);
  return {
    readme: readme && `${readme.mtime} ${readme.fileId ?? ''}`,
    folder: folder?.fileId,
  };
}

/** Content of the core lane of a data folder. */
export interface FolderContent {
  /** The ids that its lines give to the vault. */
  readonly ids: readonly string[];
  readonly hasLines: boolean;
}

/**
 * Returns true if the folder belongs to the recorded vault: by a recorded id, or as the same
 * folder. With no id it only needs a README; without lines or README, the user has removed it.
 */
export function isRecordedVault(
  record: (FolderStamps & { readonly ids: readonly string[] }) | undefined,
  { ids, hasLines }: FolderContent,
  { readme, folder }: FolderStamps,
): boolean {
  if (ids.length === 0 && readme !== undefined) return true;
  if (!hasLines && readme === undefined) return false;
  return (
    ids.some((id) => record?.ids.includes(id)) ||
    (readme !== undefined && readme === record?.readme) ||
    (folder !== undefined && folder === record?.folder)
  );
}

/** Writes README.md unless there is one. */
export async function writeReadme(files: Files, root: VaultPath): Promise<void> {
  try {
    await files.append(readmePath(root), new TextEncoder().encode(README_TEXT), {
      expect: 'new',
      durable: true,
    });
  } catch (error) {
    if (!(error instanceof FileChangedError)) throw error;
  }
}
