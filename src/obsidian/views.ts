import {
  FileView,
  ItemView,
  Platform,
  TFile,
  type App,
  type Plugin,
  type WorkspaceLeaf,
} from 'obsidian';
import { workspaceById, type Named } from '../model/lookup.js';
import type { ProjectRecord } from '../model/records/record.js';
import type { State } from '../model/state.js';
import { act, NOTICE_MS, noticeWithUndo } from './actions.js';
import { conversationNames } from './conversation-names.js';
import { openedChat, type ChatService } from './chat/chat-service.js';
import { followFocus } from './focused-view.js';
import type { Connections } from './clients/connections.js';
import { connectApp } from './clients/ui/open-connections.js';
import type { LinkedState } from './links/read-link.js';
import type { Savepoint } from './savepoint.js';
import { followInside, type Store } from './store.js';
import { text } from './i18n/index.js';
import { tellAsking } from './chat/ui/asking-notice.js';
import { ChatView } from './chat/ui/chat-view.js';
import { CHAT_VIEW, type ChatActions } from './chat/ui/host.js';
import { startFromCheckpoint, startFromState } from './chat/ui/resume.js';
import { checkpointTitle, type CapturedTrace } from './checkpoints/captured-trace.js';
import { checkpointContent } from './checkpoints/save-checkpoint.js';
import { openCall } from './memory/call-modal.js';
import { storedStateDrafts } from './host/state-drafts.js';
import { SaveStateForm, type StateOrigin } from './memory/forms/save-state.js';
import { MEMORY_VIEW } from './memory/host.js';
import { MemoryView } from './memory/memory-view.js';
import type { MemoryPlace } from './memory/view-state.js';
import { pickState } from './pickers/pick-state.js';
import { SearchMemory } from './search/search-modal.js';
import { openModal } from './ui/modals.js';
import { NOTES_VIEW, NotesView } from './memory/note-pane/notes-view.js';

/** Registers every view and the ribbon icons. */
export function addViews(
  plugin: Plugin,
  savepoint: Store<Savepoint | undefined>,
  chat: Store<ChatService | undefined>,
  connections: Store<Connections | undefined>,
): void {
  const { app } = plugin;
  const isShown = (id: string) =>
    app.workspace
      .getLeavesOfType(CHAT_VIEW)
      .some(({ view }) => view instanceof ChatView && view.shows(id));
  const chatActions: ChatActions = {
    openState: (state) => openState(app, state),
    openRecord: (record) => openRecord(app, record),
    resume: (state) => resumeInChat(openedChat(chat), state),
    resumeCheckpoint: (trace) => resumeCheckpointInChat(openedChat(chat), trace),
    saveCheckpoint: (trace, saved) => act(() => openCheckpointForm(chat, trace, saved)),
    pickStateToResume: (query) => pickStateToResume(openedChat(chat), query),
    search: (query) => openSearch(openedChat(chat).savepoint, chat.get(), query),
    connectApp() {
      const opened = connections.get();
      if (opened) connectApp(app, opened);
    },
  };
  plugin.registerView(
    MEMORY_VIEW,
    (leaf) =>
      new MemoryView(leaf, savepoint, {
        resume: (_, state) => resumeInChat(openedChat(chat), state),
        resumeCheckpoint: (_, trace) => resumeCheckpointInChat(openedChat(chat), trace),
        saveCheckpoint: (_, trace) => act(() => openCheckpointForm(chat, trace)),
        search: (opened, query) => openSearch(opened, chat.get(), query),
        saveState: (opened, workspaceId) => openSaveState(opened, chat, workspaceId),
      }),
  );
  plugin.registerView(
    NOTES_VIEW,
    (leaf) => new NotesView(leaf, savepoint, (place) => openMemory(app, place)),
  );
  plugin.registerView(CHAT_VIEW, (leaf) => new ChatView(leaf, savepoint, chat, chatActions));
  plugin.registerHoverLinkSource(CHAT_VIEW, { display: text.chat.title, defaultMod: true });
  plugin.registerHoverLinkSource(MEMORY_VIEW, { display: text.memoryView.title, defaultMod: true });
  followFocus(plugin, savepoint, (view) =>
    view instanceof MemoryView || view instanceof ChatView ? view : undefined,
  );
  plugin.registerEvent(
    app.workspace.on('file-menu', (menu, file) => {
      if (!(file instanceof TFile)) return;
      const show = () => act(() => openNotesPane(app, file));
      const { noteTitle } = text.memoryView;
      menu.addItem((item) => item.setIcon('file-clock').setTitle(noteTitle).onClick(show));
    }),
  );
  plugin.register(
    followInside(
      chat,
      ({ asking }) => [asking],
      () => {
        const opened = chat.get();
        if (opened) tellAsking(opened, isShown, (id) => openChat(app, id));
      },
    ),
  );
  plugin.addRibbonIcon('brain', text.commands.names.openMemory, () => void openMemory(app));
  plugin.addRibbonIcon('message-square', text.chat.commands.open, () => void openChat(app));
  if (Platform.isMobile)
    plugin.addRibbonIcon('bookmark-plus', text.commands.names.saveState, () =>
      act(() => openSaveState(openedChat(chat).savepoint, chat)),
    );
}

