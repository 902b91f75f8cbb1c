import type { VaultPath } from '../model/paths.js';
import type { Files } from '../platform/files.js';
import { readLogLines } from '../storage/index.js';
import { exportLines } from './export.js';
import { importLines, type ImportOptions, type ImportReport } from './import.js';

/** Adds what another data folder has to new files of this one, durably. That one stays as it is. */
export async function mergeFolder(
  files: Files,
  root: VaultPath,
  from: VaultPath,
  options: Pick<ImportOptions, 'day' | 'tag' | 'scheduler'>,
): Promise<ImportReport> {
  const { lines } = await readLogLines(files, from, options.scheduler);
  const [exported] = (await exportLines(lines)).files;
  const sources = [{ name: from, bytes: exported!.bytes }];
  return importLines(files, root, sources, { ...options, mayMerge: true, isDryRun: false });
}
