import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandInProcess } from '../fakes/in-process.js';
import { stateNamed } from '../fakes/test-vault.js';
import { inFull } from '../tier.js';
import { callInProcess, createFolders } from './program-folders.js';

type Folders = ReturnType<typeof createFolders>;

function save(at: Folders, name: string) {
  return callInProcess(at, 'createState', stateNamed(name));
}

/** Copies the vault and the state folder, or copies them back in place. */
function copyFolders(from: Folders, to: Folders): void {
  for (const part of ['vault', 'state'] as const) {
    rmSync(to[part], { recursive: true, force: true });
    cpSync(from[part], to[part], { recursive: true, preserveTimestamps: true });
  }
}

/** Copies every file of the vault to the other device, which overwrites its own version. */
function overwrite(from: Folders, to: Folders): void {
  cpSync(join(from.vault, 'Savepoint'), join(to.vault, 'Savepoint'), {
    recursive: true,
    preserveTimestamps: true,
  });
}

function textOf({ vault }: Folders): string {
  const folder = join(vault, 'Savepoint/core');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}

function heal({ vault, state }: Folders) {
  return commandInProcess(['verify', '--vault', vault, '--state', state, '--heal']);
}

/** Returns the states that the vault lacks, unless `verify` exits with 1. */
async function lostSilently(at: Folders, names: readonly string[]): Promise<string[]> {
  const { code } = await heal(at);
  const text = textOf(at);
  return code === 1 ? [] : names.filter((name) => !text.includes(`"name":"${name}"`));
}

describe.runIf(inFull('two devices of which one restores a backup in place'))(
  'a device whose vault and state folder were restored from a backup',
  () => {
    it.each(['the restored device', 'the other device'])(
      'loses no state silently if the files of %s win the next sync',
      { timeout: 120_000 },
      async (winner) => {
        const [a, b, backup] = [createFolders(), createFolders(), createFolders()];
        await save(a, 'Before the backup');
        copyFolders(a, backup);
        await save(a, 'After the backup 1');
        await save(a, 'After the backup 2');
        overwrite(a, b);
        await save(b, 'On the other device');
        copyFolders(backup, a);
        await save(a, 'After the restore 1');
        await save(a, 'After the restore 2');
        const [from, to] = winner === 'the restored device' ? [a, b] : [b, a];
        overwrite(from, to);
        for (const at of [a, b]) await save(at, `After the sync on ${at === a ? 'A' : 'B'}`);
        for (let round = 0; round < 2; round++) {
          overwrite(b, a);
          overwrite(a, b);
          for (const at of [a, b]) await heal(at);
        }
        const names = [
          'Before the backup',
          'After the backup 1',
          'After the backup 2',
          'On the other device',
          'After the restore 1',
          'After the restore 2',
          'After the sync on A',
          'After the sync on B',
        ];
        for (const at of [a, b]) expect(await lostSilently(at, names)).toEqual([]);
        expect(await lostSilently(a, ['Never saved'])).toEqual(['Never saved']);
      },
    );
  },
);