/** Shows the memory view, opening it in the right sidebar if needed; optionally at a place. */
export async function openMemory(app: App, place?: MemoryPlace): Promise<void> {
  const leaf = await openView(app, MEMORY_VIEW);
  if (!(leaf.view instanceof MemoryView)) return;
  if (place) leaf.view.show(place);
  leaf.view.takeFocus();
}

/** Shows a workspace in the memory view if that has the focus. */
export function showFocusedWorkspace({ workspace }: App, id: string): void {
  workspace.getActiveViewOfType(MemoryView)?.show({ workspace: id });
}

/** Shows the chat, in the right sidebar if it is not open; optionally at a message. */
export async function openChat(app: App, conversation?: string, message?: string): Promise<void> {
  const view = await openChatView(app);
  if (conversation === undefined) view?.focusComposer();
  else view?.show(conversation, message);
}

export async function startNewConversation(app: App): Promise<void> {
  (await openChatView(app))?.startNew();
}

/** Resumes a state in a new conversation, moves this device to its workspace, and offers Undo. */
export async function resumeInChat(chat: ChatService, state: Named<State>): Promise<void> {
  const { savepoint } = chat;
  const controller = await startFromState(chat, state);
  await openChat(savepoint.app, controller.id.get());
  switchForResumed(savepoint, state.item.workspaceId);
}

/** Opens a checkpoint's conversation; for another app's, resumes it as `resumeInChat` does. */
export async function resumeCheckpointInChat(
  chat: ChatService,
  trace: CapturedTrace,
): Promise<void> {
  const { savepoint } = chat;
  const names = await conversationNames(savepoint);
  const title = checkpointTitle(trace, names);
  const controller = names.has(trace.sessionId)
    ? chat.open(trace.sessionId)
    : await startFromCheckpoint(chat, trace, title);
  await openChat(savepoint.app, controller.id.get());
  switchForResumed(savepoint, trace.workspaceId);
}

/** Opens the state form for a checkpoint, in its session, so that it is no longer offered. */
async function openCheckpointForm(
  chat: Store<ChatService | undefined>,
  trace: CapturedTrace,
  saved?: () => void,
): Promise<void> {
  const { savepoint } = openedChat(chat);
  const { workspaceId, sessionId } = trace;
  const { activeFiles, nextSteps, ...content } = await checkpointContent(savepoint, trace);
  const { name, activeTask, conversationContext } = content;
  const origin: StateOrigin = {
    workspaceId,
    typed: { name, activeTask, conversationContext, nextSteps: nextSteps.join('\n') },
    activeFiles,
    call: (tool, params, id) => savepoint.call(tool, params, id, sessionId),
    ...(saved && { saved }),
  };
  showSaveStateForm(savepoint, chat, origin);
}

