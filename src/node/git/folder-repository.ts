import type { GitHead } from '../../model/states/provenance.js';
import { Refusal } from '../../model/refusal.js';
import type { Commit, GitRepository, TreeChange } from '../../platform/device-access.js';
import { eachInParallel } from '../../platform/parallel.js';
import { errorCode, type NodeModules } from '../modules.js';
import { commitsBetween } from './commit-walk.js';
import { hex, parseIndex, type IndexEntry, type Time } from './git-index.js';
import { GitObjects, type GitCommit } from './git-objects.js';
import type { Problems } from './problems.js';
import { changeOnDisk, filesInTree, sortedByPath, treeChanges } from './tree-changes.js';
import { FOLDER_TYPE, isSameFile, WorkingTree } from './working-tree.js';
import type { FileOnDisk, WorkingTreeOptions } from './working-tree.js';

export interface FolderRepositoryOptions extends Omit<WorkingTreeOptions, 'indexTime'> {
  /** The folder with `HEAD` and `index`. */
  readonly own: string;
  /** The folder with the branches and objects, which worktrees share. */
  readonly common: string;
  readonly head: GitHead;
  /** The folder that was opened, relative to `root`. */
  readonly folder: string;
  readonly problems: Problems;
}

/** Number of files that are read at the same time. */
const READ_WIDTH = 16;
const CHECKSUM_BYTES = 20;

interface Index {
  readonly entries: readonly IndexEntry[];
  readonly writtenAt: Time;
}

/** A tracked file as it was staged and as it is; `file` is undefined if it was deleted. */
interface TrackedFile {
  readonly entry: IndexEntry;
  readonly file: FileOnDisk | undefined;
}

/** A repository on disk, of which one folder is looked at. */
export class FolderRepository implements GitRepository {
  readonly root: string;
  readonly head: GitHead;
  readonly #node: NodeModules;
  readonly #options: FolderRepositoryOptions;
  readonly #objects: GitObjects;
  #index: Promise<Index> | undefined;

  constructor(node: NodeModules, options: FolderRepositoryOptions) {
    this.root = options.root;
    this.head = options.head;
    this.#node = node;
    this.#options = options;
    this.#objects = new GitObjects(node, options.common, options.problems);
  }

  async countUnstaged(): Promise<number> {
    const onDisk = await this.#readFiles('');
    const isUnstaged = ({ entry, file }: TrackedFile) =>
      entry.isUnmerged || entry.isIntended || !file || !isSameFile(entry, file);
    return [...onDisk.values()].filter(isUnstaged).length;
  }

  async resolve(name: string): Promise<string | undefined> {
    return this.#objects.resolve(name);
  }

