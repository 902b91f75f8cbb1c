import { isHidden, isWithin, joinPath } from '../../model/paths.js';
import { hasSettled } from '../../platform/files.js';
import { errorCode, type NodeModules } from '../modules.js';

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

/** Lists and reads text files of a vault, and those elsewhere that agents name. Skips links. */
export class VaultTexts {
  readonly #node: NodeModules;
  readonly #options: VaultTextsOptions;

  constructor(node: NodeModules, options: VaultTextsOptions) {
    this.#node = node;
    this.#options = options;
  }

  /** Lists all files below a folder (`''`: the vault). Stamps of very recent changes are empty. */
  async list(start: string): Promise<{ path: string; stamp: string }[]> {
    const { fs, path } = this.#node;
    const files: { path: string; stamp: string }[] = [];
    const folders = [start];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const full = path.join(this.#options.vault, folder);
      const entries = await fs.readdir(full, { withFileTypes: true }).catch(ifMissing([]));
      for (const entry of entries) {
        const inner = joinPath(folder, entry.name);
        if (entry.isDirectory() && this.#isTracked(inner)) folders.push(inner);
        else if (entry.isFile() && this.#isTracked(inner) && TEXT_ENDING.test(inner)) {
          const info = await fs
            .lstat(path.join(this.#options.vault, inner))
            .catch(ifMissing(undefined));
          if (!info || info.size > MAX_BYTES) continue;
          const { size, mtimeMs, ino } = info;
          const stamp = hasSettled(mtimeMs, Date.now()) ? `${size}-${mtimeMs}-${ino}` : '';
          files.push({ path: inner, stamp });
        }
      }
    }
    return files;
  }

  /** Returns undefined for a file that does not exist or is not tracked. */
  async read(file: string): Promise<string | undefined> {
    if (!this.#isTracked(file) || !TEXT_ENDING.test(file)) return undefined;
    return this.#read(file);
  }

  /** Returns undefined for a file that does not exist or is not text. */
  async readOutside(file: string): Promise<string | undefined> {
    const text = await this.#read(file);
    return text?.includes('\0') ? undefined : text;
  }

  /** Writes a file anywhere on the disk; undefined removes it. */
  async editOutside(
    file: string,
    change: (current: string | undefined) => string | undefined,
  ): Promise<void> {
    const { fs } = this.#node;
    const full = this.#fullPath(file);
    const current = await this.readOutside(file);
    const changed = change(current);
    if (changed === current) return;
    if (changed === undefined) await fs.rm(full);
    else await fs.writeFile(full, changed);
  }

  async #read(file: string): Promise<string | undefined> {
    const { fs } = this.#node;
    const full = this.#fullPath(file);
    const info = await fs.lstat(full).catch(ifMissing(undefined));
    if (!info?.isFile() || info.size > MAX_BYTES) return undefined;
    return fs.readFile(full, 'utf8').catch(ifMissing(undefined));
  }

  #fullPath(file: string): string {
    return this.#node.path.resolve(this.#options.vault, file);
  }

  #isTracked(file: string): boolean {
    const { protectedFolders, excludedFolders } = this.#options;
    if (excludedFolders().some((folder) => isWithin(file, folder))) return false;
    if (protectedFolders.some((folder) => isWithin(file, folder))) return !LAYOUT_FILE.test(file);
    return !isHidden(file);
  }
}

/** Returns a handler that turns the absence of a file into a value. */
function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return value;
    throw error;
  };
}
