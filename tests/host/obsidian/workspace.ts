import type {
  Constructor,
  Debouncer,
  MarkdownFileInfo,
  OpenViewState,
  PaneType,
  Side,
  SplitDirection,
} from 'obsidian';
import type { App } from './app';
import { installDom, forgetWindow, migrate, type BrowserWindow } from './dom';
import { Events } from './events';
import {
  LeafStack,
  WorkspaceFloating,
  WorkspaceMobileDrawer,
  WorkspaceParent,
  WorkspaceRibbon,
  WorkspaceRoot,
  WorkspaceSidedock,
  WorkspaceSplit,
  WorkspaceTabs,
  WorkspaceWindow,
  type WorkspaceItem,
} from './layout';
import { readLayout, writeLayout, type SavedLayout } from './saved-layout';
import { WorkspaceLeaf } from './leaf';
import { parseLinktext } from './links';
import { MarkdownView } from './markdown-view';
import { Menu } from './menu';
import { Platform } from './platform';
import { refuse } from './refuse';
import type { TFile } from './vault';
import { debounce } from './utilities';
import { FileView, type View } from './views';

type Sidebar = WorkspaceSidedock | WorkspaceMobileDrawer;
interface PopoutData {
  readonly size?: { readonly width: number; readonly height: number };
}

export class Workspace extends Events {
  readonly containerEl: HTMLElement = createDiv('workspace');
  leftSplit!: Sidebar;
  rightSplit!: Sidebar;
  rootSplit!: WorkspaceRoot;
  leftRibbon = new WorkspaceRibbon('left');
  rightRibbon = new WorkspaceRibbon('right');
  activeLeaf: WorkspaceLeaf | null = null;
  activeEditor: MarkdownFileInfo | null = null;
  layoutReady = false;
  requestSaveLayout: Debouncer<[], Promise<void>>;
  readonly app: App;
  floatingSplit!: WorkspaceFloating;
  #waiting: (() => unknown)[] = [];
  #recentLeaves: WorkspaceLeaf[] = [];
  #recentFiles: string[] = [];
  #shownFile: TFile | null = null;
  #viewScope: View['scope'] = null;

  constructor(app: App) {
    super();
    this.app = app;
    this.requestSaveLayout = debounce(
      // nothing waits for it, and a full disk is no error of the page
      () => this.saveLayout().catch(() => undefined),
      2000,
      true,
    );
  }

  /**
   * Creates the empty layout. Not in the constructor, because leaves need an app with a workspace.
   */
  build(): void {
    this.leftSplit = Platform.isMobile
      ? new WorkspaceMobileDrawer(this, 'left')
      : new WorkspaceSidedock(this, 'left');
    this.rightSplit = Platform.isMobile
      ? new WorkspaceMobileDrawer(this, 'right')
      : new WorkspaceSidedock(this, 'right');
    this.rootSplit = new WorkspaceRoot(this);
    this.floatingSplit = new WorkspaceFloating(this);
    this.rootSplit.containerEl.setAttr('role', 'main');
    this.leftSplit.containerEl.setAttrs({ role: 'complementary', 'aria-label': 'Left sidebar' });
    this.rightSplit.containerEl.setAttrs({ role: 'complementary', 'aria-label': 'Right sidebar' });
    if (!Platform.isMobile) this.containerEl.appendChild(this.leftRibbon.containerEl);
    for (const part of [this.leftSplit, this.rootSplit, this.rightSplit])
      this.containerEl.appendChild(part.containerEl);
    this.addTabs(this.rootSplit);
  }

  onLayoutReady(callback: () => unknown): void {
    if (this.layoutReady) callback();
    else this.#waiting.push(callback);
  }

