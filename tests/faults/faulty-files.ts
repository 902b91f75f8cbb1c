import type { Files } from '../../src/platform/files.js';
import type { MemoryFiles } from '../fakes/memory-files.js';

/** A method of the `Files` port. */
export type Call = keyof Files;

/** Replaces a call. `files` are the underlying files without faults. */
type Strike<K extends Call> = (
  files: MemoryFiles,
  ...args: Parameters<Files[K]>
) => ReturnType<Files[K]>;

interface FaultOf<K extends Call> {
  readonly name: string;
  readonly call: K;
  readonly strike: Strike<K>;
  /** True if it leaves bytes that the caller believes were not saved. */
  readonly isUnclean?: boolean;
}

export type Fault = { [K in Call]: FaultOf<K> }[Call];

export interface FaultyFiles extends Files {
  /** Number of calls of each kind so far. */
  readonly counts: Record<Call, number>;
  /**
   * Injects the fault into `times` consecutive calls of its kind, starting with the `at`-th from
   * now.
   */
  arm(fault: Fault, at: number, times?: number): void;
  disarm(): void;
  hasStruck(): boolean;
  /** True once the number of calls shows an endless retry. */
  hasRunAway(): boolean;
}

/** Far more calls than any script here makes. */
const CALL_LIMIT = 20_000;

/** Files with injected faults, which stop a caller that retries endlessly. */
export function createFaultyFiles(files: MemoryFiles): FaultyFiles {
  const counts: Record<Call, number> = {
    list: 0,
    stat: 0,
    read: 0,
    append: 0,
    update: 0,
    remove: 0,
    createFolder: 0,
    isInside: 0,
  };
  let armed: { fault: Fault; from: number; to: number }[] = [];
  let hasStruck = false;

  const hasRunAway = () => Object.values(counts).some((count) => count > CALL_LIMIT);

  function pass<K extends Call>(call: K, args: Parameters<Files[K]>): ReturnType<Files[K]> {
    const turn = ++counts[call];
    if (hasRunAway())
      return Promise.reject(new Error(`${call} was called without end`)) as ReturnType<Files[K]>;
    const struck = armed.find(
      ({ fault, from, to }) => fault.call === call && turn >= from && turn < to,
    );
    hasStruck ||= struck !== undefined;
    if (struck) return (struck.fault.strike as Strike<K>)(files, ...args);
    return (files[call] as (...given: Parameters<Files[K]>) => ReturnType<Files[K]>)(...args);
  }

  return {
    counts,
    hasRunAway,
    hasStruck: () => hasStruck,
    arm(fault, at, times = 1) {
      const from = counts[fault.call] + at;
      armed.push({ fault, from, to: from + times });
    },
    disarm: () => void (armed = []),
    list: (...args) => pass('list', args),
    stat: (...args) => pass('stat', args),
    read: (...args) => pass('read', args),
    append: (...args) => pass('append', args),
    update: (...args) => pass('update', args),
    remove: (...args) => pass('remove', args),
    createFolder: (...args) => pass('createFolder', args),
    isInside: (...args) => pass('isInside', args),
  };
}
