import { isJsonObject, type JsonObject } from '../../model/event.js';
import { objectAt, textIn } from '../../model/text/json-fields.js';

export interface ListFilter {
  readonly filter: string;
  /** True to show archived items instead of active ones. */
  readonly isArchived: boolean;
}

/** Ids of what is shown: all workspaces, one, a record, a state, or a comparison of two states. */
export interface MemoryPlace {
  readonly workspace?: string | undefined;
  readonly state?: string | undefined;
  readonly other?: string | undefined;
  readonly record?: string | undefined;
}

/** The persisted state of a memory view. */
export interface ViewState {
  readonly place: MemoryPlace;
  readonly workspaces: ListFilter;
  /** Filter of the current workspace's states. */
  readonly states: ListFilter;
}

const everything: ListFilter = { filter: '', isArchived: false };

/** Reads a persisted view state; invalid parts get their defaults. */
export function readViewState(kept: unknown): ViewState {
  if (!isJsonObject(kept)) return firstView;
  const place = objectAt(kept, 'place');
  const [workspace, state, other, record] = ['workspace', 'state', 'other', 'record'].map((key) =>
    textIn(place, key),
  );
  return {
    place: placeOf({ workspace, state, other, record }),
    workspaces: readFilter(objectAt(kept, 'workspaces')),
    states: readFilter(objectAt(kept, 'states')),
  };
}

function readFilter({ filter, isArchived }: JsonObject): ListFilter {
  const isValid = typeof filter === 'string' && typeof isArchived === 'boolean';
  return isValid ? { filter, isArchived } : everything;
}

export const firstView: ViewState = { place: {}, workspaces: everything, states: everything };

/** Returns the view at another place. Another workspace starts without a filter. */
export function goTo(view: ViewState, place: MemoryPlace): ViewState {
  const isElsewhere = place.workspace !== undefined && place.workspace !== view.place.workspace;
  return {
    ...view,
    place: placeOf(place),
    ...(isElsewhere && { states: everything }),
  };
}

/** Returns the parent place; undefined at the top. */
export function placeBefore({
  workspace,
  state,
  other,
  record,
}: MemoryPlace): MemoryPlace | undefined {
  if (other !== undefined) return placeOf({ workspace, state });
  if (state !== undefined || record !== undefined) return placeOf({ workspace });
  return workspace === undefined ? undefined : {};
}

export function placeKey({ workspace, state, other, record }: MemoryPlace): string {
  return JSON.stringify([workspace, state, other, record]);
}

/** Drops inconsistent parts: a state or record needs a workspace, a comparison needs a state. */
function placeOf({ workspace, state, other, record }: MemoryPlace): MemoryPlace {
  if (workspace === undefined) return {};
  if (state === undefined) return record === undefined ? { workspace } : { workspace, record };
  return other === undefined ? { workspace, state } : { workspace, state, other };
}
