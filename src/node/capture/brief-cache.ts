import { isJsonObject } from '../../model/event.js';
import { errorCode, type NodeModules } from '../modules.js';
import { createDraftFolder } from '../ports/draft-folder.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto'>;

/** The brief of a workspace as of a moment. */
export interface StoredBrief {
  readonly text: string;
  /** Id of the newest state. */
  readonly stateId?: string | undefined;
}

/** What a brief depends on, apart from what its stamp covers. */
export interface BriefSources {
  /** Absolute paths of files that it compares, and their stamps at that time. */
  readonly files: readonly string[];
  readonly fileStamps: readonly string[];
  /** Milliseconds since 1970 until which it holds; undefined if it does not depend on the time. */
  readonly until: number | undefined;
}

/** Folders of the log whose content a brief depends on. */
const LANES = ['core', 'trace'];

/**
 * Keeps a brief in a small file, so that a hook does not have to read the log while nothing that
 * the brief depends on has changed.
 */
export class BriefCache {
  readonly #node: Modules;
  readonly #folder: string;
  readonly #name: string;

  /**
   * @param deviceFolder The folder of this device's data about the vault.
   * @param key Identifies the workspace and its reader.
   */
  constructor(node: Modules, deviceFolder: string, key: readonly string[]) {
    this.#node = node;
    this.#folder = node.path.join(deviceFolder, 'briefs');
    const hash = node.crypto.createHash('sha256').update(key.join('\n')).digest('hex');
    this.#name = `${hash.slice(0, 32)}.json`;
  }

  /** Returns the brief that was stored with this stamp; undefined if it does not hold any more. */
  async read(stamp: string, now: number): Promise<StoredBrief | undefined> {
    const { fs, path } = this.#node;
    const text = await fs.readFile(path.join(this.#folder, this.#name), 'utf8').catch(() => '');
    const stored = parse(text);
    if (!isJsonObject(stored) || stored['stamp'] !== stamp) return undefined;
    const {
      brief,
      files,
      fileStamps: stamps,
      until,
    } = stored as unknown as BriefSources & {
      readonly brief: StoredBrief;
    };
    const isCurrent =
      (until === undefined || now < until) &&
      (await fileStamps(this.#node, files)).join('\n') === stamps.join('\n');
    return isCurrent ? brief : undefined;
  }

  async write(stamp: string, brief: StoredBrief, sources: BriefSources): Promise<void> {
    await this.#node.fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const bytes = new TextEncoder().encode(JSON.stringify({ stamp, brief, ...sources }));
    await createDraftFolder(this.#node, this.#folder).write(this.#name, bytes);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // it is missing or damaged
  }
}

/**
 * Returns the stamps of the files of the log; none if there is no log.
 *
 * @param dataFolder The absolute path of the folder that contains the memory.
 */
export async function logStamps(node: Modules, dataFolder: string): Promise<string[]> {
  const { fs, path } = node;
  const lanes = LANES.map(async (lane) => {
    const folder = path.join(dataFolder, lane);
    const entries = await fs
      .readdir(folder, { withFileTypes: true, recursive: true })
      .catch(ignoreMissing);
    const files = (entries ?? []).filter((entry) => !entry.isDirectory());
    return fileStamps(
      node,
      files.map(({ parentPath, name }) => path.join(parentPath, name)),
    );
  });
  return (await Promise.all(lanes)).flat().sort();
}

/** Returns texts that change with the files, one for each that can be read. */
export async function fileStamps(
  { fs }: Pick<Modules, 'fs'>,
  files: readonly string[],
): Promise<string[]> {
  const stamps = files.map(async (file) => {
    const stats = await fs.stat(file).catch(() => undefined);
    return stats ? [`${file} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`] : [];
  });
  return (await Promise.all(stamps)).flat();
}

/** A sync client may remove a folder while it is read. */
function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
