import type { ViewState, ViewStateResult } from 'obsidian';
import type { App } from './app';
import { Component } from './component';
import { iconButton } from './icons';
import type { Scope } from './keymap';
import type { WorkspaceLeaf } from './leaf';
import type { Menu } from './menu';
import { TFile } from './vault';

export abstract class View extends Component {
  app: App;
  icon = 'file';
  navigation = false;
  leaf: WorkspaceLeaf;
  containerEl: HTMLElement;
  scope: Scope | null = null;

  constructor(leaf: WorkspaceLeaf) {
    super();
    this.leaf = leaf;
    this.app = leaf.app;
    this.containerEl = createDiv('workspace-leaf-content');
  }

  protected onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected onClose(): Promise<void> {
    return Promise.resolve();
  }

  abstract getViewType(): string;
  abstract getDisplayText(): string;

  getState(): Record<string, unknown> {
    return {};
  }

  setState(_state: unknown, _result: ViewStateResult): Promise<void> {
    return Promise.resolve();
  }

  getEphemeralState(): Record<string, unknown> {
    return {};
  }

  setEphemeralState(_state: unknown): void {}

  getIcon(): string {
    return this.icon;
  }

  onResize(): void {}

  onPaneMenu(_menu: Menu, _source: string): void {}

  /** Called by the leaf, as is `closeView`. */
  async openView(): Promise<void> {
    this.containerEl.setAttr('data-type', this.getViewType());
    await this.load();
    await this.onOpen();
  }

  async closeView(): Promise<void> {
    this.containerEl.detach();
    await this.onClose();
    this.unload();
  }
}

/**
 * A view with the usual header; `containerEl.children` are the header and the content, in this
 * order.
 */
export abstract class ItemView extends View {
  contentEl: HTMLElement;
  readonly #actionsEl: HTMLElement;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    const header = this.containerEl.createDiv('view-header');
    header.createDiv('view-header-left');
    const title = header.createDiv('view-header-title-container mod-at-start');
    title.createDiv('view-header-title-parent');
    title.createDiv({ cls: 'view-header-title', attr: { role: 'heading', 'aria-level': 1 } });
    this.#actionsEl = header.createDiv('view-actions');
    iconButton(
      this.#actionsEl,
      'more-vertical',
      'More options',
      (event) => this.app.workspace.showPaneMenu(this.leaf, event, 'more-options'),
      'view-action',
    );
    this.contentEl = this.containerEl.createDiv('view-content');
  }

  addAction(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const el = iconButton(this.#actionsEl, icon, title, callback, 'view-action');
    this.#actionsEl.prepend(el);
    return el;
  }
}

/** View of an empty tab. */
export class EmptyView extends ItemView {
  override icon = 'file';
  override navigation = true;

  getViewType(): string {
    return 'empty';
  }

  getDisplayText(): string {
    return 'New tab';
  }

  override onload(): void {
    this.containerEl.setAttr('data-type', 'empty');
    const box = this.contentEl.createDiv('empty-state').createDiv('empty-state-container');
    box.createDiv({ cls: 'empty-state-title', text: 'No file is open' });
    const list = box.createDiv('empty-state-action-list');
    const action = (text: string, run: () => unknown) =>
      list
        .createEl('button', { cls: 'empty-state-action tappable', text })
        .addEventListener('click', run);
    action('Open command palette', () =>
      this.app.commands.executeCommandById('command-palette:open'),
    );
    action('Close', () => this.leaf.detach());
  }
}

/**
 * Placeholder for a view that is not loaded yet, or whose plugin is missing; it has the view's type
 * and keeps its state.
 */
export class DeferredView extends View {
  override navigation = true;
  readonly viewState: ViewState;

  constructor(leaf: WorkspaceLeaf, viewState: ViewState) {
    super(leaf);
    this.viewState = viewState;
    this.containerEl
      .createDiv('view-content')
      .createDiv({ cls: 'pane-empty', text: 'This view is not loaded.' });
  }

  getViewType(): string {
    return this.viewState.type;
  }

  getDisplayText(): string {
    return this.viewState.type;
  }

  override getState(): Record<string, unknown> {
    return this.viewState.state ?? {};
  }
}

export abstract class FileView extends ItemView {
  allowNoFile = false;
  file: TFile | null = null;
  override navigation = true;

  getDisplayText(): string {
    return this.file?.basename ?? 'No file';
  }

  override onload(): void {
    this.registerEvent(
      this.app.vault.on('rename', (file: unknown) => {
        if (file === this.file && this.file) void this.onRename(this.file);
      }),
    );
    this.registerEvent(
      this.app.vault.on('delete', (file: unknown) => {
        if (file === this.file && !this.allowNoFile) void this.leaf.setViewState({ type: 'empty' });
      }),
    );
  }

  override getState(): Record<string, unknown> {
    return this.file ? { file: this.file.path } : {};
  }

  override async setState(state: unknown, _result: ViewStateResult): Promise<void> {
    const { file: path } = (state ?? {}) as { file?: unknown };
    const file = typeof path === 'string' ? this.app.vault.getFileByPath(path) : null;
    if (file === this.file) return;
    if (this.file) await this.onUnloadFile(this.file);
    this.file = file;
    if (file) await this.onLoadFile(file);
  }

  onLoadFile(_file: TFile): Promise<void> {
    return Promise.resolve();
  }

  onUnloadFile(_file: TFile): Promise<void> {
    return Promise.resolve();
  }

  onRename(_file: TFile): Promise<void> {
    this.leaf.updateHeader();
    return Promise.resolve();
  }

  canAcceptExtension(_extension: string): boolean {
    return false;
  }

  protected override async onClose(): Promise<void> {
    if (this.file) await this.onUnloadFile(this.file);
    this.file = null;
  }
}

export abstract class EditableFileView extends FileView {}

export class ImageView extends EditableFileView {
  getViewType(): string {
    return 'image';
  }

  override onLoadFile(file: TFile): Promise<void> {
    this.contentEl.empty();
    const src = this.app.vault.getResourcePath(file);
    this.contentEl.createEl('img', { attr: { src, alt: file.name } });
    return Promise.resolve();
  }
}

export abstract class TextFileView extends EditableFileView {
  data = '';
  #lastSaved: string | null = null;
  #timer: number | undefined;

  requestSave = (): void => {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.save(), 2000);
  };

  abstract getViewData(): string;
  abstract setViewData(data: string, clear: boolean): void;
  abstract clear(): void;

  override onload(): void {
    super.onload();
    this.registerEvent(
      this.app.vault.on('modify', (file: unknown) => {
        if (file === this.file) void this.#reload();
      }),
    );
  }

  override async onLoadFile(file: TFile): Promise<void> {
    this.data = await this.app.vault.read(file);
    this.#lastSaved = this.data;
    this.setViewData(this.data, true);
  }

  override async onUnloadFile(file: TFile): Promise<void> {
    await super.onUnloadFile(file);
    await this.save(true);
  }

  async save(clear = false): Promise<void> {
    window.clearTimeout(this.#timer);
    const { file } = this;
    this.data = this.getViewData();
    if (file && this.data !== this.#lastSaved && this.app.vault.getFileByPath(file.path) === file) {
      this.#lastSaved = this.data;
      await this.app.vault.modify(file, this.data);
    }
    if (clear) this.clear();
  }

  /** Called when another program or a plugin has written the open file. */
  async #reload(): Promise<void> {
    if (!this.file) return;
    const text = await this.app.vault.read(this.file);
    if (text === this.#lastSaved) return;
    this.data = this.#lastSaved = text;
    this.setViewData(text, false);
  }
}
