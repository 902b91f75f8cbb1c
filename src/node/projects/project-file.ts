import { isJsonObject } from '../../model/event.js';
import { errorCode, type NodeModules } from '../modules.js';
import { retryWhileBusy, withLock } from '../ports/file-lock.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>;

const FILE_NAME = 'projects.json';
const MAX_PROJECTS = 1000;

interface ProjectEntry {
  /** Id of the workspace that the project last entered. */
  readonly workspace: string;
  /** When it was stored, as an ISO time. */
  readonly at: string;
}

/** A file in the vault's state folder with the workspace that each project on this device last entered. */
export class ProjectFile {
  readonly #node: Modules;
  readonly #folder: string;

  /** @param folder The folder outside the vault for this device's data about it. */
  constructor(node: Modules, folder: string) {
    this.#node = node;
    this.#folder = folder;
  }

  /** Returns the id of the workspace that a project last entered; undefined if it has not entered any. */
  async workspaceOf(key: string): Promise<string | undefined> {
    return (await this.#read()).get(key)?.workspace;
  }

  /** Stores the workspace that a project has used. Programs that do so at the same time wait for each other. */
  async setWorkspace(key: string, workspace: string, at: string): Promise<void> {
    const { fs, path } = this.#node;
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.#folder, FILE_NAME);
    const draftOf = (token: string) => `${file}.${token}`;
    const cleanUp = (token: string) => fs.rm(draftOf(token), { force: true });
    await withLock(this.#node, `${file}.lock`, cleanUp, async ({ token, isHeld }) => {
      const projects = await this.#read();
      projects.delete(key);
      projects.set(key, { workspace, at }); // the latest one is last
      const newest = [...projects].slice(-MAX_PROJECTS);
      await fs.writeFile(draftOf(token), JSON.stringify(Object.fromEntries(newest)), {
        mode: 0o600,
      });
      if (await isHeld()) await retryWhileBusy(this.#node, () => fs.rename(draftOf(token), file));
      else await cleanUp(token);
    });
  }

  /** Returns the entries by the projects' keys, the one stored last at the end. A damaged file counts as empty. */
  async #read(): Promise<Map<string, ProjectEntry>> {
    const { fs, path } = this.#node;
    try {
      const stored: unknown = JSON.parse(
        await fs.readFile(path.join(this.#folder, FILE_NAME), 'utf8'),
      );
      const entries = isJsonObject(stored) ? Object.entries(stored) : [];
      return new Map(entries.flatMap(([key, value]) => (isEntry(value) ? [[key, value]] : [])));
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return new Map();
      throw error;
    }
  }
}

function isEntry(value: unknown): value is ProjectEntry {
  if (!isJsonObject(value)) return false;
  return typeof value['workspace'] === 'string' && typeof value['at'] === 'string';
}
