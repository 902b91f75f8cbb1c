import type { LogTrouble } from '../storage/log.js';

/** Returns what an answer must say about the state of the log. */
export function troubleNotices({ isCopyFailing }: LogTrouble, isWrite: boolean): string[] {
  return isCopyFailing && isWrite
    ? [
        'Saved in the vault, but this device could not keep a copy outside it, so it could not restore what a sync service loses. Tell the user: make room on the disk with the state folder of Savepoint, or make that folder writable.',
      ]
    : [];
}
