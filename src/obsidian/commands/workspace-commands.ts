import type { Workspace } from '../../model/workspace.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import type { Named } from '../../model/lookup.js';
import { act, archiveWorkspace, notify, restoreWorkspace } from '../actions.js';
import { showFocusedWorkspace } from '../views.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { CreateWorkspaceForm } from '../memory/forms/create-workspace.js';
import { workspaceCandidates } from '../pickers/candidates.js';
import { Picker, type PickerOptions } from '../pickers/picker.js';
import { addMemoryCommand, type CommandHost } from './command.js';
import { contentsOf } from './memory-contents.js';

export function addWorkspaceCommands(host: CommandHost): void {
  const { names, pick: texts } = text.commands;
  addMemoryCommand(host, {
    id: 'create-workspace',
    name: names.createWorkspace,
    icon: 'folder-plus',
    applies: () => true,
    run: (savepoint) => host.open(new CreateWorkspaceForm(savepoint)),
  });
  addMemoryCommand(host, {
    id: 'switch-workspace',
    name: names.switchWorkspace,
    icon: 'arrow-left-right',
    applies: (memory, savepoint) =>
      [...contentsOf(memory).workspaces].some((id) => id !== savepoint.workspace().id),
    run: (savepoint) =>
      pickWorkspace(
        host,
        savepoint,
        texts.switchWorkspace,
        ({ isArchived }) => !isArchived,
        ({ item, displayName }) => {
          savepoint.enterWorkspace(item.id);
          showFocusedWorkspace(savepoint.app, item.id);
          notify(text.commands.workspaceEntered(displayName));
        },
      ),
  });
  addMemoryCommand(host, {
    id: 'archive-workspace',
    name: names.archiveWorkspace,
    icon: 'archive',
    applies: (memory) => contentsOf(memory).hasWorkspaceToArchive,
    run: (savepoint) =>
      pickWorkspace(
        host,
        savepoint,
        texts.archiveWorkspace,
        ({ id, isArchived }) => !isArchived && id !== DEFAULT_WORKSPACE,
        (workspace) => act(() => archiveWorkspace(savepoint, workspace)),
      ),
  });
  addMemoryCommand(host, {
    id: 'restore-workspace',
    name: names.restoreWorkspace,
    icon: 'archive-restore',
    applies: (memory) => contentsOf(memory).hasArchivedWorkspace,
    run: (savepoint) =>
      pickWorkspace(
        host,
        savepoint,
        texts.restoreWorkspace,
        ({ isArchived }) => isArchived,
        (workspace) => act(() => restoreWorkspace(savepoint, workspace)),
      ),
  });
}

function pickWorkspace(
  host: CommandHost,
  savepoint: Savepoint,
  texts: PickerOptions<Workspace>['texts'],
  isWanted: (workspace: Workspace) => boolean,
  choose: (workspace: Named<Workspace>) => void,
): void {
  const { app, clock } = savepoint;
  const candidates = () =>
    Promise.resolve(
      workspaceCandidates(savepoint.memory.get(), savepoint.workspace().id, isWanted),
    );
  host.open(new Picker({ app, clock, texts, candidates, choose }));
}
