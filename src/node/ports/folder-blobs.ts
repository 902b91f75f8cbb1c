import { clip, Refusal } from '../../model/refusal.js';
import type { Blobs } from '../../platform/blobs.js';
import { errorCode, type NodeModules } from '../modules.js';

/** What is being written has this ending until it is whole. */
const UNFINISHED = '.part';
/** What was left unfinished so many milliseconds ago, nobody will finish. */
const LEFT_BEHIND = 3_600_000;

/** The port Blobs over a folder: a file for each record, put in its place by renaming it. */
export function createFolderBlobs(
  { fs, path, crypto }: Pick<NodeModules, 'fs' | 'path' | 'crypto'>,
  folder: string,
): Blobs {
  async function save(name: string, bytes: Uint8Array): Promise<void> {
    const draft = path.join(
      folder,
      `${name}.${crypto.randomBytes(6).toString('hex')}${UNFINISHED}`,
    );
    try {
      await fs.writeFile(draft, bytes, { mode: 0o600 });
      await fs.rename(draft, path.join(folder, name));
    } catch (error) {
      await fs.rm(draft, { force: true }).catch(() => undefined); // the first trouble is the one to tell
      throw error;
    }
  }

  async function removeOld(name: string): Promise<void> {
    const file = path.join(folder, name);
    const info = await fs.stat(file).catch(() => undefined);
    if (info && Date.now() - info.mtimeMs > LEFT_BEHIND) await fs.rm(file, { force: true });
  }

  async function attempt<T>(verb: string, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      throw new Refusal(
        `Cannot ${verb} the search index in "${clip(folder, 300)}" (${code}). Free some space or mend its permissions.`,
        {
          cause: error,
        },
      );
    }
  }

  return {
    names: () =>
      attempt('read', async () => {
        const names = await fs.readdir(folder).catch((error: unknown): string[] => {
          if (errorCode(error) === 'ENOENT') return [];
          throw error;
        });
        await Promise.all(names.filter((name) => name.endsWith(UNFINISHED)).map(removeOld));
        return names.filter((name) => !name.endsWith(UNFINISHED));
      }),
    load: (name) =>
      attempt('read', async () => {
        const bytes = await fs.readFile(path.join(folder, name)).catch((error: unknown) => {
          if (errorCode(error) === 'ENOENT') return undefined;
          throw error;
        });
        if (!bytes) return undefined;
        return bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer
          ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
          : Uint8Array.from(bytes);
      }),
    save: (blobs, obsolete = []) => {
      const own = blobs.map(({ name, bytes }) => ({ name, bytes: bytes.slice() })); // theirs may change while the disk is busy
      return attempt('keep', async () => {
        if (own.length > 0) await fs.mkdir(folder, { recursive: true, mode: 0o700 });
        for (const { name, bytes } of own) await save(name, bytes);
        for (const name of obsolete) await fs.rm(path.join(folder, name), { force: true });
      });
    },
  };
}
