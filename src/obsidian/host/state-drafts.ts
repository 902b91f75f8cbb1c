import type { App } from 'obsidian';
import * as z from 'zod';

const KEY = 'savepoint-state-drafts';

const draftShape = z.object({
  typed: z.object({
    name: z.string(),
    conversationContext: z.string(),
    activeTask: z.string(),
    nextSteps: z.string(),
    description: z.string(),
  }),
  activeFiles: z.array(z.string()),
  tags: z.array(z.string()),
});

/** Unsaved input of the form that saves a state. */
export type UnsavedState = z.output<typeof draftShape>;

/** Drafts by the place of their form, then by the id of their workspace. */
const draftsShape = z.record(z.string(), z.record(z.string(), draftShape)).catch({});

/** Drafts by workspace id, restored when the form is opened in that workspace again. */
export type StateDrafts = Pick<Map<string, UnsavedState>, 'get' | 'has' | 'set' | 'delete'>;

type Storage = Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>;

/** Returns a place's drafts, stored on the device. A place is a conversation's id or a name. */
export function storedStateDrafts(app: Storage, place: string): StateDrafts {
  const drafts = () => new Map(Object.entries(loadDrafts(app)[place] ?? {}));
  const store = (changed: ReadonlyMap<string, UnsavedState>) =>
    storeDrafts(app, { ...loadDrafts(app), [place]: Object.fromEntries(changed) });
  return {
    get: (workspaceId) => drafts().get(workspaceId),
    has: (workspaceId) => drafts().has(workspaceId),
    set(workspaceId, draft) {
      const changed = drafts().set(workspaceId, draft);
      store(changed);
      return changed;
    },
    delete(workspaceId) {
      const changed = drafts();
      const isChanged = changed.delete(workspaceId);
      if (isChanged) store(changed);
      return isChanged;
    },
  };
}

/** Removes the drafts of all places for which the function returns true. */
export function dropStateDrafts(
  app: Storage,
  isDropped: (draft: UnsavedState, place: string) => boolean,
): void {
  const kept = Object.entries(loadDrafts(app)).map(([place, drafts]) => [
    place,
    Object.fromEntries(Object.entries(drafts).filter(([, draft]) => !isDropped(draft, place))),
  ]);
  storeDrafts(app, Object.fromEntries(kept) as z.output<typeof draftsShape>);
}

function loadDrafts(app: Storage): z.output<typeof draftsShape> {
  return draftsShape.parse(app.loadLocalStorage(KEY) ?? {});
}

function storeDrafts(app: Storage, drafts: z.output<typeof draftsShape>): void {
  const places = Object.entries(drafts).filter(([, held]) => Object.keys(held).length > 0);
  app.saveLocalStorage(KEY, places.length > 0 ? Object.fromEntries(places) : null);
}
