import { isPaused } from '../../capture/consent.js';
import { togglePause } from '../checkpoints/capture-status.js';
import { text } from '../i18n/index.js';
import { openChat, startNewConversation } from '../views.js';
import { addChatFileCommands } from './chat-files.js';
import { addCommand, type CommandHost } from './command.js';

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
