import type { Plugin } from 'obsidian';
import { hideNotices } from '../actions.js';
import { closeModals } from '../ui/modals.js';
import { addChatCommands } from './chat.js';
import type { CommandHost } from './command.js';
import { addConnectionCommands } from './connection-commands.js';
import { addMemoryCommands } from './memory-commands.js';
import { addRecordCommands } from './record-commands.js';
import { addStateCommands } from './state-commands.js';
import { addWorkspaceCommands } from './workspace-commands.js';

export function addCommands(plugin: Plugin, given: Omit<CommandHost, 'plugin'>): void {
  const host: CommandHost = { plugin, ...given };
  plugin.register(closeModals);
  plugin.register(hideNotices);
  addChatCommands(host);
  addMemoryCommands(host);
  addWorkspaceCommands(host);
  addStateCommands(host);
  addRecordCommands(host);
  addConnectionCommands(host);
}
