import { isCommitId } from '../../model/states/provenance.js';
import { Refusal } from '../../model/refusal.js';
import type { Commit } from '../../platform/device-access.js';
import type { NodeModules } from '../modules.js';
import { exists } from '../real-path.js';
import type { Problems } from './problems.js';
import { FOLDER_TYPE, type TreeFile } from './working-tree.js';

type Library = typeof import('./isomorphic.js');
type LibraryAccess = Pick<Parameters<Library['readTree']>[0], 'fs' | 'gitdir' | 'cache'>;

/** Maximum size of a pack, which the library reads as a whole. */
export const MAX_PACK_BYTES = 256 * 1024 * 1024;
const SHORTEST_COMMIT_ID = 4;

/** A commit with what is needed to walk and compare commits. */
export interface GitCommit extends Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Seconds since 1970 at which it was committed. */
  readonly committedAt: number;
}

/** Reads commits, folders and contents. `gitdir` is the folder with the branches and objects. */
export class GitObjects {
  readonly #node: NodeModules;
  readonly #gitdir: string;
  readonly #problems: Problems;
  readonly #cache = {};
  readonly #commits = new Map<string, Promise<GitCommit>>();
  #library: Promise<Library> | undefined;

  constructor(node: NodeModules, gitdir: string, problems: Problems) {
    this.#node = node;
    this.#gitdir = gitdir;
    this.#problems = problems;
  }

  /** Resolves a commit id, its beginning, a branch or a tag; undefined if there is none. */
  async resolve(name: string): Promise<string | undefined> {
    const candidates = [this.#expand(name), this.#resolveRef(name)];
    for (const candidate of candidates) {
      const id = await candidate;
      const commit = id === undefined ? undefined : await this.readCommit(id).catch(ifRefused);
      if (commit) return commit.id;
    }
    return undefined;
  }

  readCommit(id: string): Promise<GitCommit> {
    const known = this.#commits.get(id);
    const read =
      known ??
      this.#read(id, async (git, options) => {
        const { oid, commit } = await git.readCommit(options);
        const { author, committer, message, tree, parent } = commit;
        return {
          id: oid,
          tree,
          parents: parent,
          author: author.name,
          authoredAt: new Date(author.timestamp * 1000).toISOString(),
          committedAt: committer.timestamp,
          subject: message.split('\n', 1)[0] ?? '',
        };
      });
    this.#commits.set(id, read);
    return read;
  }

  readTree(oid: string): Promise<(TreeFile & { readonly name: string })[]> {
    return this.#read(oid, async (git, options) => {
      const { tree } = await git.readTree(options);
      return tree.map((entry) => ({
        name: entry.path,
        mode: parseInt(entry.mode, 8),
        oid: entry.oid,
      }));
    });
  }

  readContent(oid: string): Promise<Uint8Array> {
    return this.#read(oid, async (git, options) => (await git.readBlob(options)).blob);
  }

  /** Returns what a path (`''` for the root) is in a commit; undefined if it is not there. */
  async find(commit: string, path: string): Promise<TreeFile | undefined> {
    const { tree } = await this.readCommit(commit);
    let found: TreeFile | undefined = { mode: FOLDER_TYPE, oid: tree };
    for (const part of path.split('/').filter((name) => name !== '')) {
      if (found?.mode !== FOLDER_TYPE) return undefined;
      found = (await this.readTree(found.oid)).find(({ name }) => name === part);
    }
    return found;
  }

  async #expand(name: string): Promise<string | undefined> {
    if (isCommitId(name)) return name;
    if (name.length < SHORTEST_COMMIT_ID || !/^[0-9a-f]+$/.test(name)) return undefined;
    const { expandOid } = await this.#load();
    // none or several begin with it
    return expandOid({ ...this.#access(), oid: name }).catch(() => undefined);
  }

  async #resolveRef(name: string): Promise<string | undefined> {
    const isSafe = /^[^\s\p{C}\\~^:?*[]+$/u.test(name) && !name.split('/').includes('..');
    if (!isSafe) return undefined;
    const { resolveRef } = await this.#load();
    // there is no such branch or tag
    return resolveRef({ ...this.#access(), ref: name }).catch(() => undefined);
  }

  async #read<T>(
    oid: string,
    task: (git: Library, options: LibraryAccess & { readonly oid: string }) => Promise<T>,
  ): Promise<T> {
    const git = await this.#load();
    try {
      return await task(git, { ...this.#access(), oid });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const what =
        error instanceof git.Errors.NotFoundError
          ? await this.#missing(oid)
          : this.#problems('damaged', `the object ${oid.slice(0, 10)} cannot be read`);
      throw what;
    }
  }

  /** Returns the reason why an object is missing. */
  async #missing(oid: string): Promise<Refusal> {
    const has = (file: string) => exists(this.#node, this.#node.path.join(this.#gitdir, file));
    if (await has('objects/info/alternates'))
      return this.#problems('unsupported', 'borrows objects from another repository');
    if (await has('shallow'))
      return this.#problems('unsupported', `is a shallow clone without ${oid.slice(0, 10)}`);
    return this.#problems('damaged', `the object ${oid.slice(0, 10)} is missing`);
  }

  #load(): Promise<Library> {
    this.#library ??= import('./isomorphic.js');
    return this.#library;
  }

  #access(): LibraryAccess {
    return { fs: this.#fs(), gitdir: this.#gitdir, cache: this.#cache };
  }

  async #checkPack(file: string): Promise<void> {
    const { size } = await this.#node.fs.stat(file);
    if (size <= MAX_PACK_BYTES) return;
    const megabytes = Math.ceil(size / 1024 / 1024);
    throw this.#problems('unsupported', `has a pack file of ${megabytes} MB`);
  }

  /** A read-only file system for the library. */
  #fs() {
    const { fs } = this.#node;
    const refuse = () => Promise.reject(new Error('The repository is only read'));
    const readFile = async (file: string, options?: Parameters<typeof fs.readFile>[1]) => {
      if (file.endsWith('.pack')) await this.#checkPack(file);
      return fs.readFile(file, options);
    };
    return {
      promises: {
        readFile,
        stat: fs.stat,
        lstat: fs.lstat,
        readdir: fs.readdir,
        readlink: fs.readlink,
        writeFile: refuse,
        mkdir: refuse,
        rmdir: refuse,
        unlink: refuse,
        symlink: refuse,
      },
    };
  }
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
  return undefined; // what the name stands for is no commit, or is missing
}
