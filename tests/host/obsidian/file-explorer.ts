import { iconButton, pressable, setIcon } from './icons';
import { Keymap } from './keymap';
import { Menu } from './menu';
import { TFile, TFolder, type TAbstractFile } from './vault';
import { ItemView } from './views';

/**
 * The files of the vault as a tree. Tab focuses one of them, and the arrow keys move between them.
 */
export class FileExplorer extends ItemView {
  override icon = 'folder-closed';
  #collapsed = new Set<string>();
  #filesEl!: HTMLElement;
  #frame = 0;
  #current = '';

  getViewType(): string {
    return 'file-explorer';
  }

  getDisplayText(): string {
    return 'Files';
  }

  override onload(): void {
    const { vault, workspace } = this.app;
    const header = createDiv('nav-header');
    const buttons = header.createDiv('nav-buttons-container');
    const folders = () => vault.getAllFolders().map(({ path }) => path);
    iconButton(buttons, 'edit', 'New note', () => void this.#newNote(), 'nav-action-button');
    iconButton(
      buttons,
      'chevrons-down-up',
      'Collapse all',
      () => this.#collapse(folders()),
      'nav-action-button',
    );
    this.contentEl.before(header);
    this.#filesEl = this.contentEl.createDiv({
      cls: 'nav-files-container node-insert-event',
      attr: { role: 'tree', 'aria-label': 'Files' },
    });
    this.#filesEl.addEventListener('keydown', (event) => this.#onKey(event));
    const draw = () => {
      window.cancelAnimationFrame(this.#frame);
      this.#frame = window.requestAnimationFrame(() => this.#draw());
    };
    for (const name of ['create', 'delete', 'rename']) this.registerEvent(vault.on(name, draw));
    this.registerEvent(workspace.on('file-open', draw));
    this.#collapse(folders());
  }

  override onunload(): void {
    window.cancelAnimationFrame(this.#frame);
  }

  async #newNote(): Promise<void> {
    const { vault, workspace } = this.app;
    let name = 'Untitled.md';
    for (let count = 1; vault.getFileByPath(name); count++) name = `Untitled ${count}.md`;
    await workspace
      .getLeaf(false)
      .openFile(await vault.create(name, ''), { state: { mode: 'source' } });
  }

  #collapse(paths: string[]): void {
    this.#collapsed = new Set(paths);
    this.#draw();
  }

  #draw(): void {
    const hadFocus = this.#filesEl.contains(this.#filesEl.doc.activeElement);
    this.#filesEl.empty();
    this.#drawChildren(this.app.vault.getRoot(), this.#filesEl);
    const rows = this.#rows();
    const current = rows.find((row) => row.dataset['path'] === this.#current) ?? rows[0];
    current?.setAttr('tabindex', 0);
    if (hadFocus) current?.focus();
  }

  #rows(): HTMLElement[] {
    return this.#filesEl.findAll('.tree-item-self');
  }

  #onKey(event: KeyboardEvent): void {
    const rows = this.#rows();
    const at = rows.indexOf(event.target as HTMLElement);
    const row = rows[at];
    const isOpen = row?.getAttr('aria-expanded');
    if (event.key === 'ArrowDown') rows[at + 1]?.focus();
    else if (event.key === 'ArrowUp') rows[at - 1]?.focus();
    else if (
      (event.key === 'ArrowRight' && isOpen === 'false') ||
      (event.key === 'ArrowLeft' && isOpen === 'true')
    )
      row?.click();
    else return;
    event.preventDefault();
  }

  #drawChildren(folder: TFolder, parent: HTMLElement): void {
    const isFolder = (file: TAbstractFile) => (file instanceof TFolder ? 0 : 1);
    const children = [...folder.children].sort(
      (a, b) => isFolder(a) - isFolder(b) || a.name.localeCompare(b.name),
    );
    for (const child of children) {
      if (child instanceof TFolder) this.#drawFolder(child, parent);
      else if (child instanceof TFile) this.#drawFile(child, parent);
    }
  }

  #drawFolder(folder: TFolder, parent: HTMLElement): void {
    const isCollapsed = this.#collapsed.has(folder.path);
    const item = parent.createDiv('tree-item nav-folder');
    item.toggleClass('is-collapsed', isCollapsed);
    const self = this.#row(item, 'nav-folder-title', folder);
    self.addClass('mod-collapsible');
    self.setAttr('aria-expanded', !isCollapsed);
    const icon = self.createDiv('tree-item-icon collapse-icon');
    icon.toggleClass('is-collapsed', isCollapsed);
    setIcon(icon, 'chevron-down');
    self.createDiv({ cls: 'tree-item-inner nav-folder-title-content', text: folder.name });
    pressable(self, () => {
      if (!this.#collapsed.delete(folder.path)) this.#collapsed.add(folder.path);
      this.#draw();
    });
    if (!isCollapsed)
      this.#drawChildren(
        folder,
        item.createDiv({ cls: 'tree-item-children nav-folder-children', attr: { role: 'group' } }),
      );
  }

  #drawFile(file: TFile, parent: HTMLElement): void {
    const self = this.#row(parent.createDiv('tree-item nav-file'), 'nav-file-title tappable', file);
    self.toggleClass('is-active', this.app.workspace.getActiveFile() === file);
    const isNote = file.extension === 'md';
    self.createDiv({
      cls: 'tree-item-inner nav-file-title-content',
      text: isNote ? file.basename : file.name,
    });
    if (!isNote) self.createDiv({ cls: 'nav-file-tag', text: file.extension });
    self.draggable = true;
    pressable(self, (event) => {
      if (this.app.viewRegistry.typeOfExtension(file.extension) === undefined) return;
      void this.app.workspace.getLeaf(Keymap.isModEvent(event)).openFile(file);
    });
  }

  #row(item: HTMLElement, cls: string, file: TAbstractFile): HTMLElement {
    const attr = { 'data-path': file.path, tabindex: -1, role: 'treeitem' };
    const self = item.createDiv({ cls: `tree-item-self is-clickable ${cls}`, attr });
    self.addEventListener('focus', () => (this.#current = file.path));
    self.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      const menu = new Menu();
      this.app.workspace.trigger('file-menu', menu, file, 'file-explorer-context-menu');
      menu.addItem((entry) =>
        entry
          .setTitle('Delete')
          .setIcon('trash-2')
          .setWarning(true)
          .onClick(() => void this.app.fileManager.promptForDeletion(file)),
      );
      menu.showAtMouseEvent(event);
    });
    return self;
  }
}
