import { isWithin } from '../../../model/paths.js';
import type { Savepoint } from '../../savepoint.js';

/** Returns true for a path outside the excluded folders and the data folder. */
export function isOffered({ settings, services }: Savepoint, path: string): boolean {
  return ![services.dataFolder, ...settings.excludedFolders].some((folder) =>
    isWithin(path, folder),
  );
}
