import type { Modal, Plugin } from 'obsidian';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';
import { FormModal } from '../ui/forms/form-modal.js';
import type { CommandHost } from './command.js';
import { addMemoryCommands } from './memory-commands.js';
import { addStateCommands } from './state-commands.js';
import { addWorkspaceCommands } from './workspace-commands.js';

/** Adds every command to the palette. */
export function addCommands(plugin: Plugin, savepoint: Store<Savepoint | undefined>): void {
  const opened = new Set<Modal>();
  const host: CommandHost = {
    ...{ plugin, savepoint },
    open(modal) {
      opened.add(modal);
      modal.setCloseCallback(() => opened.delete(modal));
      modal.open();
    },
  };
  plugin.register(() => {
    for (const modal of [...opened]) {
      if (modal instanceof FormModal) modal.discard();
      else modal.close();
    }
  });
  addMemoryCommands(host);
  addWorkspaceCommands(host);
  addStateCommands(host);
}
