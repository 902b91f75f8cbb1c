import type { App, Plugin, WorkspaceLeaf } from 'obsidian';
import type { Named } from '../model/lookup.js';
import type { State } from '../model/state.js';
import { openedChat, type ChatService } from './chat/chat-service.js';
import type { Savepoint } from './savepoint.js';
import type { Store } from './store.js';
import { text } from './i18n/index.js';
import { ChatView } from './chat/ui/chat-view.js';
import { CHAT_VIEW } from './chat/ui/host.js';
import { startFromState } from './chat/ui/resume.js';
import { MEMORY_VIEW } from './memory/host.js';
import { MemoryView } from './memory/memory-view.js';
import type { MemoryPlace } from './memory/view-state.js';
import { pickOtherState } from './pickers/pick-other-state.js';
import { NOTES_VIEW, NotesView } from './memory/note-pane/notes-view.js';

/** Registers every view and the ribbon icons. */
export function addViews(
  plugin: Plugin,
  savepoint: Store<Savepoint | undefined>,
  chat: Store<ChatService | undefined>,
): void {
  const { app } = plugin;
  plugin.registerView(
    MEMORY_VIEW,
    (leaf) =>
      new MemoryView(leaf, savepoint, {
        pickState: pickOtherState,
        resume: (_, state) => resumeInChat(openedChat(chat), state),
      }),
  );
  plugin.registerView(
    NOTES_VIEW,
    (leaf) => new NotesView(leaf, savepoint, (place) => openMemory(app, place)),
  );
  plugin.registerView(CHAT_VIEW, (leaf) => new ChatView(leaf, savepoint, chat));
  plugin.registerHoverLinkSource(CHAT_VIEW, { display: text.chat.title, defaultMod: true });
  plugin.registerHoverLinkSource(MEMORY_VIEW, { display: text.memoryView.title, defaultMod: true });
  plugin.addRibbonIcon('brain', text.memoryView.openMemory, () => void openMemory(app));
  plugin.addRibbonIcon('message-square', text.chat.openChat, () => void openChat(app));
}

/** Shows the memory view, opening it in the right sidebar if needed; optionally at a place. */
export async function openMemory(app: App, place?: MemoryPlace): Promise<void> {
  const leaf = await openView(app, MEMORY_VIEW);
  if (place && leaf.view instanceof MemoryView) leaf.view.show(place);
}

/** Shows the chat, opening it in the right sidebar if needed; optionally with a conversation. */
export async function openChat(app: App, conversation?: string): Promise<void> {
  const view = await openChatView(app);
  if (conversation === undefined) view?.focusComposer();
  else view?.show(conversation);
}

export async function startNewConversation(app: App): Promise<void> {
  (await openChatView(app))?.startNew();
}

/** Resumes a state in a new conversation. */
export async function resumeInChat(chat: ChatService, state: Named<State>): Promise<void> {
  const controller = await startFromState(chat, state);
  await openChat(chat.savepoint.app, controller.id.get());
}

/** Shows the memory of the active note, opening the pane in the right sidebar if needed. */
export async function openNotesPane(app: App): Promise<void> {
  await openView(app, NOTES_VIEW);
}

async function openChatView(app: App): Promise<ChatView | undefined> {
  const { view } = await openView(app, CHAT_VIEW);
  return view instanceof ChatView ? view : undefined;
}

async function openView({ workspace }: App, type: string): Promise<WorkspaceLeaf> {
  const leaf =
    workspace.getLeavesOfType(type)[0] ??
    (await workspace.ensureSideLeaf(type, 'right', { active: true, reveal: false }));
  await workspace.revealLeaf(leaf);
  return leaf;
}
