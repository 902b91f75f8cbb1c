import type { VaultPath } from '../../model/paths.js';
import { FileChangedError, type Files } from '../../platform/files.js';

const README_TEXT = `# Savepoint

This folder holds what your AI agents remember: workspaces, saved states and the calls they made.
Savepoint writes it, one line per event, and it syncs with your vault.
The folder "files" contains files that your agents keep. You can read them.

Please keep this folder. To hide something, archive it in Savepoint. Nothing in here needs to be edited by hand.
`;

function readmePath(root: VaultPath): VaultPath {
  return `${root}/README.md`;
}

/** Returns true if README.md exists. Its absence means that the user removed the data folder. */
export async function hasReadme(files: Files, root: VaultPath): Promise<boolean> {
  return (await readmeStamp(files, root)) !== undefined;
}

/** Returns a text that identifies this very README.md, which changes if the data folder is replaced; undefined if there is none. */
export async function readmeStamp(files: Files, root: VaultPath): Promise<string | undefined> {
  const info = await files.stat(readmePath(root));
  return info && `${info.mtime} ${info.fileId ?? ''}`;
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
