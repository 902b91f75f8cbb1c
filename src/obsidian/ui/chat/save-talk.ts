import { workspaceById } from '../../../model/find.js';
import { pathTo } from '../../../chat/thread.js';
import { wordsOfMessage, type Message } from '../../../model/message.js';
import { act } from '../../actions.js';
import type { Chat } from '../../chat/chat-service.js';
import type { Talk } from '../../chat/talk.js';
import { text } from '../../text/index.js';
import { SaveStateForm, type StateDrafts } from '../forms/save-state.js';
import { resumeIn } from './resume.js';

/** The last messages, so many letters of them, are the context that is proposed. */
const CONTEXT_ROOM = 4000;

const drafts = new WeakMap<Talk, StateDrafts>();

/** Opens the form that saves a state, filled in from the conversation. Where that had become too long, it goes on from the state. */
export function saveStateOf(chat: Chat, talk: Talk, go: (conversation: string | undefined) => void): void {
  const { savepoint } = chat;
  const thread = talk.thread.get();
  const path = thread ? pathTo(thread, talk.panel.get().leafId) : [];
  const kept: StateDrafts = drafts.get(talk) ?? (new Map() as StateDrafts);
  drafts.set(talk, kept);
  const isTooLong = talk.failureKind.get() === 'context';
  const form = new SaveStateForm(savepoint, kept, {
    workspace: workspaceById(savepoint.memory.get(), talk.workspaceId.get()),
    conversationContext: contextOf(path),
    activeFiles: attachedFiles(path),
    call: (tool, params) => talk.callQuietly(tool, params),
    saved: (state) => {
      if (isTooLong) act(async () => go((await resumeIn(chat, state)).id.get()));
    },
  });
  form.open();
}

/** What was said last, by whom, in order. */
function contextOf(path: readonly Message[]): string {
  const lines: string[] = [];
  let room = CONTEXT_ROOM;
  for (const message of [...path].reverse()) {
    const words = wordsOfMessage(message).trim();
    if (words === '') continue;
    const line = `${message.role === 'user' ? text.chat.you : text.chat.assistant}: ${words}`;
    if (line.length > room && lines.length > 0) break;
    lines.unshift(Array.from(line).slice(0, room).join(''));
    room -= line.length;
    if (room <= 0) break;
  }
  return lines.join('\n\n');
}

function attachedFiles(path: readonly Message[]): string[] {
  const paths = path.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'data' && part.path !== undefined ? [part.path] : [])));
  return [...new Set(paths)];
}
