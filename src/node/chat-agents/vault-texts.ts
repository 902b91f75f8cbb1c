import type { FileContent } from '../../acp/changes/tracked-files.js';
import { isHidden, isWithin, joinPath } from '../../model/paths.js';
import { hasSettled } from '../../platform/files.js';
import type { NodeModules } from '../modules.js';
import { ifMissing } from '../system-errors.js';

export interface VaultTextsOptions {
  /** An absolute path. */
  readonly vault: string;
  /** Tracked even if hidden: agents may change the app's settings and the memory without asking. */
  readonly protectedFolders: readonly string[];
  readonly excludedFolders: () => readonly string[];
}

/** Larger files are not copied, so that their changes cannot be undone. */
export const MAX_BYTES = 1024 * 1024;
/** The app rewrites these settings whenever a tab or a panel is moved. */
const LAYOUT_FILE = /(?:^|\/)workspace(?:-mobile)?\.json$/u;
const TEXT_ENDING = /\.(?:md|markdown|txt|canvas|base|json|jsonl|csv|css|html|xml|ya?ml|js|ts)$/iu;

export type VaultTexts = ReturnType<typeof createVaultTexts>;

/** Lists text files of a vault, and reads them and other files that agents name. Skips links. */
export function createVaultTexts(node: NodeModules, options: VaultTextsOptions) {
  const { fs, path } = node;
  const { vault, protectedFolders, excludedFolders } = options;

  const fullPath = (file: string) => path.resolve(vault, file);

  /** Returns true for a file of which no copy may be made. */
  function isExcluded(file: string): boolean {
    return excludedFolders().some((folder) => isWithin(file, folder));
  }

  function isOpen(file: string): boolean {
    if (isExcluded(file)) return false;
    if (protectedFolders.some((folder) => isWithin(file, folder))) return !LAYOUT_FILE.test(file);
    return !isHidden(file);
  }

  function isTracked(file: string): boolean {
    return !path.isAbsolute(file) && isOpen(file) && TEXT_ENDING.test(file);
  }

  return {
    isExcluded,
    isTracked,
    /** Lists the files below a folder (`''`: the vault). Stamps of very recent ones are empty. */
    async list(start: string): Promise<{ path: string; stamp: string }[]> {
      const files: { path: string; stamp: string }[] = [];
      const folders = [start];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        const full = path.join(vault, folder);
        const entries = await fs.readdir(full, { withFileTypes: true }).catch(ifMissing([]));
        for (const entry of entries) {
          const inner = joinPath(folder, entry.name);
          if (entry.isDirectory() && isOpen(inner)) folders.push(inner);
          else if (entry.isFile() && isTracked(inner)) {
            const info = await fs.lstat(fullPath(inner)).catch(ifMissing(undefined));
            if (!info || info.size > MAX_BYTES) continue;
            const stamp = hasSettled(info.mtimeMs, Date.now()) ? versionOf(info) : '';
            files.push({ path: inner, stamp });
          }
        }
      }
      return files;
    },
    /** Returns undefined if there is no file, and for a link. */
    async read(file: string): Promise<FileContent | undefined> {
      const full = fullPath(file);
      const info = await fs.lstat(full).catch(ifMissing(undefined));
      if (!info?.isFile()) return undefined;
      if (info.size > MAX_BYTES) return { version: versionOf(info) };
      return fs.readFile(full).catch(ifMissing(undefined));
    },
    /** Writes a file anywhere on the disk; undefined removes it. */
    async write(file: string, bytes: Uint8Array | undefined): Promise<void> {
      await (bytes ? fs.writeFile(fullPath(file), bytes) : fs.rm(fullPath(file)));
    },
    /** Returns true if a file of the vault is a link or in a folder that is one. */
    async isLinked(file: string): Promise<boolean> {
      for (let at = file; at !== '.'; at = path.posix.dirname(at)) {
        const info = await fs.lstat(fullPath(at)).catch(ifMissing(undefined));
        if (info?.isSymbolicLink()) return true;
      }
      return false;
    },
  };
}

/** Returns what changes whenever a file does. */
function versionOf({ size, mtimeMs, ino }: Record<'size' | 'mtimeMs' | 'ino', number>): string {
  return `${size}-${mtimeMs}-${ino}`;
}
