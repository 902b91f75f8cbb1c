import { allWorkspaces } from '../../model/lookup.js';
import { DEFAULT_WORKSPACE, registerOf, type Entity, type Memory } from '../../model/memory.js';
import { mapEntries } from '../../model/persistent-map.js';

/** What there is in a memory to do something to. */
export interface Holdings {
  /** Workspaces that are not archived, by their ids. */
  readonly workspaces: ReadonlySet<string>;
  readonly hasWorkspaceToArchive: boolean;
  readonly hasArchivedWorkspace: boolean;
  /** Whether one is not archived, in a workspace that is not. */
  readonly hasState: boolean;
  readonly hasArchivedState: boolean;
}

const known = new WeakMap<Memory, Holdings>();

/** Looked through once for each memory, without reading a state: the palette asks for it for each command. */
export function holdingsOf(memory: Memory): Holdings {
  const held = known.get(memory) ?? lookThrough(memory);
  known.set(memory, held);
  return held;
}

function lookThrough(memory: Memory): Holdings {
  const all = allWorkspaces(memory).map(({ item }) => item);
  const workspaces = new Set(all.filter(({ isArchived }) => !isArchived).map(({ id }) => id));
  const everyId = new Set(all.map(({ id }) => id));
  let [hasState, hasArchivedState] = [false, false];
  for (const [, entity] of mapEntries(memory.entities)) {
    if (hasState && hasArchivedState) break;
    if (entity.created?.t !== 'state.new') continue;
    const workspaceId = workspaceIdOf(entity);
    if (registerOf(entity, '/isArchived') === true) hasArchivedState ||= everyId.has(workspaceId);
    else hasState ||= workspaces.has(workspaceId);
  }
  return {
    workspaces,
    hasState,
    hasArchivedState,
    hasWorkspaceToArchive: all.some(
      ({ id, isArchived }) => !isArchived && id !== DEFAULT_WORKSPACE,
    ),
    hasArchivedWorkspace: all.some(({ isArchived }) => isArchived),
  };
}

function workspaceIdOf({ created }: Entity): string {
  const id = created?.head?.ws ?? created?.d['ws'];
  return typeof id === 'string' ? id : '';
}
