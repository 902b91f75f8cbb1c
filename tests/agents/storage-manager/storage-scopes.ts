import { expect } from 'vitest';
import { sha256 } from '../../../src/platform/sha256.js';
import { createTestVault, garden, type TestVault } from '../../fakes/test-vault.js';

export type Scope = 'workspace' | 'session';

/** Returns the storage tools of one scope over a vault. */
export function toolsOf(scope: Scope, vault: TestVault = createTestVault()) {
  return {
    vault,
    read: (params: object) =>
      vault.data(`${scope}StorageRead`, params) as Promise<{
        content: string;
        size: number;
        sha256: string;
      }>,
    write: (params: object) =>
      vault.data(`${scope}StorageWrite`, params) as Promise<{ size: number; sha256: string }>,
    list: (params: object = {}) =>
      vault.data(`${scope}StorageList`, params) as Promise<{ path: string }[]>,
    readError: (params: object) => vault.error(`${scope}StorageRead`, params),
    writeError: (params: object) => vault.error(`${scope}StorageWrite`, params),
    listError: (params: object) => vault.error(`${scope}StorageList`, params),
  };
}

/** Returns the folder of the default workspace or of the test session. */
export const baseOf = (scope: Scope) =>
  `Savepoint/files/${scope}s/${scope === 'workspace' ? 'default' : 'session'}`;

/** Returns the expected answer to a write of this text. */
export async function factsOf(text: string): Promise<{ size: number; sha256: string }> {
  return { size: new TextEncoder().encode(text).length, sha256: await sha256(text) };
}

/** Expects a call to be refused with this reason and to create no file. */
export async function expectRefused(
  vault: TestVault,
  call: () => Promise<string>,
  said: string,
): Promise<void> {
  const files = vault.files.paths().filter((path) => path.includes('/files/'));
  expect(await call()).toContain(said);
  expect(vault.files.paths().filter((path) => path.includes('/files/'))).toEqual(files);
  expect(vault.reports).toEqual([]);
}

/** Creates a vault with the current workspace "Garden". */
export async function vaultWithGarden(): Promise<TestVault> {
  const vault = createTestVault();
  await vault.data('createWorkspace', garden);
  return vault;
}
