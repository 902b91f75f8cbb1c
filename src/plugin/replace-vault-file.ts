import type { App } from 'obsidian';
import { contentText, type FileContent } from '../acp/changes/tracked-files.js';

/**
 * Replaces a file; if `changed` is undefined, removes it to where the app's setting says. Returns
 * false if `current` is a text that was just read and that the app has changed since.
 */
export async function replaceVaultFile(
  { vault, fileManager }: App,
  path: string,
  current: FileContent | undefined,
  changed: Uint8Array | undefined,
): Promise<boolean> {
  const { adapter } = vault;
  const file = vault.getFileByPath(path);
  if (!changed) {
    await (file ? fileManager.trashFile(file) : adapter.trashLocal(path));
    return true;
  }
  const [before, after] = [current, changed].map((content) => content && plainText(content));
  if (file && before !== undefined && after !== undefined) {
    const written = await vault.process(file, (now) => (now === before ? after : now));
    return written === after;
  }
  const bytes = Uint8Array.from(changed).buffer;
  const folder = path.split('/').slice(0, -1).join('/');
  if (folder !== '' && !(await adapter.exists(folder))) await adapter.mkdir(folder);
  await (file ? vault.modifyBinary(file, bytes) : adapter.writeBinary(path, bytes));
  return true;
}

/** Returns undefined also for a text with a byte order mark, which the app may leave out. */
function plainText(content: FileContent): string | undefined {
  const plain = contentText(content);
  return plain?.startsWith('\uFEFF') ? undefined : plain;
}
