import { eachState, type Named } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { isWithin, toVaultPath, type VaultPath } from '../../../model/paths.js';
import type { State } from '../../../model/state.js';
import type { Workspace } from '../../../model/workspace.js';
import { pathKey } from '../../../search/index.js';
import type { ClientProject } from '../../../toolkit/context-defaults.js';
import type { Services } from '../../services.js';
import { once, openVaultNotes } from '../../shared/readable-notes.js';

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
  const { memory, workspace, path } = scope;
  const vault = openVaultNotes(services, scope.signal);
  return {
    ...scope,
    ...vault,
    services,
    /** Excludes archived states. */
    states: once(async () => {
      const states: Named<State>[] = [];
      for (const named of eachState(memory, workspace.id)) {
        if (!named.item.isArchived) states.push(named);
        await vault.checkpoint();
      }
      return states;
    }),
    /** The readable notes of the scope. */
    notes: once(async () => {
      const root = toVaultPath(workspace.rootFolder);
      const isInScope = (note: VaultPath) =>
        path === undefined
          ? root !== undefined && isWithin(note, root)
          : pathKey(note) === pathKey(path);
      return (await vault.notes()).filter((note) => isInScope(note.path));
    }),
  };
}
