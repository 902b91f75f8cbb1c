import type { EventRef, TAbstractFile, Vault } from 'obsidian';
import { isWithin, type VaultPath } from '../../model/paths.js';
import type { Watch } from '../../storage/change-feed.js';

/** Hears of changes in the data folder from the app, whoever makes them: this app, a sync service, another program. */
export function createVaultWatch(vault: Vault, dataFolder: VaultPath): Watch {
  return {
    start(changed) {
      const tell = ({ path }: TAbstractFile) => {
        if (isWithin(path, dataFolder)) changed(path);
        else if (isWithin(dataFolder, path)) changed(); // a folder above it has moved, or is gone
      };
      const refs: EventRef[] = [
        vault.on('create', tell),
        vault.on('modify', tell),
        vault.on('delete', tell),
        vault.on('rename', (file, oldPath) => {
          tell(file);
          if (isWithin(oldPath, dataFolder)) changed(oldPath);
        }),
      ];
      return () => refs.forEach((ref) => vault.offref(ref));
    },
  };
}
