import type { Modal, Plugin } from 'obsidian';
import { FormModal } from '../ui/forms/form-modal.js';
import { addChatCommands } from './chat.js';
import type { CommandHost } from './command.js';
import { addConnectionCommands } from './connection-commands.js';
import { addMemoryCommands } from './memory-commands.js';
import { addStateCommands } from './state-commands.js';
import { addWorkspaceCommands } from './workspace-commands.js';

/** Adds every command to the palette. */
export function addCommands(plugin: Plugin, given: Omit<CommandHost, 'plugin' | 'open'>): void {
  const opened = new Set<Modal>();
  const host: CommandHost = {
    ...{ plugin, ...given },
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
  addChatCommands(host);
  addMemoryCommands(host);
  addWorkspaceCommands(host);
  addStateCommands(host);
  addConnectionCommands(host);
}
