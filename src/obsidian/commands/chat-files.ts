import { act } from '../actions.js';
import { chatOf } from '../chat/chat-service.js';
import { text } from '../text/index.js';
import { ChatView } from '../ui/chat/chat-view.js';
import { exportTalk } from '../ui/chat/export-talk.js';
import { CHAT_VIEW } from '../ui/chat/host.js';
import { ImportChatsModal } from '../ui/chat/import-chats-modal.js';
import { openChat } from '../ui/index.js';
import { addMemoryCommand, type CommandHost } from './command.js';

/** Adds the commands that bring conversations in from other products, and out as notes. */
export function addChatFileCommands(host: CommandHost): void {
  const { plugin, savepoint } = host;
  const { app } = plugin;
  const { importChats, export: exportNote } = text.chat.commands;

  const showList = async () => {
    await openChat(app);
    const [leaf] = app.workspace.getLeavesOfType(CHAT_VIEW);
    if (leaf?.view instanceof ChatView) leaf.view.showList();
  };
  addMemoryCommand(host, {
    id: 'import-chats',
    name: importChats,
    icon: 'import',
    applies: () => true,
    run: (opened) => host.open(new ImportChatsModal(opened, () => act(showList))),
  });

  plugin.addCommand({
    id: 'export-conversation',
    name: exportNote,
    icon: 'file-output',
    checkCallback(isChecking) {
      const opened = savepoint.get();
      const shown = app.workspace.getActiveViewOfType(ChatView)?.conversationId();
      const chat = opened && chatOf(opened);
      const conversation = chat?.conversations.get()?.find(({ id }) => id === shown);
      if (!chat || !conversation) return false;
      if (!isChecking) act(() => exportTalk(chat, conversation));
      return true;
    },
  });
}
