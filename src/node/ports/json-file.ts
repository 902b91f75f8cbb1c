import { parseJson } from '../../model/text/json-fields.js';
import { keepFile } from '../kept-file.js';
import type { NodeModules } from '../modules.js';
import { retryWhileBusy, withLock } from './file-lock.js';
import { ifMissing } from '../system-errors.js';

export type JsonFile = ReturnType<typeof createJsonFile>;

/**
 * Returns a private file of JSON that several programs change, each time replacing it atomically.
 * Its folder is created with the first change.
 */
export function createJsonFile(node: NodeModules, file: string) {
  const { fs, path } = node;

  async function readNow(): Promise<unknown> {
    const text = await fs.readFile(file, 'utf8').catch(ifMissing(undefined));
    return text === undefined ? undefined : (parseJson(text) ?? null);
  }

  return {
    /** Returns undefined if the file is missing, and null if it is damaged. */
    read: keepFile(node, file, readNow),
    /** Stores and returns what `change` returns. Programs that do so at once wait in turn. */
    async update<T>(change: (stored: unknown) => T | Promise<T>): Promise<T> {
      await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const draftOf = (token: string) => `${file}.${token}`;
      const cleanUp = (token: string) => fs.rm(draftOf(token), { force: true });
      return withLock(node, `${file}.lock`, cleanUp, async ({ token, isHeld }) => {
        const value = await change(await readNow());
        try {
          await fs.writeFile(draftOf(token), JSON.stringify(value), { mode: 0o600 });
          if (await isHeld()) await retryWhileBusy(node, () => fs.rename(draftOf(token), file));
          else await cleanUp(token);
        } catch (error) {
          await cleanUp(token).catch(() => undefined);
          throw error;
        }
        return value;
      });
    },
  };
}
