import { Events } from './events';
import { iconButton, setIcon } from './icons';
import type { WorkspaceLeaf } from './leaf';
import type { Workspace } from './workspace';

/*
 * Containers of leaves: splits of tab groups on desktop, a drawer on each side on mobile.
 */

export abstract class WorkspaceItem extends Events {
  abstract parent: WorkspaceParent | null;
  readonly workspace: Workspace;
  readonly containerEl: HTMLElement;

  constructor(workspace: Workspace, cls: string) {
    super();
    this.workspace = workspace;
    this.containerEl = createDiv(cls);
  }

  getRoot(): WorkspaceItem {
    return this.parent instanceof WorkspaceItem && !(this.parent instanceof WorkspaceFloating)
      ? this.parent.getRoot()
      : this;
  }

  /** Returns the window that contains this item. The sidebars belong to the main window. */
  getContainer(): WorkspaceContainer {
    const root = this.getRoot();
    return root instanceof WorkspaceContainer ? root : this.workspace.rootSplit;
  }
}

export abstract class WorkspaceParent extends WorkspaceItem {
  children: WorkspaceItem[] = [];

  insertChild(
    child: WorkspaceItem & { parent: WorkspaceParent | null },
    index = this.children.length,
  ): void {
    this.children.splice(index, 0, child);
    child.parent = this;
    this.containerEl.insertBefore(child.containerEl, this.children[index + 1]?.containerEl ?? null);
  }

  removeChild(child: WorkspaceItem): void {
    this.children.remove(child);
    child.containerEl.detach();
    if (this.children.length === 0) this.onEmpty();
  }

  /** Removes an empty group; only the fixed parts of the layout stay. */
  protected onEmpty(): void {
    this.parent?.removeChild(this);
  }

  *leaves(): Generator<WorkspaceLeaf> {
    for (const child of [...this.children]) {
      if (child instanceof WorkspaceParent) yield* child.leaves();
      else yield child as WorkspaceLeaf;
    }
  }
}

export class WorkspaceSplit extends WorkspaceParent {
  parent: WorkspaceParent | null = null;
  readonly direction: 'vertical' | 'horizontal';

  constructor(workspace: Workspace, direction: 'vertical' | 'horizontal', cls = '') {
    super(workspace, `workspace-split mod-${direction} ${cls}`);
    this.direction = direction;
  }
}

/** Base of tab groups and drawers: leaves of which one is visible. */
export abstract class LeafStack extends WorkspaceParent {
  current: WorkspaceLeaf | null = null;

  insertLeaf(leaf: WorkspaceLeaf, index = this.children.length): void {
    this.children.splice(index, 0, leaf);
    leaf.parent = this as unknown as WorkspaceTabs;
    this.body.appendChild(leaf.containerEl);
    this.select(leaf);
  }

  select(leaf: WorkspaceLeaf): void {
    this.current = leaf;
    this.refresh();
  }

  override removeChild(child: WorkspaceItem): void {
    const index = this.children.indexOf(child);
    super.removeChild(child);
    if (this.current === child)
      this.current =
        (this.children[Math.min(index, this.children.length - 1)] as WorkspaceLeaf | undefined) ??
        null;
    this.refresh();
  }

  /** Shows the current leaf and redraws the headers. */
  refresh(): void {
    for (const leaf of this.leaves()) leaf.containerEl.toggle(leaf === this.current);
    this.drawHeaders();
  }

  protected abstract readonly body: HTMLElement;
  protected abstract drawHeaders(): void;
}

export class WorkspaceTabs extends LeafStack {
  parent: WorkspaceSplit | null = null;
  readonly #headers: HTMLElement;
  protected readonly body: HTMLElement;

  constructor(workspace: Workspace) {
    super(workspace, 'workspace-tabs mod-top');
    const bar = this.containerEl.createDiv('workspace-tab-header-container');
    this.#headers = bar.createDiv({
      cls: 'workspace-tab-header-container-inner',
      attr: { role: 'tablist' },
    });
    const isSide = () => this.getRoot() instanceof WorkspaceSidedock;
    const add = bar.createDiv('workspace-tab-header-new-tab');
    iconButton(add, 'plus', 'New tab', () => {
      if (!isSide()) workspace.addLeaf(this);
    });
    bar.createDiv('workspace-tab-header-spacer');
    this.body = this.containerEl.createDiv('workspace-tab-container');
  }

  protected drawHeaders(): void {
    this.#headers.empty();
    for (const leaf of this.leaves()) this.#headers.appendChild(this.#header(leaf));
  }

  #header(leaf: WorkspaceLeaf): HTMLElement {
    const isCurrent = leaf === this.current;
    const el = createDiv({
      cls: 'workspace-tab-header tappable',
      attr: {
        'data-type': leaf.getViewState().type,
        'aria-label': leaf.getDisplayText(),
        role: 'tab',
        tabindex: 0,
        'aria-selected': isCurrent,
        draggable: true,
      },
    });
    el.toggleClass('is-active', isCurrent);
    el.toggleClass('mod-active', leaf === this.workspace.activeLeaf);
    const inner = el.createDiv('workspace-tab-header-inner');
    setIcon(inner.createDiv('workspace-tab-header-inner-icon'), leaf.getIcon());
    inner.createDiv({ cls: 'workspace-tab-header-inner-title', text: leaf.getDisplayText() });
    inner.createDiv('workspace-tab-header-status-container');
    const close = inner.createDiv({
      cls: 'workspace-tab-header-inner-close-button',
      attr: { 'aria-hidden': 'true' },
    });
    setIcon(close, 'x');
    close.addEventListener('click', (event) => {
      event.stopPropagation();
      leaf.detach();
    });
    const open = () => this.workspace.setActiveLeaf(leaf, { focus: true });
    el.addEventListener('click', open);
    el.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') open();
      if (event.key === 'Delete') leaf.detach();
    });
    el.addEventListener('contextmenu', (event) =>
      this.workspace.showPaneMenu(leaf, event, 'tab-header'),
    );
    return el;
  }
}

