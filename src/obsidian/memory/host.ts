import type { HoverParent } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
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

export type PickState = (
  savepoint: Savepoint,
  states: readonly Named<State>[],
  choose: (state: Named<State>) => void,
) => void;

/** Actions that other parts of the plugin provide. */
export interface MemoryActions {
  readonly pickState: PickState;
  /** Lets the user choose another workspace for a state. */
  readonly pickWorkspace: (
    savepoint: Savepoint,
    state: Named<State>,
    choose: (workspace: Named<Workspace>) => void,
  ) => void;
  /** Lets the user choose a state of any workspace to remove for good. */
  readonly pickStateToForget: (savepoint: Savepoint) => void;
  /** Opens a new conversation that starts from a state. */
  readonly resume: (savepoint: Savepoint, state: Named<State>) => Promise<void>;
  /** Opens a new conversation that starts from a checkpoint. */
  readonly resumeCheckpoint: (savepoint: Savepoint, trace: CapturedTrace) => Promise<void>;
  readonly saveCheckpoint: (savepoint: Savepoint, trace: CapturedTrace) => void;
  /** Opens the form that saves a state in a workspace, by default in the current one. */
  readonly saveState: (savepoint: Savepoint, workspaceId?: string) => void;
  /** Lets the user choose one of these records. */
  readonly pickRecord: (
    savepoint: Savepoint,
    records: readonly ProjectRecord[],
    choose: (record: ProjectRecord) => void,
  ) => void;
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
