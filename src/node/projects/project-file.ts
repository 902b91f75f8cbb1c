import { isJsonObject } from '../../model/event.js';
import type { NodeModules } from '../modules.js';
import { JsonFile } from '../ports/json-file.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>;

const FILE_NAME = 'projects.json';
const MAX_PROJECTS = 1000;

interface ProjectEntry {
  /** Id of the workspace that the project last entered. */
  readonly workspace: string;
  /** When it was stored, as an ISO time. */
  readonly at: string;
}

/**
 * A file in the vault's state folder with the workspace that each project on this device last
 * entered.
 */
export class ProjectFile {
  readonly #file: JsonFile;

  /** @param folder The folder outside the vault for this device's data about it. */
  constructor(node: Modules, folder: string) {
    this.#file = new JsonFile(node, node.path.join(folder, FILE_NAME));
  }

  /**
   * Returns the id of the workspace that a project last entered; undefined if it has not entered
   * any.
   */
  async workspaceOf(key: string): Promise<string | undefined> {
    return entriesIn(await this.#file.read()).get(key)?.workspace;
  }

  /**
   * Stores the workspace that a project has used. Programs that do so at the same time wait for
   * each other.
   */
  async setWorkspace(key: string, workspace: string, at: string): Promise<void> {
    await this.#file.update((stored) => {
      const projects = entriesIn(stored);
      projects.delete(key);
      projects.set(key, { workspace, at }); // the latest one is last
      return Object.fromEntries([...projects].slice(-MAX_PROJECTS));
    });
  }
}

/**
 * Returns the entries by the projects' keys, the one stored last at the end. A damaged file counts
 * as empty.
 */
function entriesIn(stored: unknown): Map<string, ProjectEntry> {
  const entries = isJsonObject(stored) ? Object.entries(stored) : [];
  return new Map(entries.flatMap(([key, value]) => (isEntry(value) ? [[key, value]] : [])));
}

function isEntry(value: unknown): value is ProjectEntry {
  if (!isJsonObject(value)) return false;
  return typeof value['workspace'] === 'string' && typeof value['at'] === 'string';
}
