import {
  isHidden,
  isWithin,
  readVaultPath,
  toAppSpelling,
  type VaultPath,
} from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import type { Files } from '../../platform/files.js';
import { text } from '../i18n/index.js';

/** A typed folder: its normalized path, or the problem as a sentence. */
export type ReadFolder = { readonly path: VaultPath } | { readonly problem: string };

/** Validates a target folder, which must be visible and outside the app's own folder. */
export function readFolder(typed: string, configDir: string): ReadFolder {
  const { empty, problem: told, hidden, config } = text.settings.move;
  const shown = clip(typed.trim());
  const read = readVaultPath(toAppSpelling(typed));
  if ('problem' in read) return { problem: told(shown, read.problem) };
  if (read.path === '') return { problem: empty };
  if (isWithin(read.path, configDir)) return { problem: config(shown) };
  return isHidden(read.path) ? { problem: hidden(shown) } : read;
}

/** Validates a new data folder; `present` is the current one. */
export function readDataFolder(typed: string, present: VaultPath, configDir: string): ReadFolder {
  const { same, inside } = text.settings.move;
  const read = readFolder(typed, configDir);
  if ('problem' in read) return read;
  if (read.path.toLowerCase() === present.toLowerCase()) return { problem: same(present) };
  return isWithin(read.path, present) ? { problem: inside(clip(read.path)) } : read;
}

/** The kind of content at a target path. */
export type TargetContent = 'free' | 'memory' | 'files' | 'file' | 'outside';

export async function inspectTarget(files: Files, path: VaultPath): Promise<TargetContent> {
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const info = await files.stat(parts.slice(0, depth).join('/'));
    if (info && info.kind !== 'folder') return 'file';
  }
  if (!(await files.isInside(path))) return 'outside';
  if ((await files.list(`${path}/core`)).length > 0) return 'memory';
  return (await files.list(path)).length > 0 ? 'files' : 'free';
}
