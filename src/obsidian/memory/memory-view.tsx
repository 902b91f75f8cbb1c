import type { HoverParent, HoverPopover, ViewStateResult, WorkspaceLeaf } from 'obsidian';
import type { WorkspaceView } from '../focused-view.js';
import type { Savepoint } from '../savepoint.js';
import { createStore, type Store } from '../store.js';
import { text } from '../i18n/index.js';
import { PreactView } from '../ui/preact-view.js';
import { MEMORY_VIEW, type MemoryActions } from './host.js';
import { MemoryPane } from './memory-pane.js';
import { firstView, goTo, readViewState, type MemoryPlace, type ViewState } from './view-state.js';

/** The view of workspaces, their timelines and complete states. */
export class MemoryView extends PreactView implements HoverParent, WorkspaceView {
  override icon = 'brain';
  hoverPopover: HoverPopover | null = null;
  readonly shownWorkspaceId = createStore<string | undefined>(undefined);
  readonly #view = createStore<ViewState>(firstView);
  readonly #wantsFocus = createStore(false);
  readonly #savepoint: Store<Savepoint | undefined>;
  readonly #help: MemoryActions;

  constructor(leaf: WorkspaceLeaf, savepoint: Store<Savepoint | undefined>, help: MemoryActions) {
    super(leaf);
    this.#savepoint = savepoint;
    this.#help = help;
    this.register(
      this.#view.subscribe(() => {
        this.shownWorkspaceId.set(this.#view.get().place.workspace);
        this.app.workspace.requestSaveLayout();
      }),
    );
  }

  override getViewType(): string {
    return MEMORY_VIEW;
  }

  override getDisplayText(): string {
    return text.memoryView.title;
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), ...this.#view.get() };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    this.#view.set(readViewState(state));
  }

  /** Focuses the content once it is shown. */
  takeFocus(): void {
    this.#wantsFocus.set(true);
  }

  show(place: MemoryPlace): void {
    this.#view.set(goTo(this.#view.get(), place));
  }

  protected override content() {
    return (
      <MemoryPane
        savepoint={this.#savepoint}
        view={this.#view}
        wantsFocus={this.#wantsFocus}
        hoverParent={this}
        help={this.#help}
      />
    );
  }
}
