import type { VaultPath } from '../../../model/paths.js';
import {
  isUntouchedBase,
  mirrorBase,
  mirrorBasePath,
} from '../../../transfer/mirror/mirror-base.js';
import type { MirrorFiles } from './mirror-files.js';

/** Writes the base unless the user has changed it. Resolves with false if it changed meanwhile. */
export async function writeBase(files: MirrorFiles, folder: VaultPath): Promise<boolean> {
  const path = mirrorBasePath(folder);
  const text = await mirrorBase(folder);
  const file = files.find(path);
  if (!file) {
    await files.create(path, text);
    return true;
  }
  const content = await files.read(file);
  if (content === text || !(await isUntouchedBase(content))) return true;
  return files.replace(file, content, text);
}

/** Moves the base to the trash, unless the user has changed it. */
export async function removeBase(files: MirrorFiles, folder: VaultPath): Promise<void> {
  const file = files.find(mirrorBasePath(folder));
  if (file && (await isUntouchedBase(await files.read(file)))) await files.trash(file);
}
