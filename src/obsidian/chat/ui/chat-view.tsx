import type { HoverParent, HoverPopover, ViewStateResult, WorkspaceLeaf } from 'obsidian';
import type { Savepoint } from '../../savepoint.js';
import type { ChatService } from '../chat-service.js';
import { createStore, type Store } from '../../store.js';
import { text } from '../../i18n/index.js';
import { PreactView } from '../../ui/preact-view.js';
import { ChatPane } from './chat-pane.js';
import { CHAT_VIEW, initialLocation, parseLocation, type ChatLocation } from './host.js';

/** The chat panel. */
export class ChatView extends PreactView implements HoverParent {
  override icon = 'message-square';
  hoverPopover: HoverPopover | null = null;
  private readonly location = createStore<ChatLocation>(initialLocation);

  constructor(
    leaf: WorkspaceLeaf,
    private readonly savepoint: Store<Savepoint | undefined>,
    private readonly chat: Store<ChatService | undefined>,
  ) {
    super(leaf);
    this.register(this.location.subscribe(() => this.app.workspace.requestSaveLayout()));
  }

  override getViewType(): string {
    return CHAT_VIEW;
  }

  override getDisplayText(): string {
    return text.chat.title;
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), conversation: this.location.get().conversation };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    this.location.set({ ...parseLocation(state), newCount: this.location.get().newCount });
  }

  show(conversation: string): void {
    this.location.set({ ...this.location.get(), page: 'conversation', conversation });
    this.focusComposer();
  }

  startNew(): void {
    this.location.set({
      page: 'conversation',
      conversation: undefined,
      newCount: this.location.get().newCount + 1,
    });
    this.focusComposer();
  }

  showList(): void {
    this.location.set({ ...this.location.get(), page: 'list' });
  }

  /** Undefined for a conversation without messages. */
  conversationId(): string | undefined {
    return this.location.get().conversation;
  }

  focusComposer(): void {
    this.contentEl.win.requestAnimationFrame(() =>
      this.contentEl.querySelector<HTMLElement>('.savepoint-composer textarea')?.focus(),
    );
  }

  protected override content() {
    const { savepoint, chat, location } = this;
    return <ChatPane savepoint={savepoint} chat={chat} location={location} hoverParent={this} />;
  }
}
