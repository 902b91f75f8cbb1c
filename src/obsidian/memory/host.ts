import type { HoverParent } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { Savepoint } from '../savepoint.js';
import type { Choice, Place, ViewState } from './view-state.js';
import type { ListMemo } from './use-row-window.js';

export const MEMORY_VIEW = 'savepoint-memory';

/** What whatever shows something of the memory works with. */
export interface Host {
  readonly savepoint: Savepoint;
  /** The view, as the app's page preview wants to know it. */
  readonly hoverParent: HoverParent;
}

/** Lets a person choose one of some states. */
export type PickState = (
  savepoint: Savepoint,
  states: readonly Named<State>[],
  choose: (state: Named<State>) => void,
) => void;

/** What other parts of the plugin do for the memory view. */
export interface MemoryHelp {
  readonly pickState: PickState;
  /** Goes on from a state. */
  readonly resume: (savepoint: Savepoint, state: Named<State>) => Promise<void>;
}

/** What the pages of the memory view work with besides. */
export interface PageHost extends Host, MemoryHelp {
  readonly view: ViewState;
  readonly go: (place: Place) => void;
  readonly back: (() => void) | undefined;
  /** Narrows the list at hand. */
  readonly choose: (choice: Choice) => void;
  /** Whether the person has come to this page by a step of theirs, and the focus with them. */
  readonly takesFocus: boolean;
  /** How the list of a page was left, by a name for the list. */
  readonly memoOf: (list: string) => ListMemo;
}
