import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { askToForget } from '../forget/forget-modal.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { stateCandidates, type PickerItem } from './candidates.js';
import { openPicker, type PickerOptions } from './picker.js';

interface PickStateOptions extends Pick<PickerOptions<State>, 'texts' | 'choose' | 'query'> {
  /** Archived states, active ones, or by default both. */
  readonly isArchived?: boolean;
}

/** Lets the user choose a state of any workspace. */
export function pickState(
  savepoint: Savepoint,
  { isArchived, ...options }: PickStateOptions,
): void {
  openPicker<State>(savepoint, {
    ...options,
    async candidates(scheduler) {
      const kinds = isArchived === undefined ? [false, true] : [isArchived];
      const memory = savepoint.memory.get();
      const { id } = savepoint.workspace();
      const found = kinds.map((kind) => stateCandidates(memory, id, kind, scheduler));
      return (await Promise.all(found)).flat();
    },
  });
}

/** Lets the user choose a state of any workspace, then asks whether to remove it for good. */
export function pickStateToForget(savepoint: Savepoint): void {
  pickState(savepoint, {
    texts: { ...text.forget.pick, placeholder: `${text.commands.names.forgetState}…` },
    choose: ({ item: { id, workspaceId }, displayName: name }) =>
      askToForget(savepoint, { kind: 'state', id, name, workspaceId }),
  });
}

/** Lets the user choose a state to compare with. */
export function pickOtherState(
  savepoint: Savepoint,
  states: readonly Named<State>[],
  choose: (state: Named<State>) => void,
): void {
  const candidates = () => states.map(candidateOf);
  openPicker(savepoint, { texts: text.memoryView.pickOther, candidates, choose });
}

function candidateOf(item: Named<State>): PickerItem<State> {
  const { activeTask, createdAt, isArchived } = item.item;
  const notes = isArchived ? [text.memoryView.archived, activeTask] : [activeTask];
  return { item, title: item.displayName, notes, createdAt, isCurrent: false };
}
