import type { WorkspaceSummary } from '../../capture/session-brief.js';
import type { Trace } from '../../model/trace.js';
import { parseJsonObject } from '../../model/text/json-fields.js';
import { errorCode, type NodeModules } from '../modules.js';
import { createDraftFolder } from '../ports/draft-folder.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto'>;

/** Facts from the log about a workspace, for a brief. */
export interface WorkspaceNews {
  readonly summary: WorkspaceSummary;
  /** Its newest checkpoints, newest first. */
  readonly checkpoints: readonly Trace[];
}

/** Folders of the log whose content a brief depends on. */
const LANES = ['core', 'trace'];

/**
 * Keeps what a brief needs of a workspace in a small file, so that a hook does not have to read the
 * log while nothing has been written to it. A hook that finds no such file, or one of another
 * content of the log, reads the log.
 */
export class SummaryCache {
  readonly #node: Modules;
  readonly #folder: string;
  readonly #name: string;

  /** @param deviceFolder The folder of this device's data about the vault. */
  constructor(node: Modules, deviceFolder: string, workspaceId: string) {
    this.#node = node;
    this.#folder = node.path.join(deviceFolder, 'briefs');
    const hash = node.crypto.createHash('sha256').update(workspaceId).digest('hex');
    this.#name = `${hash.slice(0, 32)}.json`;
  }

  /** Returns what was stored with this fingerprint; undefined if nothing was. */
  async read(fingerprint: string): Promise<WorkspaceNews | undefined> {
    const { fs, path } = this.#node;
    const text = await fs.readFile(path.join(this.#folder, this.#name), 'utf8').catch(() => '');
    const stored = parseJsonObject(text);
    return stored?.['fingerprint'] === fingerprint
      ? (stored['news'] as unknown as WorkspaceNews)
      : undefined;
  }

  async write(fingerprint: string, news: WorkspaceNews): Promise<void> {
    await this.#node.fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const bytes = new TextEncoder().encode(JSON.stringify({ fingerprint, news }));
    await createDraftFolder(this.#node, this.#folder).write(this.#name, bytes);
  }
}

/**
 * Returns a text that changes with the files of the log, by their names, sizes and times of change;
 * undefined if there is no log.
 *
 * @param dataFolder The absolute path of the folder that contains the memory.
 * @param version The version of this program, which may read the same files in another way.
 */
export async function logFingerprint(
  node: Modules,
  dataFolder: string,
  version: string,
): Promise<string | undefined> {
  const { path, crypto } = node;
  const lanes = LANES.map((lane) => filesIn(node, path.join(dataFolder, lane)));
  const files = (await Promise.all(lanes)).flat();
  if (files.length === 0) return undefined;
  const lines = [version, ...files.sort()].join('\n');
  return crypto.createHash('sha256').update(lines).digest('hex');
}

async function filesIn(
  { fs, path }: Pick<Modules, 'fs' | 'path'>,
  folder: string,
): Promise<string[]> {
  const entries = (await fs.readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  const lists = entries.map(async (entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesIn({ fs, path }, file);
    const stats = await fs.stat(file).catch(ignoreMissing);
    return stats ? [`${file} ${stats.size} ${stats.mtimeMs}`] : [];
  });
  return (await Promise.all(lists)).flat();
}

/** A sync client may remove a file while the folder is read. */
function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
