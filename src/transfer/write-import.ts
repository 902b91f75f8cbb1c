import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import type { Files } from '../platform/files.js';
import { eachInParallel } from '../platform/parallel.js';
import { MAX_PARALLEL_READS, segmentPath, writeReadme, type LaneName } from '../storage/index.js';

export interface PlannedFile {
  readonly path: VaultPath;
  /** True if it is written before the others. */
  readonly isFirst?: boolean;
  /** Returns its contents, which are only needed while it is written. */
  readonly encode: () => Uint8Array | Promise<Uint8Array>;
}

/** `index` counts from 0. */
export function importedPath(
  root: VaultPath,
  lane: LaneName,
  { day, tag }: { readonly day: string; readonly tag: string },
  index: number,
): VaultPath {
  return segmentPath(root, lane, day, `${tag}-imported`, index + 1);
}

/** Writes vault events first: after an interruption, the vault has its id and takes the rest. */
export async function writeFiles(
  files: Files,
  root: VaultPath,
  planned: readonly PlannedFile[],
): Promise<void> {
  let written = 0;
  const write = async ({ path, encode }: PlannedFile) => {
    await files.append(path, await encode(), { expect: 'new', durable: true });
    written++;
  };
  try {
    for (const isFirst of [true, false]) {
      const due = planned.filter((file) => (file.isFirst ?? false) === isFirst);
      await eachInParallel(due, MAX_PARALLEL_READS, write);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(
      `The import stopped after ${written} of ${planned.length} files, which are complete and stay. ` +
        `Fix the problem, then import again to continue: ${error.message}`,
      { cause: error },
    );
  }
  await writeReadme(files, root);
}
