import { isPaused } from '../../capture/consent.js';
import { act } from '../actions.js';
import { ChatView } from '../chat/ui/chat-view.js';
import { exportConversation } from '../chat/ui/export-conversation.js';
import { CHAT_VIEW } from '../chat/ui/host.js';
import { openImportChats, tellUnfinishedImport } from '../chat/ui/import-chats-modal.js';
import { togglePause } from '../checkpoints/capture-status.js';
import { text } from '../i18n/index.js';
import { openChat, startNewConversation } from '../views.js';
import { addCommand, addMemoryCommand, type CommandHost } from './command.js';

export function addChatCommands(host: CommandHost): void {
  const { plugin } = host;
  const { app } = plugin;
  const { open, fresh } = text.chat.commands;
  addCommand(
    plugin,
    { id: 'open-chat', name: open, icon: 'message-square' },
    () => () => openChat(app),
  );
  addCommand(
    plugin,
    { id: 'new-conversation', name: fresh, icon: 'square-pen' },
    () => () => startNewConversation(app),
  );
  addCaptureCommand(host, true);
  addCaptureCommand(host, false);
  addChatFileCommands(host);
}

/** Adds the command that pauses or resumes capturing. Only one of them is available at a time. */
function addCaptureCommand({ plugin, chat }: CommandHost, isPause: boolean): void {
  const { pause, resume } = text.capture.commands;
  const texts = isPause
    ? { id: 'pause-capture', name: pause, icon: 'circle-pause' }
    : { id: 'resume-capture', name: resume, icon: 'circle-play' };
  addCommand(plugin, texts, () => {
    const opened = chat.get();
    if (!opened) return undefined;
    const { capture, savepoint } = opened;
    const isAlready = isPaused(capture.settings.get(), savepoint.clock.now()) === isPause;
    return isAlready ? undefined : () => togglePause(opened);
  });
}

/** Adds the commands that import chats and export conversations as notes. */
function addChatFileCommands(host: CommandHost): void {
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
    const view = app.workspace.getActiveViewOfType(ChatView);
    const conversation = chat?.conversations.get()?.find(({ id }) => view?.shows(id));
    return chat && conversation && (() => exportConversation(chat, conversation));
  });
}
