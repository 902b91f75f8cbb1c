import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { openModal } from '../ui/modals.js';
import { workspaceCandidates } from './candidates.js';
import { Picker } from './picker.js';

/** Lets the user choose another workspace for a state. */
export function pickOtherWorkspace(
  { app, clock, memory, workspaceId }: Savepoint,
  { item }: Named<State>,
  choose: (workspace: Named<Workspace>) => void,
): void {
  const isOther = ({ id, isArchived }: Workspace) => !isArchived && id !== item.workspaceId;
  openModal(
    new Picker<Workspace>({
      app,
      clock,
      texts: text.commands.pick.moveState,
      candidates: () =>
        Promise.resolve(workspaceCandidates(memory.get(), workspaceId.get(), isOther)),
      choose,
    }),
  );
}
