import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach } from 'vitest';

/** Two folders and a real tool that carries files between them. */
export interface SyncedPair {
  readonly vaults: readonly [string, string];
  /** Lets the tool carry files, as it does, while the work goes on. */
  exchangeDuring(work: Promise<unknown>): Promise<void>;
  /** Cuts the second side off. `stopped` ends the tool there, `paused` only its connection. */
  part(how: 'paused' | 'stopped'): Promise<void>;
  rejoin(): Promise<void>;
  /** Resolves once both folders hold the same files, byte for byte; no program may write meanwhile. */
  settle(): Promise<void>;
  /** How often the tool has carried something until now: files with Syncthing, commits with git. */
  carried(): Promise<number>;
  /** Every version of a file below the data folder that the tool has kept of its own accord. */
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

/** Runs after the test, the latest first, before the programs' own folders go. */
export function afterThisTest(clean: () => Promise<unknown>): void {
  leftovers.push(clean);
}

export function pairFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `savepoint-sync-${name}-`));
  afterThisTest(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The files of a vault by path, without what the tools keep for themselves. */
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

/** The paths that the two vaults do not hold alike. */
export function differences([a, b]: readonly [string, string]): string[] {
  const [inA, inB] = [filesOf(a), filesOf(b)];
  const paths = new Set([...inA.keys(), ...inB.keys()]);
  return [...paths].filter((path) => !inA.get(path)?.equals(inB.get(path) ?? Buffer.of(0))).sort();
}

/** Asks again and again, five times a second or as told, until the answer is yes; fails with `trouble()` when the time is over. */
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
