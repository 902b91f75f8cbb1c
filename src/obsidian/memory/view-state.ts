import * as z from 'zod';

/** What a list is narrowed to. */
export interface Choice {
  readonly filter: string;
  /** Whether it shows what is archived, in place of what is not. */
  readonly isArchived: boolean;
}

/** Where in the memory view a person is: at the workspaces, in one of them, at a state, or comparing it with another. By ids. */
export interface Place {
  readonly workspace?: string | undefined;
  readonly state?: string | undefined;
  readonly other?: string | undefined;
}

/** Everything that a memory view would need to be opened again as it was. */
export interface ViewState {
  readonly place: Place;
  readonly workspaces: Choice;
  /** Of the workspace that the place is in. */
  readonly states: Choice;
}

const everything: Choice = { filter: '', isArchived: false };

const choiceShape = z.object({ filter: z.string(), isArchived: z.boolean() }).catch(everything);

const viewShape = z.object({
  place: z
    .object({
      workspace: z.string().optional(),
      state: z.string().optional(),
      other: z.string().optional(),
    })
    .catch({})
    .transform(({ workspace, state, other }): Place => placeOf(workspace, state, other)),
  workspaces: choiceShape,
  states: choiceShape,
});

/** The view as it was kept; what cannot be read of it is as at first. */
export function readViewState(kept: unknown): ViewState {
  return viewShape.catch(firstView).parse(kept);
}

export const firstView: ViewState = { place: {}, workspaces: everything, states: everything };

/** The view at another place. Another workspace is entered with nothing narrowed. */
export function goTo(view: ViewState, place: Place): ViewState {
  const isElsewhere = place.workspace !== undefined && place.workspace !== view.place.workspace;
  return {
    ...view,
    place: placeOf(place.workspace, place.state, place.other),
    ...(isElsewhere && { states: everything }),
  };
}

/** The place that one comes to by going back; undefined where there is none. */
export function placeBefore({ workspace, state, other }: Place): Place | undefined {
  if (other !== undefined) return placeOf(workspace, state);
  if (state !== undefined) return placeOf(workspace);
  return workspace === undefined ? undefined : {};
}

/** The same for the same place, and for no other. */
export function placeKey({ workspace, state, other }: Place): string {
  return JSON.stringify([workspace, state, other]);
}

/** Nothing hangs in the air: a state is in a workspace, and what is compared is compared with a state. */
function placeOf(workspace?: string, state?: string, other?: string): Place {
  if (workspace === undefined) return {};
  if (state === undefined) return { workspace };
  return other === undefined ? { workspace, state } : { workspace, state, other };
}
