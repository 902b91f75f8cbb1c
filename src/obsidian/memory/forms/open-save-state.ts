import type { Savepoint } from '../../savepoint.js';
import { openModal } from '../../ui/modals.js';
import {
  SaveStateForm,
  type SavedStateActions,
  type StateDrafts,
  type StateOrigin,
} from './save-state.js';

/** Opens the form that saves a state. */
export function showSaveStateForm(
  savepoint: Savepoint,
  drafts: StateDrafts,
  actions: SavedStateActions,
  origin: StateOrigin,
): void {
  openModal(new SaveStateForm(savepoint, drafts, actions, origin));
}