export class WorkspaceSidedock extends WorkspaceSplit {
  collapsed = true;
  readonly side: 'left' | 'right';

  constructor(workspace: Workspace, side: 'left' | 'right') {
    super(workspace, 'horizontal', `mod-sidedock mod-${side}-split is-sidedock-collapsed`);
    this.side = side;
    this.containerEl.hide();
  }

  toggle(): void {
    this.#set(!this.collapsed);
  }

  collapse(): void {
    this.#set(true);
  }

  expand(): void {
    this.#set(false);
  }

  protected override onEmpty(): void {
    this.collapse();
  }

  #set(collapsed: boolean): void {
    if (collapsed === this.collapsed) return;
    this.collapsed = collapsed;
    this.containerEl.toggle(!collapsed);
    this.containerEl.toggleClass('is-sidedock-collapsed', collapsed);
    this.workspace.containerEl.toggleClass(`is-${this.side}-sidedock-open`, !collapsed);
    this.workspace.onLayoutChanged();
  }
}

/** A sidebar on mobile, which shows one leaf over everything else. */
export class WorkspaceMobileDrawer extends LeafStack {
  parent: WorkspaceParent | null = null;
  collapsed = true;
  readonly side: 'left' | 'right';
  readonly #title: HTMLElement;
  readonly #options: HTMLElement;
  protected readonly body: HTMLElement;

  constructor(workspace: Workspace, side: 'left' | 'right') {
    super(workspace, `workspace-drawer mod-${side} is-hidden`);
    this.side = side;
    const inner = this.containerEl.createDiv('workspace-drawer-inner');
    const header = inner.createDiv('workspace-drawer-header');
    this.#title = header.createDiv('workspace-drawer-header-name');
    iconButton(header, 'x', 'Close sidebar', () => this.collapse());
    this.#options = inner.createDiv({
      cls: 'workspace-drawer-tab-options',
      attr: { role: 'tablist' },
    });
    this.body = inner.createDiv('workspace-drawer-active-tab-content');
    this.containerEl.hide();
  }

  toggle(): void {
    if (this.collapsed) this.expand();
    else this.collapse();
  }

  expand(): void {
    this.#set(false);
  }

  collapse(): void {
    this.#set(true);
  }

  protected override onEmpty(): void {
    this.collapse();
  }

  protected drawHeaders(): void {
    this.#title.setText(this.current?.getDisplayText() ?? '');
    this.#options.empty();
    for (const leaf of this.leaves()) {
      const button = iconButton(
        this.#options,
        leaf.getIcon(),
        leaf.getDisplayText(),
        () => this.select(leaf),
        'workspace-drawer-tab-option',
      );
      button.setAttrs({ role: 'tab', 'aria-selected': leaf === this.current });
    }
  }

  #set(collapsed: boolean): void {
    if (collapsed === this.collapsed) return;
    this.collapsed = collapsed;
    this.containerEl.toggle(!collapsed);
    this.containerEl.toggleClass('is-hidden', collapsed);
    this.workspace.onLayoutChanged();
  }
}

export abstract class WorkspaceContainer extends WorkspaceSplit {
  abstract win: Window;
  abstract doc: Document;
}

export class WorkspaceRoot extends WorkspaceContainer {
  win: Window = window;
  doc: Document = document;

  constructor(workspace: Workspace) {
    super(workspace, 'vertical', 'mod-root');
  }

  /** The main window always has a tab to open things in. */
  protected override onEmpty(): void {
    this.workspace.addTabs(this);
  }
}

/** Contains the pop-out windows. It is not part of the main window. */
export class WorkspaceFloating extends WorkspaceParent {
  parent: WorkspaceParent | null = null;

  constructor(workspace: Workspace) {
    super(workspace, 'workspace-floating');
  }

  protected override onEmpty(): void {}

  override insertChild(child: WorkspaceWindow): void {
    this.children.push(child);
    child.parent = this;
  }
}

/** A pop-out: a second browser window with a document of its own. It closes with its last leaf. */
export class WorkspaceWindow extends WorkspaceContainer {
  win: Window;
  doc: Document;

  constructor(workspace: Workspace, win: Window) {
    super(workspace, 'vertical', 'mod-root');
    this.win = win;
    this.doc = win.document;
  }

  protected override onEmpty(): void {
    super.onEmpty();
    this.win.close();
  }
}

export class WorkspaceRibbon {
  readonly containerEl: HTMLElement;
  readonly actionsEl: HTMLElement;

  constructor(side: 'left' | 'right') {
    const attr = { role: 'navigation', 'aria-label': 'Ribbon' };
    this.containerEl = createDiv({ cls: `workspace-ribbon side-dock-ribbon mod-${side}`, attr });
    this.actionsEl = this.containerEl.createDiv('side-dock-actions');
  }
}
