import type { State } from '../../model/state.js';
import { text } from '../i18n/index.js';
import { stateCandidates } from './candidates.js';
import { Picker } from './picker.js';
import type { Savepoint } from '../savepoint.js';
import { openModal } from '../ui/modals.js';
import { askToForget } from '../forget/forget-modal.js';

/** Lets the user choose a state of any workspace, then asks whether to remove it for good. */
export function pickStateToForget(savepoint: Savepoint): void {
  const { app, clock, memory } = savepoint;
  openModal(
    new Picker<State>({
      app,
      clock,
      texts: text.forget.pick,
      async candidates(scheduler) {
        const { id } = savepoint.workspace();
        const found = [false, true].map((isArchived) =>
          stateCandidates(memory.get(), id, isArchived, scheduler),
        );
        return (await Promise.all(found)).flat();
      },
      choose: ({ item: { id, workspaceId }, displayName: name }) =>
        askToForget(savepoint, { kind: 'state', id, name, workspaceId }),
    }),
  );
}