function switchForResumed(savepoint: Savepoint, workspaceId: string): void {
  const before = savepoint.deviceWorkspaceId.get();
  const workspace = workspaceById(savepoint.memory.get(), workspaceId);
  if (workspace.id === before || workspace.id !== workspaceId || workspace.isArchived) return;
  savepoint.enterWorkspace(workspace.id);
  const undo = () => Promise.resolve(savepoint.enterWorkspace(before));
  // on a phone it would cover the state, and the composer shows the workspace
  const message = Platform.isPhone ? undefined : text.commands.workspaceEntered(workspace.name);
  noticeWithUndo(savepoint, message, undo, NOTICE_MS);
}

/** Opens a state in the memory view. */
function openState(app: App, { item }: Named<State>): Promise<void> {
  return openMemory(app, { workspace: item.workspaceId, state: item.id });
}

/** Opens a record in the memory view. */
export function openRecord(app: App, { workspaceId, id }: ProjectRecord): Promise<void> {
  return openMemory(app, { workspace: workspaceId, record: id });
}

/** Opens the record that is due or, if none is, a workspace. */
export function openDue(app: App, due: ProjectRecord | undefined, workspaceId?: string): void {
  act(() => (due ? openRecord(app, due) : openMemory(app, { workspace: workspaceId })));
}

/** Opens the form that saves a state, filled in by a link. Input of other states is not touched. */
export function openLinkedState(
  savepoint: Savepoint,
  chat: Store<ChatService | undefined>,
  { activeFiles, tags, ...typed }: LinkedState,
  workspaceId: string | undefined,
): void {
  const origin = { workspaceId, typed, activeFiles, tags };
  showSaveStateForm(savepoint, chat, origin);
}

/** Opens the form that saves a state, by default in the current workspace. */
export function openSaveState(
  savepoint: Savepoint,
  chat: Store<ChatService | undefined>,
  workspaceId?: string,
): void {
  const origin = {
    workspaceId,
    note: workspaceId === undefined ? focusedNote(savepoint.app) : undefined,
  };
  showSaveStateForm(savepoint, chat, origin, true);
}

/** Returns the path of the note in focus, or of that whose memory is. */
export function focusedNote({ workspace }: App): string | undefined {
  const view = workspace.getActiveViewOfType(ItemView);
  if (view instanceof NotesView) return view.note.get()?.path;
  return view instanceof FileView ? view.file?.path : undefined;
}

/** Opens the form that saves a state. With `isKept`, its input is kept until it is saved. */
function showSaveStateForm(
  savepoint: Savepoint,
  chat: Store<ChatService | undefined>,
  origin: StateOrigin,
  isKept = false,
): void {
  const { app } = savepoint;
  const actions = {
    open: (state: Named<State>) => openState(app, state),
    resume: (state: Named<State>) => resumeInChat(openedChat(chat), state),
  };
  const drafts = isKept ? storedStateDrafts(app, 'memory') : new Map<string, never>();
  openModal(new SaveStateForm(savepoint, drafts, actions, origin));
}

/** Lets the user choose a state that matches a query, and resumes it in a new conversation. */
export function pickStateToResume(chat: ChatService, query?: string): void {
  pickState(chat.savepoint, {
    texts: {
      ...text.commands.pick.resumeState,
      placeholder: `${text.commands.names.resumeState}…`,
    },
    isArchived: false,
    query,
    choose: (state) => act(() => resumeInChat(chat, state)),
  });
}

export function openSearch(
  savepoint: Savepoint,
  chat: ChatService | undefined,
  query?: string,
): void {
  const { app } = savepoint;
  openModal(
    new SearchMemory(app, {
      savepoint,
      chat,
      query,
      openState: (state) => act(() => openState(app, state)),
      openChat: ({ conversation, message }) =>
        act(() => openChat(app, conversation.id, message?.id)),
      openRecord: (record) => act(() => openRecord(app, record)),
      openCall: (call) => act(() => openCall(savepoint, call)),
    }),
  );
}

/** Shows the memory of a note or else the active one, opening the right sidebar if needed. */
export async function openNotesPane(app: App, note?: TFile): Promise<void> {
  const { view } = await openView(app, NOTES_VIEW);
  if (note && view instanceof NotesView) view.show(note);
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