  async changesSince(from: string, to?: string): Promise<TreeChange[]> {
    const before = await this.#folderIn(from);
    if (to !== undefined) {
      const changes: TreeChange[] = [];
      const steps = treeChanges(this.#objects, before, await this.#folderIn(to));
      for await (const change of steps) changes.push(change);
      return sortedByPath(changes);
    }
    const old = await filesInTree(this.#objects, before);
    const prefix = this.#options.folder === '' ? '' : `${this.#options.folder}/`;
    const onDisk = await this.#readFiles(prefix);
    const paths = new Set([...old.keys(), ...onDisk.keys()]);
    const changes = [...paths].flatMap((path): TreeChange[] => {
      const tracked = onDisk.get(path);
      const change = tracked?.entry.isUnmerged
        ? 'changed'
        : changeOnDisk(old.get(path), tracked?.file);
      return change ? [{ path, change }] : [];
    });
    return sortedByPath(changes);
  }

  async readFile(commit: string, path: string): Promise<Uint8Array | undefined> {
    const { folder } = this.#options;
    const found = await this.#objects.find(commit, `${folder}/${path}`);
    return found && found.mode !== FOLDER_TYPE ? this.#objects.readContent(found.oid) : undefined;
  }

  async commitsSince(
    from: string,
    limit: number,
    isWanted: (path: string) => boolean,
  ): Promise<Commit[]> {
    const { head } = this.head;
    if (head === undefined) throw this.#options.problems('noCommits');
    const commits: Commit[] = [];
    for await (const commit of commitsBetween(this.#objects, head, from)) {
      if (commits.length === limit) break;
      const { id, author, authoredAt, subject } = commit;
      if (await this.#touches(commit, isWanted)) commits.push({ id, author, authoredAt, subject });
    }
    return commits;
  }

  /** Returns true if a commit differs from each parent in a wanted file of the folder. */
  async #touches(commit: GitCommit, isWanted: (path: string) => boolean): Promise<boolean> {
    const after = await this.#folderIn(commit.id);
    const parents = await Promise.all(commit.parents.map((parent) => this.#folderIn(parent)));
    for (const before of parents.length > 0 ? parents : [undefined])
      if (!(await this.#hasWantedChange(before, after, isWanted))) return false;
    return true;
  }

  async #hasWantedChange(
    before: string | undefined,
    after: string | undefined,
    isWanted: (path: string) => boolean,
  ): Promise<boolean> {
    for await (const { path } of treeChanges(this.#objects, before, after))
      if (isWanted(path)) return true;
    return false;
  }

  /** Returns the id of the folder in a commit; undefined if the commit does not have it. */
  async #folderIn(commit: string): Promise<string | undefined> {
    const found = await this.#objects.find(commit, this.#options.folder);
    return found?.mode === FOLDER_TYPE ? found.oid : undefined;
  }

  /** Returns the tracked files below a prefix by path without the prefix. */
  async #readFiles(prefix: string): Promise<Map<string, TrackedFile>> {
    const { entries, writtenAt } = await this.#readIndex();
    const tree = new WorkingTree(this.#node, { ...this.#options, indexTime: writtenAt });
    const files = new Map<string, TrackedFile>();
    const wanted = entries.filter(({ path }) => path.startsWith(prefix));
    await eachInParallel(wanted, READ_WIDTH, async (entry) => {
      const file = await tree.read(entry).catch((error: unknown) => {
        throw unreadableFile(entry.path, error);
      });
      files.set(entry.path.slice(prefix.length), { entry, file });
    });
    return files;
  }

  #readIndex(): Promise<Index> {
    this.#index ??= this.#parseIndex();
    return this.#index;
  }

  async #parseIndex(): Promise<Index> {
    const { problems, own } = this.#options;
    const { fs, path, crypto } = this.#node;
    const file = path.join(own, 'index');
    const info = await fs.stat(file, { bigint: true }).catch(() => undefined);
    // nothing was ever staged
    if (!info) return { entries: [], writtenAt: { seconds: 0, nanoseconds: 0 } };
    const bytes = await fs.readFile(file).catch((error: unknown) => {
      throw unreadableFile('.git/index', error);
    });
    const result = parseIndex(bytes);
    if ('unsupported' in result) throw problems('unsupported', result.unsupported);
    if ('damage' in result) throw problems('damaged', result.damage);
    const content = bytes.subarray(0, -CHECKSUM_BYTES);
    const checksum = hex(bytes.subarray(-CHECKSUM_BYTES));
    const isWritten = /[1-9a-f]/.test(checksum); // git can be told to write zeros
    if (isWritten && crypto.createHash('sha1').update(content).digest('hex') !== checksum)
      throw problems('damaged', 'the checksum of its index is wrong');
    const writtenAt = {
      seconds: Number(BigInt.asUintN(32, info.mtimeNs / 1_000_000_000n)),
      nanoseconds: Number(info.mtimeNs % 1_000_000_000n),
    };
    return { entries: result.entries, writtenAt };
  }
}

/** Replaces the error for a file that this program may not read; returns any other as it is. */
function unreadableFile(path: string, error: unknown): unknown {
  const code = errorCode(error);
  return code === undefined
    ? error
    : new Refusal(
        `Cannot read "${path}" in the git repository: the system reported ${code}. Make it readable for this program, and try again.`,
      );
}
