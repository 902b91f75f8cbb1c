import { act } from '../actions.js';
import { text } from '../i18n/index.js';
import { openChat, startNewConversation } from '../views.js';
import { addChatFileCommands } from './chat-files.js';
import type { CommandHost } from './command.js';

export function addChatCommands(host: CommandHost): void {
  const { plugin } = host;
  const { app } = plugin;
  const { open, fresh } = text.chat.commands;
  plugin.addCommand({
    id: 'open-chat',
    name: open,
    icon: 'message-square',
    callback: () => act(() => openChat(app)),
  });
  plugin.addCommand({
    id: 'new-conversation',
    name: fresh,
    icon: 'square-pen',
    callback: () => act(() => startNewConversation(app)),
  });
  addChatFileCommands(host);
}
