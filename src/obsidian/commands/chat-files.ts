import { act } from '../actions.js';
import { text } from '../i18n/index.js';
import { ChatView } from '../chat/ui/chat-view.js';
import { exportConversation } from '../chat/ui/export-conversation.js';
import { CHAT_VIEW } from '../chat/ui/host.js';
import { openImportChats, tellUnfinishedImport } from '../chat/ui/import-chats-modal.js';
import { openChat } from '../views.js';
import { addCommand, addMemoryCommand, type CommandHost } from './command.js';

/** Adds the commands that import chats and export conversations as notes. */
export function addChatFileCommands(host: CommandHost): void {
  const { plugin } = host;
  const { app } = plugin;
  const { importChats, export: exportNote } = text.chat.commands;

  const showList = async () => {
    await openChat(app);
    const [leaf] = app.workspace.getLeavesOfType(CHAT_VIEW);
    if (leaf?.view instanceof ChatView) leaf.view.showList();
  };
  addMemoryCommand(host, { id: 'import-chats', name: importChats, icon: 'import' }, (opened) =>
    openImportChats(opened, () => act(showList)),
  );
  plugin.register(
    host.savepoint.subscribe(() => {
      const opened = host.savepoint.get();
      if (opened) tellUnfinishedImport(opened, () => act(showList));
    }),
  );

  const texts = { id: 'export-conversation', name: exportNote, icon: 'file-output' };
  addCommand(plugin, texts, () => {
    const chat = host.chat.get();
    const shown = app.workspace.getActiveViewOfType(ChatView)?.conversationId();
    const conversation = chat?.conversations.get()?.find(({ id }) => id === shown);
    return chat && conversation && (() => exportConversation(chat, conversation));
  });
}
