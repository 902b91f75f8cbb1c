import { lastUndo, notify } from '../actions.js';
import { text } from '../i18n/index.js';
import { openMemory, openNotesPane, openSearch } from '../views.js';
import { SearchNotes } from '../pickers/search-notes.js';
import { openVerify } from '../memory/verify/verify-modal.js';
import { openModal } from '../ui/modals.js';
import {
  addCommand,
  memoryCommands,
  namedCommand,
  openedMemory,
  type CommandHost,
} from './command.js';

export function addMemoryCommands(host: CommandHost): void {
  const { plugin, savepoint } = host;
  const { app } = plugin;
  addCommand(plugin, namedCommand('openMemory', 'history'), () => () => openMemory(app));
  addCommand(plugin, namedCommand('openMemoryOfNote', 'file-clock'), () =>
    app.workspace.getActiveFile() ? () => openNotesPane(app) : undefined,
  );
  addCommand(plugin, namedCommand('undoLastAction', 'undo-2'), () => {
    const opened = savepoint.get();
    return opened && lastUndo(opened);
  });
  memoryCommands(host)('searchMemory', 'search', (opened) => openSearch(opened, host.chat.get()));
  // available while the memory is being read, because notes are not part of it
  addCommand(plugin, namedCommand('searchNotes', 'file-search'), () => () => {
    const { services, clock } = openedMemory(savepoint);
    openModal(new SearchNotes(app, { search: services.search, clock }));
  });
  // available even if the memory cannot be read, which is when the user needs it most
  addCommand(
    plugin,
    namedCommand('verifyMemory', 'shield-check'),
    () => () => openVerify(openedMemory(savepoint)),
  );
  addCommand(plugin, namedCommand('rebuildCache', 'refresh-cw'), () => async () => {
    const notice = notify(text.commands.rebuilding, 0);
    const took = await host.rebuildCache().finally(() => notice.hide());
    notify(text.commands.rebuilt(took));
  });
}
