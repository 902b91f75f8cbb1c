import { parseJson } from '../../model/text/json-fields.js';
import { KeptFile } from '../kept-file.js';
import type { NodeModules } from '../modules.js';
import { retryWhileBusy, withLock } from './file-lock.js';
import { ifMissing } from '../system-errors.js';

/** A private file of JSON that several programs change, each time replacing it atomically. */
export class JsonFile {
  readonly #node: NodeModules;
  readonly #file: string;
  readonly #kept: KeptFile<unknown>;

  /** The folder of `file` is created with the first change. */
  constructor(node: NodeModules, file: string) {
    this.#node = node;
    this.#file = file;
    this.#kept = new KeptFile(node, file, () => this.#readNow());
  }

  /** Returns undefined if the file is missing, and null if it is damaged. */
  read(): Promise<unknown> {
    return this.#kept.read();
  }

  async #readNow(): Promise<unknown> {
    const text = await this.#node.fs.readFile(this.#file, 'utf8').catch(ifMissing(undefined));
    return text === undefined ? undefined : (parseJson(text) ?? null);
  }

  /** Stores and returns the result of `change`. Programs that do so at once wait for each other. */
  async update<T>(change: (stored: unknown) => T | Promise<T>): Promise<T> {
    const { fs, path } = this.#node;
    await fs.mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const draftOf = (token: string) => `${this.#file}.${token}`;
    const cleanUp = (token: string) => fs.rm(draftOf(token), { force: true });
    return withLock(this.#node, `${this.#file}.lock`, cleanUp, async ({ token, isHeld }) => {
      const value = await change(await this.#readNow());
      try {
        await fs.writeFile(draftOf(token), JSON.stringify(value), { mode: 0o600 });
        if (await isHeld())
          await retryWhileBusy(this.#node, () => fs.rename(draftOf(token), this.#file));
        else await cleanUp(token);
      } catch (error) {
        await cleanUp(token).catch(() => undefined);
        throw error;
      }
      return value;
    });
  }
}
