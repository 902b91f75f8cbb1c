import type { HoverParent } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { CapturedTrace } from '../checkpoints/captured-trace.js';
import type { Savepoint } from '../savepoint.js';
import type { ListFilter, MemoryPlace, ViewState } from './view-state.js';
import type { ListMemo } from './use-row-window.js';

export const MEMORY_VIEW = 'savepoint-memory';

/** Dependencies of the components that show memory. */
export interface MemoryHost {
  readonly savepoint: Savepoint;
  /** The view, for the app's page preview. */
  readonly hoverParent: HoverParent;
}

/** Actions that other parts of the plugin provide. */
export interface MemoryActions {
  /** Opens a new conversation that starts from a state. */
  readonly resume: (savepoint: Savepoint, state: Named<State>) => Promise<void>;
  /** Opens a new conversation that starts from a checkpoint. */
  readonly resumeCheckpoint: (savepoint: Savepoint, trace: CapturedTrace) => Promise<void>;
  readonly saveCheckpoint: (savepoint: Savepoint, trace: CapturedTrace) => void;
  /** Opens the form that saves a state in a workspace, by default in the current one. */
  readonly saveState: (savepoint: Savepoint, workspaceId?: string) => void;
  /** Searches the memory of all workspaces, and the notes. */
  readonly search: (savepoint: Savepoint, query: string) => void;
}

/** Dependencies of the pages of the memory view. */
export interface PageHost extends MemoryHost, MemoryActions {
  readonly view: ViewState;
  readonly go: (place: MemoryPlace) => void;
  readonly back: (() => void) | undefined;
  readonly setFilter: (choice: ListFilter) => void;
  /** True if the user navigated to this page, so it takes the focus. */
  readonly takesFocus: boolean;
  /** Returns the scroll position and current row of a list, by the list's name. */
  readonly memoOf: (list: string) => ListMemo;
}
