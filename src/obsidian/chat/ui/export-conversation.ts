import { conversationNote } from '../../../chat/conversation-note.js';
import type { Conversation } from '../../../model/conversation.js';
import { workspaceById } from '../../../model/lookup.js';
import { toolNamed } from '../../calls/labels.js';
import { notify } from '../../actions.js';
import type { ChatService } from '../chat-service.js';
import { text } from '../../i18n/index.js';
import { createNote } from '../../memory/export-note.js';

/** Exports the branch shown to a new note, and opens the note. */
export async function exportConversation(
  chat: ChatService,
  { id, title, workspaceId, createdAt }: Conversation,
): Promise<void> {
  const { savepoint } = chat;
  const controller = chat.open(id);
  if (!controller.thread.get()) await controller.refresh();
  const note = conversationNote(controller.path(), {
    title,
    createdAt,
    workspaceName: workspaceById(savepoint.memory.get(), workspaceId).name,
    you: text.chat.you,
    assistant: text.chat.assistant,
    toolTitle: (name) => toolNamed(savepoint, name)?.title ?? name,
  });
  const { path } = await createNote(savepoint.app, title, note);
  notify(text.chat.exported(path));
}
