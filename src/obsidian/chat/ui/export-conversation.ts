import { conversationNote } from '../../../chat/conversation-note.js';
import type { Conversation } from '../../../model/conversation.js';
import { workspaceById } from '../../../model/lookup.js';
import { allTools } from '../../../toolkit/toolset.js';
import { notify } from '../../actions.js';
import type { Chat } from '../chat-service.js';
import { text } from '../../i18n/index.js';
import { createNote } from '../../memory/export-note.js';

/** Makes a note of the branch of a conversation that is shown, and opens it. */
export async function exportTalk(
  chat: Chat,
  { id, title, workspaceId, createdAt }: Conversation,
): Promise<void> {
  const { savepoint } = chat;
  const talk = chat.talk(id);
  if (!talk.thread.get()) await talk.refresh();
  const tools = allTools(savepoint.toolset);
  const note = conversationNote(talk.path(), {
    title,
    createdAt,
    workspaceName: workspaceById(savepoint.memory.get(), workspaceId).name,
    you: text.chat.you,
    assistant: text.chat.assistant,
    toolTitle: (name) => tools.find(({ tool }) => tool.name === name)?.tool.title ?? name,
  });
  const { path } = await createNote(savepoint.app, title, note);
  notify(text.chat.exported(path));
}
