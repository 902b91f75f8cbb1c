import type { OpenViewState, ViewState } from 'obsidian';
import type { App } from './app';
import {
  WorkspaceItem,
  type LeafStack,
  type WorkspaceMobileDrawer,
  type WorkspaceTabs,
} from './layout';
import { setIcon } from './icons';
import type { TFile } from './vault';
import { DeferredView, EmptyView, type View } from './views';
import type { HoverPopover } from './hover';

export class WorkspaceLeaf extends WorkspaceItem {
  parent!: WorkspaceTabs | WorkspaceMobileDrawer;
  view: View;
  hoverPopover: HoverPopover | null = null;
  readonly app: App;
  readonly id: string;
  pinned = false;
  group: string | null = null;

  constructor(app: App, id = Math.random().toString(16).slice(2).padEnd(16, '0').slice(0, 16)) {
    super(app.workspace, 'workspace-leaf');
    this.app = app;
    this.id = id;
    this.containerEl.createEl('hr', 'workspace-leaf-resize-handle');
    this.view = new EmptyView(this);
    this.containerEl.appendChild(this.view.containerEl);
    void this.view.load();
    const activate = () => {
      if (app.workspace.activeLeaf !== this) app.workspace.setActiveLeaf(this);
    };
    this.containerEl.addEventListener('mousedown', activate);
    this.containerEl.addEventListener('focusin', activate);
  }

  async openFile(file: TFile, openState: OpenViewState = {}): Promise<void> {
    const type = this.app.viewRegistry.typeOfExtension(file.extension);
    if (type === undefined) throw new Error(`No view is registered for ".${file.extension}"`);
    const state = { ...openState.state, file: file.path };
    await this.setViewState({ type, state, active: openState.active ?? true }, openState.eState);
  }

  /** Replaces the current view, which is closed first. */
  async open(view: View): Promise<View> {
    const before = this.view;
    await before.closeView();
    this.view = view;
    this.containerEl.appendChild(view.containerEl);
    await view.openView();
    this.workspace.onLayoutChanged();
    return view;
  }

  getViewState(): ViewState {
    if (this.view instanceof DeferredView)
      return { ...this.view.viewState, ...(this.pinned && { pinned: true }) };
    return {
      type: this.view.getViewType(),
      state: this.view.getState(),
      ...(this.pinned && { pinned: true }),
    };
  }

  async setViewState(viewState: ViewState, eState?: unknown): Promise<void> {
    const { type, state = {}, active, pinned } = viewState;
    if (pinned !== undefined) this.setPinned(pinned);
    if (this.view.getViewType() !== type || this.isDeferred) {
      const create = this.app.viewRegistry.creatorOf(type);
      await this.open(
        create
          ? create(this)
          : type === 'empty'
            ? new EmptyView(this)
            : new DeferredView(this, { type, state }),
      );
    }
    await this.view.setState(state, { history: false });
    if (eState !== undefined) this.view.setEphemeralState(eState);
    this.updateHeader();
    if (active) this.workspace.setActiveLeaf(this, { focus: true });
    this.workspace.onLayoutChanged();
    this.workspace.onFileShown(this);
  }

  get isDeferred(): boolean {
    return this.view instanceof DeferredView;
  }

  async loadIfDeferred(): Promise<void> {
    if (!(this.view instanceof DeferredView)) return;
    if (this.app.viewRegistry.creatorOf(this.view.viewState.type))
      await this.setViewState(this.view.viewState);
  }

  /**
   * Replaces the view by a placeholder that keeps its state: the leaf is in the background, or the
   * view's plugin is unloaded.
   */
  async defer(): Promise<void> {
    if (!this.isDeferred) await this.open(new DeferredView(this, this.getViewState()));
  }

  getEphemeralState(): unknown {
    return this.view.getEphemeralState();
  }

  setEphemeralState(state: unknown): void {
    this.view.setEphemeralState(state);
  }

  togglePinned(): void {
    this.setPinned(!this.pinned);
  }

  setPinned(pinned: boolean): void {
    if (pinned === this.pinned) return;
    this.pinned = pinned;
    this.trigger('pinned-change', pinned);
  }

  setGroupMember(other: WorkspaceLeaf): void {
    other.group ??= `group-${other.id}`;
    this.setGroup(other.group);
  }

  setGroup(group: string): void {
    this.group = group;
    this.trigger('group-change', group);
  }

  detach(): void {
    if (!(this.parent as LeafStack | undefined)?.children.includes(this)) return;
    const closing = this.view.closeView();
    this.workspace.onLeafClosing(this);
    this.parent.removeChild(this);
    void closing;
    this.workspace.onLayoutChanged();
  }

  getIcon(): string {
    return this.view.getIcon();
  }

  getDisplayText(): string {
    return this.view.getDisplayText();
  }

  onResize(): void {
    this.view.onResize();
  }

  /** Redraws the tab and the title, which both show the display text of the view. */
  updateHeader(): void {
    this.containerEl.find('.view-header-title')?.setText(this.getDisplayText());
    const icon = this.containerEl.find('.view-header-icon');
    if (icon) setIcon(icon, this.getIcon());
    (this.parent as LeafStack | undefined)?.refresh();
  }
}
