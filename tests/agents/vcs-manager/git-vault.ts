import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderDevice } from '../../../src/node/provenance/folder-device.js';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';
import { createFolder, node } from '../../node/folders.js';
import { createRepository } from '../../node/git/run-git.js';

const os = { ...node.os, homedir: () => createFolder() };

/** A toolkit over a vault on disk. */
export interface GitVault extends TestVault {
  readonly folder: string;
}

/** Opens a vault in a folder; by default, in a new git repository. */
export function openGitVault(
  folder = createRepository(),
  excluded: readonly string[] = [],
): GitVault {
  mkdirSync(join(folder, '.obsidian'), { recursive: true });
  const identity = { program: 'Test', name: () => 'Laptop' };
  const device = createFolderDevice({ ...node, os }, folder, identity);
  const wrap = () => createFolderFiles(node, folder);
  return { ...createTestVault({ device, wrap, excluded }), folder };
}
