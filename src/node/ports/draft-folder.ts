import type { NodeModules } from '../modules.js';
import { ifNoEntry } from '../system-errors.js';

/** Suffix of a file that is still being written. */
const DRAFT_SUFFIX = '.part';
/** A draft older than this was left by a program that crashed. */
const STALE_DRAFT_MS = 3_600_000;

export type DraftFolder = ReturnType<typeof createDraftFolder>;

/** Renames files into place in a folder, so that no reader sees a half-written one. */
export function createDraftFolder(node: NodeModules, folder: string) {
  const { fs, path } = node;

  async function removeIfStale(name: string): Promise<void> {
    const file = path.join(folder, name);
    const info = await fs.stat(file).catch(() => undefined);
    if (info && Date.now() - info.mtimeMs > STALE_DRAFT_MS) await fs.rm(file, { force: true });
  }

  return {
    /** Returns the complete files; empty without a folder. Removes drafts over an hour old. */
    async names(): Promise<string[]> {
      const names = await fs.readdir(folder).catch(ifNoEntry([]));
      await Promise.all(names.filter((name) => name.endsWith(DRAFT_SUFFIX)).map(removeIfStale));
      return names.filter((name) => !name.endsWith(DRAFT_SUFFIX));
    },
    write: (name: string, bytes: Uint8Array) => replaceFile(node, path.join(folder, name), bytes),
  };
}

/** Replaces a private file through a draft, which does not stay if the disk is full. */
export async function replaceFile(
  { fs, crypto }: Pick<NodeModules, 'fs' | 'crypto'>,
  file: string,
  content: string | Uint8Array,
  isSynced = false,
): Promise<void> {
  const draft = `${file}.${crypto.randomBytes(6).toString('hex')}${DRAFT_SUFFIX}`;
  try {
    await fs.writeFile(draft, content, { mode: 0o600 });
    if (isSynced) await syncFile(fs, draft);
    await fs.rename(draft, file);
  } catch (error) {
    // the first error is the one to report
    await fs.rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function syncFile(fs: NodeModules['fs'], file: string): Promise<void> {
  const handle = await fs.open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces lines through a synced draft. Keeps lines that another process appends meanwhile. */
export async function replaceLines(
  node: Pick<NodeModules, 'fs' | 'crypto'>,
  file: string,
  change: (lines: Uint8Array) => Uint8Array,
  beforeRename: () => Promise<void>,
): Promise<void> {
  const { fs } = node;
  const old = await fs.open(file, 'r').catch(() => undefined);
  try {
    const bytes = await old?.readFile();
    const changed = bytes && change(bytes);
    if (!changed || changed === bytes) return;
    await beforeRename();
    await replaceFile(node, file, changed, true);
    const added = await old?.readFile();
    if (added && added.length > 0) await fs.appendFile(file, change(added));
  } finally {
    await old?.close();
  }
}
