import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { Workspace } from '../../model/workspace.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { workspaceCandidates } from './candidates.js';
import { openPicker, type PickerTexts } from './picker.js';

/** Lets the user choose one of the wanted workspaces. */
export function pickWorkspace(
  savepoint: Savepoint,
  texts: PickerTexts,
  isWanted: (workspace: Workspace) => boolean,
  choose: (workspace: Named<Workspace>) => void,
): void {
  const candidates = () =>
    workspaceCandidates(savepoint.memory.get(), savepoint.workspace().id, isWanted);
  openPicker(savepoint, { texts, candidates, choose });
}

/** Lets the user choose another workspace for a state. */
export function pickOtherWorkspace(
  savepoint: Savepoint,
  { item }: Named<State>,
  choose: (workspace: Named<Workspace>) => void,
): void {
  const isOther = ({ id, isArchived }: Workspace) => !isArchived && id !== item.workspaceId;
  pickWorkspace(savepoint, text.commands.pick.moveState, isOther, choose);
}
