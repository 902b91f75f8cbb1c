import { eachState, type Named } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { isWithin, toVaultPath, type VaultPath } from '../../../model/paths.js';
import { Refusal } from '../../../model/refusal.js';
import type { State } from '../../../model/state.js';
import type { Workspace } from '../../../model/workspace.js';
import { isNote } from '../../../indexing/notes/note-source.js';
import { createLinkTargets, pathKey } from '../../../search/index.js';
import type { ClientProject } from '../../../toolkit/context-defaults.js';
import type { Services } from '../../services.js';

export const READ_BATCH_SIZE = 16;

/** A whole workspace, or one file of it. */
export interface ValidationScope {
  readonly memory: Memory;
  readonly workspace: Workspace;
  /** Undefined for the whole workspace. */
  readonly path: VaultPath | undefined;
  /** The project in which the client works, if any. */
  readonly project?: ClientProject | undefined;
  readonly signal: AbortSignal | undefined;
}

export type RuleContext = ReturnType<typeof createRuleContext>;

/** Adds the data that the rules check to a scope. Each method reads its data once. */
export function createRuleContext(services: Services, scope: ValidationScope) {
  const { memory, workspace, path, signal } = scope;
  const { source, scheduler, skippedFolders, maxNoteBytes } = services.search.access;
  /** Yields to other tasks if that is due. Throws a `Refusal` if the call was cancelled. */
  const checkpoint = async () => {
    await scheduler.yieldIfDue();
    if (signal?.aborted) throw new Refusal('The call was cancelled. Nothing was changed.');
  };
  const listing = once(() => source.list(() => false));
  return {
    ...scope,
    services,
    checkpoint,
    /** Excludes archived states. */
    states: once(async () => {
      const states: Named<State>[] = [];
      for (const named of eachState(memory, workspace.id)) {
        if (!named.item.isArchived) states.push(named);
        await checkpoint();
      }
      return states;
    }),
    /** All paths, even in excluded folders, because links to them are not broken. */
    files: once(async () => (await listing()).files),
    targets: once(async () => {
      const targets = createLinkTargets();
      for (const file of (await listing()).files) {
        targets.add(file);
        await checkpoint();
      }
      return targets;
    }),
    /** The notes of the scope, except excluded ones and those too large to be indexed. */
    notes: once(async () => {
      const root = toVaultPath(workspace.rootFolder);
      const skipped = await skippedFolders();
      const isReadable = (note: VaultPath) =>
        isNote(note) && !skipped.some((folder) => isWithin(note, folder));
      const isInScope = (note: VaultPath) =>
        path === undefined
          ? root !== undefined && isWithin(note, root)
          : pathKey(note) === pathKey(path);
      return (await listing()).notes.filter(
        (note) => isReadable(note.path) && isInScope(note.path) && note.size <= maxNoteBytes,
      );
    }),
  };
}

function once<T>(task: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= task());
}