  setReady(): void {
    this.layoutReady = true;
    for (const callback of this.#waiting.splice(0)) callback();
    this.trigger('layout-ready');
    this.trigger('layout-change');
  }

  getLayout(): Record<string, unknown> {
    return { ...writeLayout(this) };
  }

  async changeLayout(layout: unknown): Promise<void> {
    this.iterateAllLeaves((leaf) => leaf.detach());
    await readLayout(this, layout as SavedLayout);
    this.onLayoutChanged();
  }

  async saveLayout(): Promise<void> {
    const { adapter, configDir } = this.app.vault;
    if (!(await adapter.exists(configDir))) await adapter.mkdir(configDir);
    await adapter.write(`${configDir}/workspace.json`, JSON.stringify(this.getLayout(), null, 2));
  }

  /** Restores the saved layout. Hidden leaves stay deferred, and a truncated file is ignored. */
  async restoreLayout(): Promise<void> {
    const path = `${this.app.vault.configDir}/workspace.json`;
    if (!(await this.app.vault.adapter.exists(path))) return;
    const layout = parseLayout(await this.app.vault.adapter.read(path));
    if (layout !== undefined) await this.changeLayout(layout);
  }

  /** Adds an empty leaf to a tab group or drawer. */
  addLeaf(stack: LeafStack, index?: number, id?: string): WorkspaceLeaf {
    const leaf = new WorkspaceLeaf(this.app, id);
    stack.insertLeaf(leaf, index);
    return leaf;
  }

  /** Adds a tab group with an empty leaf to a split. */
  addTabs(split: WorkspaceSplit, index?: number): WorkspaceLeaf {
    const tabs = new WorkspaceTabs(this);
    split.insertChild(tabs, index);
    return this.addLeaf(tabs);
  }

  createLeafInParent(parent: WorkspaceSplit, index: number): WorkspaceLeaf {
    return this.addTabs(parent, index);
  }

  createLeafBySplit(
    leaf: WorkspaceLeaf,
    direction: SplitDirection = 'vertical',
    before = false,
  ): WorkspaceLeaf {
    const tabs = leaf.parent;
    if (!(tabs instanceof WorkspaceTabs) || !tabs.parent)
      throw new Error('A drawer cannot be split');
    const index = tabs.parent.children.indexOf(tabs);
    if (tabs.parent.direction === direction)
      return this.addTabs(tabs.parent, before ? index : index + 1);
    const split = new WorkspaceSplit(this, direction);
    const outer = tabs.parent;
    outer.children.splice(index, 1);
    outer.insertChild(split, index);
    split.insertChild(tabs);
    return this.addTabs(split, before ? 0 : 1);
  }

  splitActiveLeaf(direction?: SplitDirection): WorkspaceLeaf {
    return this.getLeaf('split', direction);
  }

  async duplicateLeaf(
    leaf: WorkspaceLeaf,
    leafType?: PaneType | boolean | SplitDirection,
    direction?: SplitDirection,
  ): Promise<WorkspaceLeaf> {
    const isDirection = leafType === 'vertical' || leafType === 'horizontal';
    const copy = isDirection
      ? this.createLeafBySplit(leaf, leafType)
      : this.getLeaf(leafType ?? 'split', direction);
    await copy.setViewState(leaf.getViewState(), leaf.getEphemeralState());
    return copy;
  }

  getUnpinnedLeaf(): WorkspaceLeaf {
    return this.getLeaf(false);
  }

  getLeaf(newLeaf: PaneType | boolean = false, direction?: SplitDirection): WorkspaceLeaf {
    if (newLeaf === 'window') return this.openPopoutLeaf();
    const recent = this.getMostRecentLeaf();
    if (!recent) return this.addTabs(this.rootSplit);
    if (newLeaf === 'split') return this.createLeafBySplit(recent, direction);
    if (newLeaf === false && !recent.pinned && recent.view.navigation) return recent;
    return this.addLeaf(recent.parent);
  }

  getMostRecentLeaf(root?: WorkspaceParent): WorkspaceLeaf | null {
    const roots: WorkspaceItem[] = root ? [root] : [this.rootSplit, ...this.floatingSplit.children];
    const isWithin = (leaf: WorkspaceLeaf) => roots.includes(leaf.getRoot());
    const first = roots.flatMap((each) =>
      each instanceof WorkspaceParent ? [...each.leaves()] : [],
    )[0];
    return this.#recentLeaves.findLast(isWithin) ?? first ?? null;
  }

  getLeftLeaf(split: boolean): WorkspaceLeaf | null {
    return this.#addSideLeaf(this.leftSplit, split);
  }

  getRightLeaf(split: boolean): WorkspaceLeaf | null {
    return this.#addSideLeaf(this.rightSplit, split);
  }

  async ensureSideLeaf(
    type: string,
    side: Side,
    options: {
      active?: boolean;
      split?: boolean;
      reveal?: boolean;
      state?: Record<string, unknown>;
    } = {},
  ): Promise<WorkspaceLeaf> {
    const { active = false, split = false, reveal = true, state } = options;
    const sidebar = side === 'left' ? this.leftSplit : this.rightSplit;
    const found = this.getLeavesOfType(type).find((leaf) => leaf.getRoot() === sidebar);
    const leaf = found ?? this.#addSideLeaf(sidebar, split);
    if (!found || state) await leaf.setViewState({ type, ...(state && { state }) });
    if (reveal) await this.revealLeaf(leaf);
    if (active) this.setActiveLeaf(leaf, { focus: true });
    return leaf;
  }

  /**
   * In a browser a pop-out is a second window of the same origin, with the helpers and styles of
   * the main one. Throws if the window cannot open another (happy-dom), and on mobile as in the
   * app.
   */
  openPopoutLeaf(data?: PopoutData): WorkspaceLeaf {
    return this.addTabs(this.#openWindow(data));
  }

  moveLeafToPopout(leaf: WorkspaceLeaf, data?: PopoutData): WorkspaceWindow {
    const popout = this.#openWindow(data);
    const tabs = new WorkspaceTabs(this);
    popout.insertChild(tabs);
    leaf.parent.removeChild(leaf);
    migrate(leaf.containerEl, popout.containerEl);
    tabs.insertLeaf(leaf);
    this.onLayoutChanged();
    return popout;
  }

  async openLinkText(
    linktext: string,
    sourcePath: string,
    newLeaf?: PaneType | boolean,
    openViewState?: OpenViewState,
  ): Promise<void> {
    const { path } = parseLinktext(linktext);
    const { metadataCache, vault, fileManager } = this.app;
    const name = path.endsWith('.md') ? path : `${path}.md`;
    const folder = fileManager.getNewFileParent(sourcePath).path;
    const newPath = name.includes('/') || folder === '/' ? name : `${folder}/${name}`;
    const known =
      path === ''
        ? vault.getFileByPath(sourcePath)
        : metadataCache.getFirstLinkpathDest(path, sourcePath);
    await this.getLeaf(newLeaf).openFile(known ?? (await vault.create(newPath, '')), openViewState);
  }

  setActiveLeaf(leaf: WorkspaceLeaf, params?: { focus?: boolean } | boolean, focus = false): void {
    const before = this.activeLeaf;
    this.activeLeaf = leaf;
    this.#recentLeaves = [...this.#recentLeaves.filter((other) => other !== leaf), leaf];
    before?.containerEl.removeClass('mod-active');
    leaf.containerEl.addClass('mod-active');
    if ((leaf.parent as LeafStack).current !== leaf) (leaf.parent as LeafStack).select(leaf);
    void leaf.loadIfDeferred();
    this.#useScope(leaf.view.scope);
    this.activeEditor =
      leaf.view instanceof MarkdownView ? (leaf.view as unknown as MarkdownFileInfo) : null;
    if (typeof params === 'object' ? params.focus : focus) this.#focus(leaf);
    if (before === leaf) return;
    before?.updateHeader();
    leaf.updateHeader();
    this.trigger('active-leaf-change', leaf);
    this.onFileShown(leaf);
    this.requestSaveLayout();
  }

  getLeafById(id: string): WorkspaceLeaf | null {
    return this.#leaves().find((leaf) => leaf.id === id) ?? null;
  }

  getGroupLeaves(group: string): WorkspaceLeaf[] {
    return this.#leaves().filter((leaf) => leaf.group === group);
  }

  getActiveViewOfType<T>(type: Constructor<T>): T | null {
    const view: unknown = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }

  getActiveFile(): TFile | null {
    const view = this.activeLeaf?.view;
    if (view instanceof FileView && view.file) return view.file;
    const recent = this.#recentLeaves.findLast(
      ({ view: each }) => each instanceof FileView && each.file,
    );
    return recent?.view instanceof FileView ? recent.view.file : null;
  }

  iterateRootLeaves(callback: (leaf: WorkspaceLeaf) => unknown): void {
    for (const leaf of [...this.rootSplit.leaves(), ...this.floatingSplit.leaves()])
      if (callback(leaf) === true) return;
  }

  iterateAllLeaves(callback: (leaf: WorkspaceLeaf) => unknown): void {
    this.#leaves().forEach((leaf) => callback(leaf));
  }

  getLeavesOfType(viewType: string): WorkspaceLeaf[] {
    return this.#leaves().filter((leaf) => leaf.view.getViewType() === viewType);
  }

  detachLeavesOfType(viewType: string): void {
    for (const leaf of this.getLeavesOfType(viewType)) leaf.detach();
  }

  async revealLeaf(leaf: WorkspaceLeaf): Promise<void> {
    const root = leaf.getRoot();
    if (root instanceof WorkspaceSidedock || root instanceof WorkspaceMobileDrawer) root.expand();
    (leaf.parent as LeafStack).select(leaf);
    await leaf.loadIfDeferred();
  }

  getLastOpenFiles(): string[] {
    return [...this.#recentFiles];
  }

  handleLinkContextMenu(
    menu: Menu,
    linktext: string,
    sourcePath: string,
    leaf?: WorkspaceLeaf,
  ): boolean {
    const file = this.app.metadataCache.getFirstLinkpathDest(
      parseLinktext(linktext).path,
      sourcePath,
    );
    if (!file) return false;
    this.trigger('file-menu', menu, file, 'link-context-menu', leaf);
    return true;
  }

  updateOptions(): void {
    refuse('Workspace.updateOptions');
  }

  /** The menu of a tab or of a view's three dots. */
  showPaneMenu(leaf: WorkspaceLeaf, event: MouseEvent, source: string): void {
    const menu = new Menu();
    leaf.view.onPaneMenu(menu, source);
    if (leaf.view instanceof FileView && leaf.view.file)
      this.trigger('file-menu', menu, leaf.view.file, source, leaf);
    menu.addItem((item) =>
      item
        .setTitle('Close')
        .setIcon('x')
        .onClick(() => leaf.detach()),
    );
    if (source === 'tab-header') event.preventDefault();
    menu.showAtMouseEvent(event);
  }

  /** Triggers `file-open` if the active file has changed. */
  onFileShown(leaf: WorkspaceLeaf): void {
    if (leaf !== this.activeLeaf) return;
    const file = leaf.view instanceof FileView ? leaf.view.file : null;
    this.#useScope(leaf.view.scope);
    this.activeEditor =
      leaf.view instanceof MarkdownView ? (leaf.view as unknown as MarkdownFileInfo) : null;
    if (!file && !(leaf.view.getViewType() === 'empty')) return;
    if (file === this.#shownFile) return;
    this.#shownFile = file;
    if (file)
      this.#recentFiles = [
        file.path,
        ...this.#recentFiles.filter((path) => path !== file.path),
      ].slice(0, 10);
    this.trigger('file-open', file);
  }

  onLeafClosing(leaf: WorkspaceLeaf): void {
    this.#recentLeaves = this.#recentLeaves.filter((other) => other !== leaf);
    if (this.activeLeaf !== leaf) return;
    this.activeLeaf = null;
    this.activeEditor = null;
    this.#useScope(null);
    window.setTimeout(() => {
      const next = this.activeLeaf ?? this.getMostRecentLeaf();
      if (next && next !== this.activeLeaf) this.setActiveLeaf(next);
    }, 0);
  }

  #layoutChange = debounce(() => this.trigger('layout-change'), 0);

  onLayoutChanged(): void {
    if (!this.layoutReady) return;
    this.#layoutChange();
    this.requestSaveLayout();
  }

  /** Disposes of the layout: closes pop-outs and views without saving. */
  async close(): Promise<void> {
    this.requestSaveLayout.cancel();
    this.#layoutChange.cancel();
    for (const leaf of this.#leaves()) await leaf.view.closeView();
    for (const popout of this.floatingSplit.children)
      if (popout instanceof WorkspaceWindow) popout.win.close();
    this.containerEl.detach();
  }

  #leaves(): WorkspaceLeaf[] {
    return [this.rootSplit, this.leftSplit, this.rightSplit, this.floatingSplit].flatMap((part) => [
      ...part.leaves(),
    ]);
  }

  #addSideLeaf(sidebar: Sidebar, split: boolean): WorkspaceLeaf {
    if (sidebar instanceof WorkspaceMobileDrawer) return this.addLeaf(sidebar);
    const tabs = sidebar.children[0];
    return tabs instanceof WorkspaceTabs && !split ? this.addLeaf(tabs) : this.addTabs(sidebar);
  }

  #useScope(scope: View['scope']): void {
    if (scope === this.#viewScope) return;
    if (this.#viewScope) this.app.keymap.popScope(this.#viewScope);
    this.#viewScope = scope;
    if (scope) this.app.keymap.pushScope(scope);
  }

  #focus({ view, containerEl }: WorkspaceLeaf): void {
    if (containerEl.contains(containerEl.doc.activeElement)) return;
    const inner = view.containerEl.find('.view-content') as HTMLElement | null;
    if (!inner) return;
    if (!inner.hasAttribute('tabindex')) inner.setAttr('tabindex', -1);
    inner.focus();
  }

  #openWindow({ size = { width: 600, height: 800 } }: PopoutData = {}): WorkspaceWindow {
    if (Platform.isMobile) throw new Error('Popout windows are not supported on this device');
    const win = window.open(
      '',
      '',
      `popup,width=${size.width},height=${size.height}`,
    ) as BrowserWindow | null;
    if (!win?.document?.body) throw new Error('This host has no second window');
    installDom(win);
    for (const style of document.head.findAll('style, link[rel="stylesheet"]'))
      win.document.head.appendChild(win.document.importNode(style, true));
    win.document.body.className = `${document.body.className} is-popout-window`;
    const popout = new WorkspaceWindow(this, win);
    this.floatingSplit.insertChild(popout);
    const main = win.document.body
      .createDiv('app-container')
      .createDiv('horizontal-main-container');
    main.createDiv('workspace').appendChild(popout.containerEl);
    const stopKeys = this.app.keymap.listen(win);
    win.addEventListener('pagehide', () => {
      stopKeys();
      for (const leaf of [...popout.leaves()]) leaf.detach();
      this.floatingSplit.children.remove(popout);
      forgetWindow(win);
      this.trigger('window-close', popout, win);
    });
    this.trigger('window-open', popout, win);
    return popout;
  }
}

/** Returns the layout in the text, or undefined if the text is not JSON. */
function parseLayout(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
