import { act, lastUndo, notify } from '../actions.js';
import { text } from '../i18n/index.js';
import { openMemory, openNotesPane, openSearch } from '../views.js';
import { SearchNotes } from '../pickers/search-notes.js';
import { openVerify } from '../memory/verify/verify-modal.js';
import { openModal } from '../ui/modals.js';
import { addMemoryCommand, openedMemory, type CommandHost } from './command.js';

export function addMemoryCommands(host: CommandHost): void {
  addViewCommands(host);
  addUndoCommand(host);
  addSearchCommands(host);
  addMaintenanceCommands(host);
}

function addViewCommands({ plugin }: CommandHost): void {
  const { app } = plugin;
  const { names } = text.commands;

  plugin.addCommand({
    id: 'open-memory',
    name: names.openMemory,
    icon: 'history',
    callback: () => act(() => openMemory(app)),
  });
  plugin.addCommand({
    id: 'open-memory-of-note',
    name: names.openNoteMemory,
    icon: 'file-clock',
    checkCallback(isChecking) {
      if (!app.workspace.getActiveFile()) return false;
      if (!isChecking) act(() => openNotesPane(app));
      return true;
    },
  });
}

function addUndoCommand({ plugin, savepoint }: CommandHost): void {
  plugin.addCommand({
    id: 'undo-last-action',
    name: text.commands.names.undo,
    icon: 'undo-2',
    checkCallback(isChecking) {
      const opened = savepoint.get();
      const undo = opened && lastUndo(opened);
      if (!undo) return false;
      if (!isChecking) act(undo);
      return true;
    },
  });
}

function addSearchCommands(host: CommandHost): void {
  const { plugin, savepoint } = host;
  const { app } = plugin;
  const { names } = text.commands;
  addMemoryCommand(host, {
    id: 'search-memory',
    name: names.searchMemory,
    icon: 'search',
    applies: () => true,
    run: (opened) => openSearch(opened, host.chat.get()),
  });
  plugin.addCommand({
    // Available while the memory is being read, because notes are not part of it.
    id: 'search-notes',
    name: names.searchNotes,
    icon: 'file-search',
    callback: () =>
      act(() => {
        const { services, clock } = openedMemory(savepoint);
        openModal(new SearchNotes(app, { search: services.search, clock }));
      }),
  });
}

function addMaintenanceCommands(host: CommandHost): void {
  const { plugin, savepoint } = host;
  const { names } = text.commands;
  plugin.addCommand({
    // Available even if the memory cannot be read, which is when the user needs it most.
    id: 'verify-memory',
    name: names.verifyMemory,
    icon: 'shield-check',
    callback: () => act(() => Promise.resolve(openedMemory(savepoint)).then(openVerify)),
  });
  plugin.addCommand({
    id: 'rebuild-cache',
    name: names.rebuildCache,
    icon: 'refresh-cw',
    callback: () =>
      act(async () => {
        const notice = notify(text.commands.rebuilding, 0);
        const took = await host.rebuildCache().finally(() => notice.hide());
        notify(text.commands.rebuilt(took));
      }),
  });
}
