import type { HoverParent, HoverPopover, ViewStateResult, WorkspaceLeaf } from 'obsidian';
import type { WorkspaceView } from '../../focused-view.js';
import type { Savepoint } from '../../savepoint.js';
import type { ChatService } from '../chat-service.js';
import { createStore, type Store } from '../../store.js';
import { text } from '../../i18n/index.js';
import { PreactView } from '../../ui/preact-view.js';
import { ChatPane } from './chat-pane.js';
import {
  CHAT_VIEW,
  initialLocation,
  parseLocation,
  type ChatActions,
  type ChatLocation,
} from './host.js';

export class ChatView extends PreactView implements HoverParent, WorkspaceView {
  override icon = 'message-square';
  hoverPopover: HoverPopover | null = null;
  readonly shownWorkspaceId = createStore<string | undefined>(undefined);
  readonly #wantsFocus = createStore(false);
  readonly #location = createStore<ChatLocation>(initialLocation);
  readonly #savepoint: Store<Savepoint | undefined>;
  readonly #chat: Store<ChatService | undefined>;
  readonly #actions: ChatActions;

  constructor(
    leaf: WorkspaceLeaf,
    savepoint: Store<Savepoint | undefined>,
    chat: Store<ChatService | undefined>,
    actions: ChatActions,
  ) {
    super(leaf);
    this.#savepoint = savepoint;
    this.#chat = chat;
    this.#actions = actions;
    this.register(this.#location.subscribe(() => this.app.workspace.requestSaveLayout()));
  }

  override getViewType(): string {
    return CHAT_VIEW;
  }

  override getDisplayText(): string {
    return text.chat.title;
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), conversation: this.#location.get().conversation };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    this.#location.set({ ...parseLocation(state), newCount: this.#location.get().newCount });
  }

  show(conversation: string, message?: string): void {
    this.#location.set({ ...this.#location.get(), page: 'conversation', conversation, message });
    this.focusComposer();
  }

  startNew(): void {
    this.#location.set({
      page: 'conversation',
      conversation: undefined,
      newCount: this.#location.get().newCount + 1,
    });
    this.focusComposer();
  }

  showList(): void {
    this.#location.set({ ...this.#location.get(), page: 'list' });
  }

  /** Returns true if the user can see this conversation here. */
  shows(id: string): boolean {
    const { page, conversation } = this.#location.get();
    return page === 'conversation' && conversation === id && this.containerEl.isShown();
  }

  /** Focuses the composer once it is shown. */
  focusComposer(): void {
    this.#wantsFocus.set(true);
  }

  protected override content() {
    const { shownWorkspaceId } = this;
    return (
      <ChatPane
        savepoint={this.#savepoint}
        chat={this.#chat}
        location={this.#location}
        shownWorkspaceId={shownWorkspaceId}
        wantsFocus={this.#wantsFocus}
        actions={this.#actions}
        hoverParent={this}
      />
    );
  }
}
