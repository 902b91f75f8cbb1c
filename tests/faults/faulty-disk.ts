import { setTimeout as sleep } from 'node:timers/promises';
import * as fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** The file system functions of Node that `src/node` calls, including methods of open files. */
export const DISK_CALLS = [
  ...([
    'open',
    'stat',
    'mkdir',
    'readdir',
    'rename',
    'readFile',
    'writeFile',
    'appendFile',
    'rm',
  ] as const),
  ...([
    'handle.write',
    'handle.datasync',
    'handle.stat',
    'handle.close',
    'handle.sync',
    'handle.truncate',
    'handle.read',
  ] as const),
];

export type DiskCall = (typeof DISK_CALLS)[number];

type Run = (...args: never[]) => Promise<unknown>;

export interface DiskFault {
  readonly name: string;
  readonly call: DiskCall;
  /** Replaces the call. `run` performs the original. */
  strike(run: Run, args: readonly unknown[]): Promise<unknown>;
  /** True if it also affects every later call of its kind. */
  readonly lasts?: boolean;
}

export interface FaultyDisk {
  /** Replacement for `node:fs/promises`. */
  readonly fs: typeof fs;
  readonly counts: Record<DiskCall, number>;
  /** Injects the fault at the `at`-th call of its kind, counted from 1. */
  arm(fault: DiskFault, at: number): void;
  disarm(): void;
  hasStruck(): boolean;
  /** Waits for what runs in the background, until no further call follows. */
  settle(): Promise<void>;
}

/** A disk error as Node words it. */
export function diskError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: a disk that fails, ${call}`), { code, syscall: call });
}

/** Wraps `node:fs/promises` so that faults can be injected. */
export function createFaultyDisk(): FaultyDisk {
  const counts = Object.fromEntries(DISK_CALLS.map((call) => [call, 0])) as Record<
    DiskCall,
    number
  >;
  let armed: { fault: DiskFault; at: number }[] = [];
  let hasStruck = false;

  async function pass(call: DiskCall, run: Run, args: readonly unknown[]): Promise<unknown> {
    const turn = ++counts[call];
    const struck = armed.find(
      ({ fault, at }) => fault.call === call && (turn === at || (turn > at && fault.lasts)),
    );
    hasStruck ||= struck !== undefined;
    const answer = await (struck ? struck.fault.strike(run, args) : run(...(args as never[])));
    return call === 'open' ? faultyHandle(answer as FileHandle) : answer;
  }

  function faultyHandle(handle: FileHandle): FileHandle {
    return new Proxy(handle, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        const run = value.bind(target) as Run;
        const call = DISK_CALLS.find((name) => name === `handle.${String(key)}`);
        return call ? (...args: unknown[]) => pass(call, run, args) : run;
      },
    });
  }

  const faulty = Object.fromEntries(
    Object.entries(fs).map(([name, value]) => {
      const call = DISK_CALLS.find((each) => each === name);
      return [
        name,
        call ? (...args: unknown[]) => pass(call, value as unknown as Run, args) : value,
      ];
    }),
  ) as unknown as typeof fs;

  return {
    fs: faulty,
    counts,
    arm: (fault, at) => void armed.push({ fault, at }),
    disarm: () => void (armed = []),
    hasStruck: () => hasStruck,
    async settle() {
      const total = () => Object.values(counts).reduce((sum, count) => sum + count);
      for (let seen = -1; seen !== total();) {
        seen = total();
        await sleep(20);
      }
    },
  };
}
