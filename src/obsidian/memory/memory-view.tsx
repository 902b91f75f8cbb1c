import type { HoverParent, HoverPopover, ViewStateResult, WorkspaceLeaf } from 'obsidian';
import type { Savepoint } from '../savepoint.js';
import { createStore, type Store } from '../store.js';
import { text } from '../i18n/index.js';
import { PreactView } from '../ui/preact-view.js';
import { MEMORY_VIEW, type MemoryActions } from './host.js';
import { MemoryPane } from './memory-pane.js';
import { firstView, goTo, readViewState, type MemoryPlace, type ViewState } from './view-state.js';

/** The view of workspaces, their timelines and complete states. */
export class MemoryView extends PreactView implements HoverParent {
  override icon = 'brain';
  hoverPopover: HoverPopover | null = null;
  private readonly view = createStore<ViewState>(firstView);

  constructor(
    leaf: WorkspaceLeaf,
    private readonly savepoint: Store<Savepoint | undefined>,
    private readonly help: MemoryActions,
  ) {
    super(leaf);
    this.register(this.view.subscribe(() => this.app.workspace.requestSaveLayout()));
  }

  override getViewType(): string {
    return MEMORY_VIEW;
  }

  override getDisplayText(): string {
    return text.memoryView.title;
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), ...this.view.get() };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    this.view.set(readViewState(state));
  }

  show(place: MemoryPlace): void {
    this.view.set(goTo(this.view.get(), place));
  }

  protected override content() {
    return (
      <MemoryPane savepoint={this.savepoint} view={this.view} hoverParent={this} help={this.help} />
    );
  }
}
