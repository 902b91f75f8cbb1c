import type { LastLine } from '../storage/index.js';
import type { NodeModules } from './modules.js';
import { ifMissing } from './system-errors.js';

/** Name of the file that says up to which line the copies lack those of a writer. */
const NAME = /^lacks-([a-z0-9]{12})-(\d{1,15})-([0-9a-f]{32})$/;

/**
 * Stores in a file's name up to which line the copies lack those of a writer, or removes the file.
 * On a full disk, renames a file with heads, which can be made again.
 */
export async function storeLacking(
  { fs, path }: NodeModules,
  folder: string,
  writer: string,
  last: LastLine | undefined,
): Promise<void> {
  const names = await namesIn(fs, folder);
  const before = names.find((name) => NAME.exec(name)?.[1] === writer);
  const after = last && path.join(folder, `lacks-${writer}-${last.n}-${last.hash}`);
  if (before === undefined && after !== undefined)
    await fs.writeFile(after, '', { mode: 0o600 }).catch(async (error: unknown) => {
      const heads = names.find((name) => name.endsWith('-heads.json'));
      if (heads === undefined) throw error;
      await fs.rename(path.join(folder, heads), after);
    });
  else if (before !== undefined && after !== undefined)
    await fs.rename(path.join(folder, before), after);
  else if (before !== undefined) await fs.rm(path.join(folder, before), { force: true });
}

/** Returns up to which line the copies in this folder lack them, by writer. */
export async function readLacking(
  { fs }: NodeModules,
  folder: string,
): Promise<ReadonlyMap<string, LastLine>> {
  const found = (await namesIn(fs, folder)).map((name) => NAME.exec(name));
  return new Map(
    found.flatMap((parts) => {
      const [, writer = '', n, hash = ''] = parts ?? [];
      return parts ? [[writer, { n: Number(n), hash }]] : [];
    }),
  );
}

async function namesIn(fs: NodeModules['fs'], folder: string): Promise<string[]> {
  return fs.readdir(folder).catch(ifMissing([]));
}
