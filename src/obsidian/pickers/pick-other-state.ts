import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import type { PickerItem } from './candidates.js';
import { Picker } from './picker.js';
import { openModal } from '../ui/modals.js';

/** Lets the user choose a state to compare with. */
export function pickOtherState(
  savepoint: Savepoint,
  states: readonly Named<State>[],
  choose: (state: Named<State>) => void,
): void {
  const { app, clock } = savepoint;
  const candidates = () => Promise.resolve(states.map(candidateOf));
  openModal(
    new Picker<State>({ app, clock, texts: text.memoryView.pickOther, candidates, choose }),
  );
}

function candidateOf(item: Named<State>): PickerItem<State> {
  const { activeTask, createdAt, isArchived } = item.item;
  const notes = isArchived ? [text.memoryView.archived, activeTask] : [activeTask];
  return { item, title: item.displayName, notes, createdAt, isCurrent: false };
}
