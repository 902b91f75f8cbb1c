import { MarkdownView, TFile, TFolder, type App, type Editor } from 'obsidian';
import type { VaultPath } from '../../../model/paths.js';
import { editedCopyPath } from '../../../transfer/mirror/mirror-notes.js';
import { normalizeText, releaseNote } from '../../../transfer/mirror/mirror-text.js';
import type { NoteView } from '../../../transfer/mirror/task-session.js';

/** An edited note that was renamed to make room for the mirror's. */
export interface EditedCopy {
  /** Path at which the user edited the note. */
  readonly path: VaultPath;
  /** Path of the note now. */
  readonly copy: VaultPath;
}

/** Access to the mirror's notes in the vault. Never replaces text that the caller has not seen. */
export class MirrorFiles {
  readonly #app: App;
  /** Paths that are being written, moved or removed here. */
  readonly #busy = new Set<VaultPath>();
  /** True if a folder may have lost its last note. */
  #mayHaveEmptied = true;

  constructor(app: App) {
    this.#app = app;
  }

  /** Returns true if an event about the path may come from here. */
  isBusy(path: VaultPath): boolean {
    return this.#busy.has(path);
  }

  /** Returns every note below a folder by its lower-case path, because some disks ignore case. */
  list(folder: VaultPath): Map<string, TFile> {
    const found = new Map<string, TFile>();
    const root = this.#app.vault.getFolderByPath(folder);
    const folders = root ? [root] : [];
    for (const each of folders) {
      for (const child of each.children) {
        if (child instanceof TFolder) folders.push(child);
        else if (child instanceof TFile && child.extension === 'md')
          found.set(child.path.toLowerCase(), child);
      }
    }
    return found;
  }

  /** Records that a file was changed, perhaps removed, by someone else. */
  onChanged(path: VaultPath): void {
    if (!this.#app.vault.getAbstractFileByPath(path)) this.#mayHaveEmptied = true;
  }

  find(path: VaultPath): TFile | undefined {
    return this.#app.vault.getFileByPath(path) ?? undefined;
  }

  read(file: TFile): Promise<string> {
    return this.#app.vault.read(file);
  }

  /** Returns true if an editor's text differs from the file: the app saves it in a moment. */
  hasUnsavedText(file: TFile, content: string): boolean {
    return this.#viewsOf(file).some((view) => differs(view, content));
  }

  /** Returns a note as a person sees it; undefined if tabs differ until the app saves. */
  view(file: TFile, content = ''): (NoteView & { editor?: Editor }) | undefined {
    const views = this.#viewsOf(file);
    const last = this.#app.workspace.getMostRecentLeaf()?.view;
    const edited = views.filter((view) => view.getMode() === 'source');
    const view = edited.find((each) => each === last) ?? edited[0];
    const isOpen = views.length > 0;
    const text = view?.editor.getValue() ?? content;
    if (views.some((each) => each !== view && differs(each, text))) return undefined;
    if (!view) return { text, cursor: undefined, isOpen };
    const [from, to] = [view.editor.getCursor('from'), view.editor.getCursor('to')];
    return { text, cursor: [from.line, to.line], isOpen, editor: view.editor };
  }

  #viewsOf(file: TFile): MarkdownView[] {
    return this.#app.workspace
      .getLeavesOfType('markdown')
      .flatMap(({ view }) => (view instanceof MarkdownView && view.file === file ? [view] : []));
  }

  /** Creates a note, and its folder if needed. Throws if the note exists. */
  create(path: VaultPath, content: string): Promise<void> {
    return this.#withBusy([path], async () => {
      await this.#createFolderOf(path);
      await this.#app.vault.create(path, content);
    });
  }

  /** Replaces the text of a note if it is still `expected`. Resolves with false if it is not. */
  replace(file: TFile, expected: string, content: string): Promise<boolean> {
    return this.#withBusy([file.path], async () => {
      let isReplaced = false;
      await this.#app.vault.process(file, (current) => {
        isReplaced = current === expected;
        return isReplaced ? content : current;
      });
      return isReplaced;
    });
  }

  /** Moves a note and its open tabs. Throws if the target exists. */
  move(file: TFile, path: VaultPath): Promise<void> {
    this.#mayHaveEmptied = true;
    return this.#withBusy([file.path, path], async () => {
      await this.#createFolderOf(path);
      await this.#app.vault.rename(file, path); // unlike renameFile, never asks about links
    });
  }

  /** Renames an edited note to `NAME (edited).md`. A tab in which the user is typing follows it. */
  async keepEdited(file: TFile): Promise<EditedCopy> {
    const { path, parent } = file;
    const taken = new Set(parent?.children.map((child) => child.path.toLowerCase()));
    const copy = editedCopyPath(path, (each) => taken.has(each.toLowerCase()));
    await this.move(file, copy);
    return { path, copy };
  }

  /** Gives an edited note its name back, as the user's own note. */
  async putBack(copy: TFile, path: VaultPath): Promise<void> {
    await this.move(copy, path);
    await this.#withBusy([path], () => this.#app.vault.process(copy, releaseNote));
  }

  /** Moves a note to the trash. */
  trash(file: TFile): Promise<void> {
    this.#mayHaveEmptied = true;
    return this.#withBusy([file.path], () => this.#app.fileManager.trashFile(file));
  }

  /** Moves the empty folders below a folder to the trash, if notes have left it since. */
  async trashEmptyFolders(folder: VaultPath): Promise<void> {
    const { vault, fileManager } = this.#app;
    const root = this.#mayHaveEmptied ? vault.getFolderByPath(folder) : null;
    this.#mayHaveEmptied = false;
    const folders = root ? [root] : [];
    for (const each of folders)
      for (const child of each.children) if (child instanceof TFolder) folders.push(child);
    for (const each of folders.slice(1).reverse()) {
      // the app may not know yet what another program has created in it
      const within = await vault.adapter.list(each.path);
      if (within.files.length + within.folders.length === 0) await fileManager.trashFile(each);
    }
  }

  async #createFolderOf(path: VaultPath): Promise<void> {
    const { vault } = this.#app;
    const folder = path.slice(0, path.lastIndexOf('/'));
    // The app may not know yet about a folder that another program created.
    if (!vault.getFolderByPath(folder) && !(await vault.adapter.exists(folder)))
      await vault.createFolder(folder);
  }

  async #withBusy<T>(paths: readonly VaultPath[], task: () => Promise<T>): Promise<T> {
    for (const path of paths) this.#busy.add(path);
    try {
      return await task();
    } finally {
      for (const path of paths) this.#busy.delete(path);
    }
  }
}

function differs(view: MarkdownView, content: string): boolean {
  return normalizeText(view.getViewData()) !== normalizeText(content);
}
