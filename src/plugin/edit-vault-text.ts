import type { App } from 'obsidian';

/** Changes a file's text (undefined for no file). Removed files go where the app's setting says. */
export async function editVaultText(
  { vault, fileManager }: App,
  path: string,
  change: (current: string | undefined) => string | undefined,
): Promise<void> {
  const file = vault.getFileByPath(path);
  if (file) {
    const removed: string[] = [];
    await vault.process(file, (current) => {
      const changed = change(current);
      if (changed === undefined) removed.push(path);
      return changed ?? current;
    });
    if (removed.length > 0) await fileManager.trashFile(file);
    return;
  }
  const { adapter } = vault;
  const current = (await adapter.exists(path)) ? await adapter.read(path) : undefined;
  const changed = change(current);
  if (changed === current) return;
  if (changed === undefined) {
    await adapter.trashLocal(path);
    return;
  }
  const folder = path.split('/').slice(0, -1).join('/');
  if (folder !== '' && !(await adapter.exists(folder))) await adapter.mkdir(folder);
  await adapter.write(path, changed);
}
