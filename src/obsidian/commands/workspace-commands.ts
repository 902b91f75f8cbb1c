import type { Workspace } from '../../model/workspace.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import type { Named } from '../../model/lookup.js';
import { act, archiveWorkspace, notify, restoreWorkspace } from '../actions.js';
import { showFocusedWorkspace } from '../views.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { CreateWorkspaceForm } from '../memory/forms/create-workspace.js';
import { pickWorkspace } from '../pickers/pick-workspace.js';
import type { PickerTexts } from '../pickers/picker.js';
import { openModal } from '../ui/modals.js';
import { memoryCommands, type CommandHost } from './command.js';
import { contentsOf } from './memory-contents.js';

export function addWorkspaceCommands(host: CommandHost): void {
  const { names, pick: pickTexts } = text.commands;
  const add = memoryCommands(host);
  const pick =
    (
      texts: PickerTexts,
      isWanted: (workspace: Workspace) => boolean,
      choose: (savepoint: Savepoint, workspace: Named<Workspace>) => unknown,
    ) =>
    (savepoint: Savepoint) =>
      pickWorkspace(savepoint, texts, isWanted, (workspace) =>
        act(() => choose(savepoint, workspace)),
      );
  const isActive = ({ isArchived }: Workspace) => !isArchived;
  const isArchivable = ({ id, isArchived }: Workspace) => !isArchived && id !== DEFAULT_WORKSPACE;

  add('createWorkspace', 'folder-plus', (savepoint) =>
    openModal(new CreateWorkspaceForm(savepoint)),
  );
  add(
    'switchWorkspace',
    'arrow-left-right',
    pick(pickTexts.switchWorkspace, isActive, switchWorkspace),
    (memory, savepoint) =>
      [...contentsOf(memory).workspaces].some((id) => id !== savepoint.workspace().id),
  );
  const archive = { placeholder: `${names.archiveWorkspace}…`, enter: pickTexts.archive };
  add(
    'archiveWorkspace',
    'archive',
    pick(archive, isArchivable, archiveWorkspace),
    (memory) => contentsOf(memory).hasWorkspaceToArchive,
  );
  const restore = { placeholder: `${names.restoreWorkspace}…`, enter: pickTexts.restore };
  add(
    'restoreWorkspace',
    'archive-restore',
    pick(restore, ({ isArchived }) => isArchived, restoreWorkspace),
    (memory) => contentsOf(memory).hasArchivedWorkspace,
  );
}

function switchWorkspace(savepoint: Savepoint, { item, displayName }: Named<Workspace>): void {
  savepoint.enterWorkspace(item.id);
  showFocusedWorkspace(savepoint.app, item.id);
  notify(text.commands.workspaceEntered(displayName));
}
