import { compareText } from '../../../model/event.js';
import type { Named } from '../../../model/lookup.js';
import { joinPath, PROJECT_PREFIX, type VaultPath } from '../../../model/paths.js';
import { recordedDigest } from '../../../model/states/provenance.js';
import { refusalText } from '../../../model/refusal.js';
import type { State } from '../../../model/state.js';
import type { Workspace } from '../../../model/workspace.js';
import type { GitRepository, TreeChangeKind } from '../../../platform/device-access.js';
import { sha256 } from '../../../platform/sha256.js';
import type { ClientProject } from '../../../toolkit/context-defaults.js';
import { projectAccess } from '../../shared/active-files.js';
import { createPathFilter } from '../../shared/readable-notes.js';
import type { Services } from '../../services.js';
import {
  compareWithContents,
  compareWithNow,
  compareWithState,
  type HashResult,
} from './compared-files.js';
import { MAX_COMPARED_BYTES } from './changed-lines.js';
import { openWorkspaceRepository } from './repositories.js';

/** A point in time at which files are compared. */
export type Side =
  { readonly now: true } | { readonly state: Named<State> } | { readonly commit: string };

interface OpenedRepository {
  readonly repository?: GitRepository;
  /** Why there is no repository. */
  readonly reason?: string;
  readonly folder: VaultPath;
}

/** Compares a workspace's files at two times, by hashes of active files and by commits. */
export class Comparison {
  readonly #services: Services;
  readonly #opened: OpenedRepository;
  readonly #project: ClientProject | undefined;
  /** True for a vault path that agents may see. */
  readonly isWanted: (path: VaultPath) => boolean;

  private constructor(
    services: Services,
    opened: OpenedRepository,
    project: ClientProject | undefined,
    isWanted: (path: VaultPath) => boolean,
  ) {
    this.#services = services;
    this.#opened = opened;
    this.#project = project;
    this.isWanted = isWanted;
  }

  /** Opens the repository of a workspace, if there is one that may and can be read. */
  static async open(
    services: Services,
    workspace: Workspace,
    project: ClientProject | undefined,
  ): Promise<Comparison> {
    const opened = await openWorkspaceRepository(services, workspace).catch((error: unknown) => ({
      reason: refusalText(error),
      folder: '',
    }));
    return new Comparison(services, opened, project, await createPathFilter(services));
  }

  /** Returns the commit, or why it cannot be looked up; neither if there is no such commit. */
  async findCommit(
    name: string,
  ): Promise<{ readonly commit?: string | undefined; readonly reason?: string | undefined }> {
    const { repository, reason } = this.#opened;
    return repository ? { commit: await repository.resolve(name) } : { reason };
  }

  /** Compares the files of a state. `reason`: why commits were not compared. */
  async compare({ item: state }: Named<State>, to: Side) {
    const byCommit = await this.#compareCommits(state, to);
    const changes = new Map(byCommit.changes);
    const unknown: string[] = [];
    for (const [path, result] of await this.#compareHashes(state, to)) {
      if (result === 'same') changes.delete(path);
      else if (result !== 'unknown') changes.set(path, result);
      else if (byCommit.reason !== undefined || !this.#isInFolder(path)) unknown.push(path);
    }
    const { reason } = byCommit;
    return {
      /** The files that differ, sorted by vault path (or `project:` path). */
      changes: new Map([...changes].sort(([a], [b]) => compareText(a, b))),
      /** Active files without known content to compare. */
      unknown,
      reason,
      /** `hash`: only the active files of states were compared. */
      comparedBy: reason === undefined ? 'commit' : 'hash',
    };
  }

  async read(side: Side, path: string): Promise<Uint8Array | undefined> {
    if ('commit' in side) return this.#readFromCommit(side.commit, path);
    if ('now' in side) return this.#readNow(path);
    const { git, files } = side.state.item;
    if (git?.head === undefined) return undefined;
    const bytes = await this.#readFromCommit(git.head, path);
    const recorded = recordedDigest(files, path);
    // The file may have had changes that were not committed when the state was saved.
    const isOther =
      recorded && !recorded.sampled && bytes && (await sha256(bytes)) !== recorded.sha256;
    return isOther ? undefined : bytes;
  }

  /** Reads one byte more than can be compared. Does not follow a link out of the vault. */
  async #readNow(path: string): Promise<Uint8Array | undefined> {
    const { files } = this.#services;
    const isInVault = !path.startsWith(PROJECT_PREFIX) && (await files.isInside(path));
    return isInVault ? files.read(path, 0, MAX_COMPARED_BYTES + 1) : undefined;
  }

  async #compareCommits(
    state: State,
    to: Side,
  ): Promise<{ changes: Map<string, TreeChangeKind>; reason?: string }> {
    const changes = new Map<string, TreeChangeKind>();
    const { repository, folder, reason } = this.#opened;
    if (!repository) return { changes, reason: reason ?? '' };
    const before = state.git?.head;
    if (before === undefined) return { changes, reason: noCommit(state) };
    const isUncommitted = 'state' in to && to.state.item.git?.head === undefined;
    if (isUncommitted) return { changes, reason: noCommit(to.state.item) };
    try {
      for (const { path, change } of await repository.changesSince(before, commitOf(to))) {
        const vaultPath = joinPath(folder, path);
        if (this.isWanted(vaultPath)) changes.set(vaultPath, change);
      }
      return { changes };
    } catch (error) {
      return { changes: new Map(), reason: refusalText(error) };
    }
  }

  #compareHashes(state: State, to: Side): Promise<Map<string, HashResult>> {
    if ('commit' in to)
      return compareWithContents(state, (path) => this.#readFromCommit(to.commit, path));
    if ('state' in to) return Promise.resolve(compareWithState(state, to.state.item));
    return compareWithNow(projectAccess(this.#services, this.#project, state), state);
  }

  async #readFromCommit(commit: string, path: string): Promise<Uint8Array | undefined> {
    const { repository, folder } = this.#opened;
    if (!repository || !this.#isInFolder(path)) return undefined;
    return repository.readFile(commit, folder === '' ? path : path.slice(folder.length + 1));
  }

  #isInFolder(path: string): boolean {
    const { folder } = this.#opened;
    if (path.startsWith(PROJECT_PREFIX)) return false;
    return folder === '' || path.startsWith(`${folder}/`);
  }
}

function commitOf(side: Side): string | undefined {
  if ('commit' in side) return side.commit;
  return 'state' in side ? side.state.item.git?.head : undefined;
}

function noCommit({ name }: State): string {
  return `State "${name}" was saved outside of a git repository.`;
}
