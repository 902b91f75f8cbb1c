import type { Savepoint } from '../../savepoint.js';
import { openModal } from '../../ui/modals.js';
import { SaveStateForm, type SavedStateActions, type StateOrigin } from './save-state.js';
import { storedStateDrafts } from '../../host/state-drafts.js';

/** Opens the form that saves a state. With `isKept`, its input is kept until it is saved. */
export function showSaveStateForm(
  savepoint: Savepoint,
  actions: SavedStateActions,
  origin: StateOrigin,
  isKept = false,
): void {
  const drafts = isKept ? storedStateDrafts(savepoint.app, 'memory') : new Map<string, never>();
  openModal(new SaveStateForm(savepoint, drafts, actions, origin));
}
