import type { EventRef, TAbstractFile, Vault } from 'obsidian';
import { isWithin, type VaultPath } from '../../model/paths.js';
import type { FileWatch } from '../../storage/index.js';

/** Returns a `FileWatch` backed by the app's events, which include changes by sync and programs. */
export function createVaultWatch(vault: Vault, dataFolder: VaultPath): FileWatch {
  return {
    start(changed) {
      const notify = ({ path }: TAbstractFile) => {
        if (isWithin(path, dataFolder)) changed(path);
        else if (isWithin(dataFolder, path)) changed(); // a parent folder was moved or deleted
      };
      const refs: EventRef[] = [
        vault.on('create', notify),
        vault.on('modify', notify),
        vault.on('delete', notify),
        vault.on('rename', (file, oldPath) => {
          notify(file);
          if (isWithin(oldPath, dataFolder)) changed(oldPath);
        }),
      ];
      return () => refs.forEach((ref) => vault.offref(ref));
    },
  };
}
