import type { VaultPath } from '../../model/paths.js';
import { FileChanged, type Files } from '../../platform/files.js';

const ABOUT = `# Savepoint

This folder holds what your AI agents remember: workspaces, saved states and the calls they made.
It is written by Savepoint, one line for each event, and travels with your vault.
In "files" lie the files that agents keep; read them as you like.

Please keep it. To hide something, archive it in Savepoint; nothing in here needs to be edited by hand.
`;

/** What tells people about the data folder. */
function aboutPath(root: VaultPath): VaultPath {
  return `${root}/README.md`;
}

/** Whether it is there. Nobody reads it; but while it is, the folder was not taken away as a whole. */
export async function hasAbout(files: Files, root: VaultPath): Promise<boolean> {
  return (await files.stat(aboutPath(root))) !== undefined;
}

/** Writes it, where there is none yet. */
export async function writeAbout(files: Files, root: VaultPath): Promise<void> {
  try {
    await files.append(aboutPath(root), new TextEncoder().encode(ABOUT), {
      expect: 'new',
      durable: false,
    });
  } catch (error) {
    if (!(error instanceof FileChanged)) throw error;
  }
}
