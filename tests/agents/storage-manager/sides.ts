import { expect } from 'vitest';
import { sha256 } from '../../../src/platform/sha256.js';
import { createTestVault, garden, type TestVault } from '../../fakes/test-vault.js';

export type Side = 'workspace' | 'session';

/** The tools of one side over a vault. */
export function toolsOf(side: Side, vault: TestVault = createTestVault()) {
  return {
    vault,
    read: (params: object) =>
      vault.data(`${side}StorageRead`, params) as Promise<{
        content: string;
        size: number;
        sha256: string;
      }>,
    write: (params: object) =>
      vault.data(`${side}StorageWrite`, params) as Promise<{ size: number; sha256: string }>,
    list: (params: object = {}) =>
      vault.data(`${side}StorageList`, params) as Promise<{ path: string }[]>,
    readError: (params: object) => vault.error(`${side}StorageRead`, params),
    writeError: (params: object) => vault.error(`${side}StorageWrite`, params),
    listError: (params: object) => vault.error(`${side}StorageList`, params),
  };
}

/** The folder in which the files of the default workspace, and of the tests' session, lie. */
export const baseOf = (side: Side) =>
  `Savepoint/files/${side}s/${side === 'workspace' ? 'default' : 'session'}`;

/** What a write answers for a text. */
export async function factsOf(text: string): Promise<{ size: number; sha256: string }> {
  return { size: new TextEncoder().encode(text).length, sha256: await sha256(text) };
}

/** What has no place among kept files is refused by a tool, and nothing is made or changed by it. */
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

/** A vault with a workspace of that name, in use by the session. */
export async function vaultWithGarden(): Promise<TestVault> {
  const vault = createTestVault();
  await vault.data('createWorkspace', garden);
  return vault;
}
