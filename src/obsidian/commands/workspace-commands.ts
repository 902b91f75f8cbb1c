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
import { openModal } from '../ui/modals.js';
import { addMemoryCommand, type CommandHost } from './command.js';
import { contentsOf } from './memory-contents.js';

export function addWorkspaceCommands(host: CommandHost): void {
  const { names, pick: texts } = text.commands;
  const pick =
    (
      pickTexts: PickerOptions<Workspace>['texts'],
      isWanted: (workspace: Workspace) => boolean,
      choose: (savepoint: Savepoint, workspace: Named<Workspace>) => unknown,
    ) =>
    (savepoint: Savepoint) => {
      const { app, clock, memory } = savepoint;
      const candidates = () =>
        Promise.resolve(workspaceCandidates(memory.get(), savepoint.workspace().id, isWanted));
      openModal(
        new Picker({
          app,
          clock,
          texts: pickTexts,
          candidates,
          choose: (workspace) => act(() => choose(savepoint, workspace)),
        }),
      );
    };

  addMemoryCommand(host, {
    id: 'create-workspace',
    name: names.createWorkspace,
    icon: 'folder-plus',
    applies: () => true,
    run: (savepoint) => openModal(new CreateWorkspaceForm(savepoint)),
  });
  addMemoryCommand(host, {
    id: 'switch-workspace',
    name: names.switchWorkspace,
    icon: 'arrow-left-right',
    applies: (memory, savepoint) =>
      [...contentsOf(memory).workspaces].some((id) => id !== savepoint.workspace().id),
    run: pick(texts.switchWorkspace, ({ isArchived }) => !isArchived, switchWorkspace),
  });
  addMemoryCommand(host, {
    id: 'archive-workspace',
    name: names.archiveWorkspace,
    icon: 'archive',
    applies: (memory) => contentsOf(memory).hasWorkspaceToArchive,
    run: pick(
      texts.archiveWorkspace,
      ({ id, isArchived }) => !isArchived && id !== DEFAULT_WORKSPACE,
      archiveWorkspace,
    ),
  });
  addMemoryCommand(host, {
    id: 'restore-workspace',
    name: names.restoreWorkspace,
    icon: 'archive-restore',
    applies: (memory) => contentsOf(memory).hasArchivedWorkspace,
    run: pick(texts.restoreWorkspace, ({ isArchived }) => isArchived, restoreWorkspace),
  });
}

function switchWorkspace(savepoint: Savepoint, { item, displayName }: Named<Workspace>): void {
  savepoint.enterWorkspace(item.id);
  showFocusedWorkspace(savepoint.app, item.id);
  notify(text.commands.workspaceEntered(displayName));
}
