import type { HoverParent, HoverPopover, ViewStateResult, WorkspaceLeaf } from 'obsidian';
import type { Savepoint } from '../../savepoint.js';
import { createStore, type Store } from '../../store.js';
import { text } from '../../i18n/index.js';
import { PreactView } from '../../ui/preact-view.js';
import { ChatPane } from './chat-pane.js';
import { CHAT_VIEW, firstPlace, readPlace, type ChatPlace } from './host.js';

/** Conversations with a model that has the memory's tools. */
export class ChatView extends PreactView implements HoverParent {
  override icon = 'message-square';
  override navigation = false;
  hoverPopover: HoverPopover | null = null;
  private readonly place = createStore<ChatPlace>(firstPlace);

  constructor(
    leaf: WorkspaceLeaf,
    private readonly savepoint: Store<Savepoint | undefined>,
  ) {
    super(leaf);
    this.register(this.place.subscribe(() => this.app.workspace.requestSaveLayout()));
  }

  override getViewType(): string {
    return CHAT_VIEW;
  }

  override getDisplayText(): string {
    return text.chat.title;
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), conversation: this.place.get().conversation };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    this.place.set({ ...readPlace(state), fresh: this.place.get().fresh });
  }

  show(conversation: string): void {
    this.place.set({ ...this.place.get(), page: 'talk', conversation });
    this.focusComposer();
  }

  startNew(): void {
    this.place.set({ page: 'talk', conversation: undefined, fresh: this.place.get().fresh + 1 });
    this.focusComposer();
  }

  showList(): void {
    this.place.set({ ...this.place.get(), page: 'list' });
  }

  /** Undefined where nothing has been said yet. */
  conversationId(): string | undefined {
    return this.place.get().conversation;
  }

  focusComposer(): void {
    this.contentEl.win.requestAnimationFrame(() =>
      this.contentEl.querySelector<HTMLElement>('.savepoint-composer textarea')?.focus(),
    );
  }

  protected override content() {
    return <ChatPane savepoint={this.savepoint} place={this.place} hoverParent={this} />;
  }
}
