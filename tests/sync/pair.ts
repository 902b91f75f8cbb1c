import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach } from 'vitest';

/** Two folders and a real sync tool. */
export interface SyncedPair {
  readonly vaults: readonly [string, string];
  /** Lets the tool sync files while the work continues. */
  exchangeDuring(work: Promise<unknown>): Promise<void>;
  /** Disconnects the second side: `stopped` ends the tool there, `paused` only its connection. */
  part(how: 'paused' | 'stopped'): Promise<void>;
  rejoin(): Promise<void>;
  /**
   * Resolves once both folders have the same files, byte for byte. No program may write meanwhile.
   */
  settle(): Promise<void>;
  /** Number of transfers by the tool so far: files with Syncthing, commits with git. */
  carried(): Promise<number>;
  /** Returns all versions of files below the data folder that the tool has kept. */
  keptVersions(): Promise<KeptVersion[]>;
}

export interface KeptVersion {
  /** Path in the vault. */
  readonly path: string;
  readonly bytes: Buffer;
}

const leftovers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const clean of leftovers.splice(0).reverse()) await clean();
});

/** Runs after the test, latest first, before the folders of the programs are deleted. */
export function afterThisTest(clean: () => Promise<unknown>): void {
  leftovers.push(clean);
}

export function pairFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `savepoint-sync-${name}-`));
  afterThisTest(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Returns the files of a vault by path, without those of the sync tools. */
export function filesOf(vault: string, folder = vault): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      for (const [name, bytes] of filesOf(vault, path)) files.set(name, bytes);
    else files.set(relative(vault, path), readFileSync(path));
  }
  return files;
}

/** Returns the paths whose content differs between the two vaults. */
export function differences([a, b]: readonly [string, string]): string[] {
  const [inA, inB] = [filesOf(a), filesOf(b)];
  const paths = new Set([...inA.keys(), ...inB.keys()]);
  return [...paths].filter((path) => !inA.get(path)?.equals(inB.get(path) ?? Buffer.of(0))).sort();
}

/**
 * Polls five times a second, or at the given interval, until the condition holds. Fails with
 * `trouble()` on timeout.
 */
export async function until(
  isSo: () => Promise<boolean>,
  seconds: number,
  trouble: () => string,
  everyMs = 200,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Not within ${seconds} s: ${trouble()}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
