import type { Shown } from '../../model/find.js';
import type { State } from '../../model/state.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import type { Candidate } from './candidates.js';
import { Picker } from './picker.js';
import { openModal } from '../ui/modals.js';

/** Lets a person choose one of these states to compare another with. */
export function pickOtherState(
  savepoint: Savepoint,
  states: readonly Shown<State>[],
  choose: (state: Shown<State>) => void,
): void {
  const { app, clock } = savepoint;
  const candidates = () => Promise.resolve(states.map(candidateOf));
  openModal(
    new Picker<State>({ app, clock, texts: text.memoryView.pickOther, candidates, choose }),
  );
}

function candidateOf(item: Shown<State>): Candidate<State> {
  const { activeTask, createdAt, isArchived } = item.item;
  const notes = isArchived ? [text.memoryView.archived, activeTask] : [activeTask];
  return { item, title: item.shownName, notes, createdAt, isCurrent: false };
}
