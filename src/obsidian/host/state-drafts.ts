import type { App } from 'obsidian';
import { isJsonObject } from '../../model/event.js';
import { isText, isTextList, objectAt } from '../../model/text/json-fields.js';

const KEY = 'savepoint-state-drafts';

const TYPED = ['name', 'conversationContext', 'activeTask', 'nextSteps', 'description'] as const;

/** Unsaved input of the form that saves a state. */
export type UnsavedState = {
  typed: Record<(typeof TYPED)[number], string>;
  activeFiles: string[];
  tags: string[];
};

/** Drafts by the place of their form, then by the id of their workspace. */
type PlacedDrafts = Readonly<Record<string, Readonly<Record<string, UnsavedState>>>>;

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
  storeDrafts(app, Object.fromEntries(kept) as PlacedDrafts);
}

function loadDrafts(app: Storage): PlacedDrafts {
  const stored: unknown = app.loadLocalStorage(KEY);
  const places = isJsonObject(stored) ? stored : {};
  const read = Object.keys(places).map((place) => [
    place,
    Object.fromEntries(Object.entries(objectAt(places, place)).filter(([, each]) => isDraft(each))),
  ]);
  return Object.fromEntries(read) as PlacedDrafts;
}

function isDraft(stored: unknown): boolean {
  if (!isJsonObject(stored)) return false;
  const typed = objectAt(stored, 'typed');
  const lists = [stored['activeFiles'], stored['tags']];
  return TYPED.every((field) => isText(typed[field])) && lists.every(isTextList);
}

function storeDrafts(app: Storage, drafts: PlacedDrafts): void {
  const places = Object.entries(drafts).filter(([, held]) => Object.keys(held).length > 0);
  app.saveLocalStorage(KEY, places.length > 0 ? Object.fromEntries(places) : null);
}
