import { isPaused } from '../../capture/consent.js';
import { act } from '../actions.js';
import { togglePause } from '../checkpoints/capture-status.js';
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
  addCaptureCommand(host, true);
  addCaptureCommand(host, false);
  addChatFileCommands(host);
}

/** Adds the command that pauses or resumes capturing. Only one of them is available at a time. */
function addCaptureCommand({ plugin, chat }: CommandHost, isPause: boolean): void {
  const { pause, resume } = text.capture.commands;
  plugin.addCommand({
    id: isPause ? 'pause-capture' : 'resume-capture',
    name: isPause ? pause : resume,
    icon: isPause ? 'circle-pause' : 'circle-play',
    checkCallback(isChecking) {
      const opened = chat.get();
      if (!opened) return false;
      const { capture, savepoint } = opened;
      if (isPaused(capture.settings.get(), savepoint.clock.now()) === isPause) return false;
      if (!isChecking) act(() => togglePause(opened));
      return true;
    },
  });
}
