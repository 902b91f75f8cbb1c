import type { DataAdapter, DataWriteOptions, FileStats } from 'obsidian';
import { CapacitorAdapter, FileSystemAdapter } from './adapter';
import { Events } from './events';
import { joinPath, nameOf, parentOf, type Medium, type MediumStat } from './medium';

export abstract class TAbstractFile {
  vault: Vault;
  path: string;
  name: string;
  parent: TFolder | null;

  constructor(vault: Vault, path: string, parent: TFolder | null) {
    this.vault = vault;
    this.path = path;
    this.name = nameOf(path);
    this.parent = parent;
  }
}

export class TFile extends TAbstractFile {
  stat: FileStats = { ctime: 0, mtime: 0, size: 0 };

  get basename(): string {
    return this.name.slice(
      0,
      this.name.length - (this.extension === '' ? 0 : this.extension.length + 1),
    );
  }

  get extension(): string {
    const dot = this.name.lastIndexOf('.');
    return dot > 0 ? this.name.slice(dot + 1).toLowerCase() : '';
  }
}

export class TFolder extends TAbstractFile {
  children: TAbstractFile[] = [];

  isRoot(): boolean {
    return this.parent === null;
  }
}

interface Found {
  readonly file: TAbstractFile;
  version: string;
}

/** Hidden files and folders are not part of the tree; only the adapter can access them. */
const isHidden = (path: string) => path.split('/').some((part) => part.startsWith('.'));

export class Vault extends Events {
  readonly adapter: DataAdapter;
  readonly configDir = '.obsidian';
  readonly #medium: Medium;
  readonly #root = new TFolder(this, '/', null);
  #found = new Map<string, Found>();
  #isLoaded = false;
  #looking: Promise<unknown> = Promise.resolve();
  #texts = new Map<TFile, { version: string; text: string }>();

  constructor(medium: Medium, name: string, isMobile: boolean) {
    super();
    this.#medium = medium;
    this.#root.name = '';
    const Adapter = isMobile ? CapacitorAdapter : FileSystemAdapter;
    this.adapter = new Adapter(medium, name, (path) => this.#look(path));
  }

  /**
   * Fills the tree, with a `create` for each entry, and follows the medium. Returns a stop
   * function.
   */
  async loadTree(): Promise<() => void> {
    this.#isLoaded = true;
    const stop = this.#medium.watch((path) => window.setTimeout(() => void this.#look(path), 0));
    await this.#look('');
    return stop;
  }

  getName(): string {
    return this.adapter.getName();
  }

  getRoot(): TFolder {
    return this.#root;
  }

  getAbstractFileByPath(path: string): TAbstractFile | null {
    return path === '/' || path === '' ? this.#root : (this.#found.get(path)?.file ?? null);
  }

  getFileByPath(path: string): TFile | null {
    const file = this.getAbstractFileByPath(path);
    return file instanceof TFile ? file : null;
  }

  getFolderByPath(path: string): TFolder | null {
    const folder = this.getAbstractFileByPath(path);
    return folder instanceof TFolder ? folder : null;
  }

  getAllLoadedFiles(): TAbstractFile[] {
    return [this.#root, ...[...this.#found.values()].map(({ file }) => file)];
  }

  getAllFolders(includeRoot = false): TFolder[] {
    return this.getAllLoadedFiles().filter(
      (file) => file instanceof TFolder && (includeRoot || !file.isRoot()),
    ) as TFolder[];
  }

  getFiles(): TFile[] {
    return this.getAllLoadedFiles().filter((file) => file instanceof TFile);
  }

  getMarkdownFiles(): TFile[] {
    return this.getFiles().filter((file) => file.extension === 'md');
  }

  static recurseChildren(root: TFolder, callback: (file: TAbstractFile) => unknown): void {
    callback(root);
    for (const child of root.children) {
      if (child instanceof TFolder) Vault.recurseChildren(child, callback);
      else callback(child);
    }
  }

  async create(path: string, data: string, options?: DataWriteOptions): Promise<TFile> {
    await this.#checkNew(path, 'File');
    await this.adapter.write(path, data, options);
    return this.#fileAt(path);
  }

  async createBinary(path: string, data: ArrayBuffer, options?: DataWriteOptions): Promise<TFile> {
    await this.#checkNew(path, 'File');
    await this.adapter.writeBinary(path, data, options);
    return this.#fileAt(path);
  }

  async createFolder(path: string): Promise<TFolder> {
    await this.#checkNew(path, 'Folder');
    await this.adapter.mkdir(path);
    const folder = this.getFolderByPath(path);
    if (!folder) throw new Error(`Hidden folders are not part of the vault: ${path}`);
    return folder;
  }

  read(file: TFile): Promise<string> {
    return this.adapter.read(file.path);
  }

  async cachedRead(file: TFile): Promise<string> {
    const version = this.#found.get(file.path)?.version;
    const cached = this.#texts.get(file);
    if (cached && cached.version === version) return cached.text;
    const text = await this.read(file);
    if (version !== undefined) this.#texts.set(file, { version, text });
    return text;
  }

  readBinary(file: TFile): Promise<ArrayBuffer> {
    return this.adapter.readBinary(file.path);
  }

  getResourcePath(file: TFile): string {
    const url = this.adapter.getResourcePath(file.path);
    return url.startsWith('blob:') ? url : `${url}?${file.stat.mtime}`;
  }

  async modify(file: TFile, data: string, options?: DataWriteOptions): Promise<void> {
    this.#checkKnown(file);
    await this.adapter.write(file.path, data, options);
  }

  async modifyBinary(file: TFile, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    this.#checkKnown(file);
    await this.adapter.writeBinary(file.path, data, options);
  }

  async append(file: TFile, data: string, options?: DataWriteOptions): Promise<void> {
    this.#checkKnown(file);
    await this.adapter.append(file.path, data, options);
  }

  async appendBinary(file: TFile, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    this.#checkKnown(file);
    await this.adapter.appendBinary(file.path, data, options);
  }

  async process(
    file: TFile,
    fn: (data: string) => string,
    options?: DataWriteOptions,
  ): Promise<string> {
    this.#checkKnown(file);
    return this.adapter.process(file.path, fn, options);
  }

  async delete(file: TAbstractFile, force = false): Promise<void> {
    if (file instanceof TFolder)
      await this.adapter.rmdir(file.path, force || !(await this.#hidesSomething(file)));
    else await this.adapter.remove(file.path);
  }

  async trash(file: TAbstractFile, system: boolean): Promise<void> {
    if (system && (await this.adapter.trashSystem(file.path))) return;
    await this.adapter.trashLocal(file.path);
  }

  /**
   * Keeps the file object. The contents of a folder are renamed with it, each with its own event.
   */
  async rename(file: TAbstractFile, newPath: string): Promise<void> {
    this.#checkKnown(file);
    const oldPath = file.path;
    const below = [...this.#found].filter(
      ([path]) => path === oldPath || path.startsWith(`${oldPath}/`),
    );
    const moved = below.map(([path, found]) => ({
      path,
      to: newPath + path.slice(oldPath.length),
      found,
    }));
    if (await this.adapter.exists(newPath)) {
      if (newPath.toLowerCase() !== oldPath.toLowerCase())
        throw new Error('Destination file already exists!');
    }
    const folder = this.getFolderByPath(parentOf(newPath));
    if (!folder)
      throw Object.assign(new Error(`ENOENT: rename '${oldPath}' -> '${newPath}'`), {
        code: 'ENOENT',
      });
    await this.#alone(async () => {
      for (const { path } of moved) this.#found.delete(path);
      await this.#medium.rename(oldPath, newPath).catch((error: unknown) => {
        for (const { path, found } of moved) this.#found.set(path, found);
        throw error;
      });
      for (const { to, found } of moved) {
        this.#found.set(to, found);
        found.file.path = to;
        found.file.name = nameOf(to);
      }
      file.parent?.children.remove(file);
      file.parent = folder;
      folder.children.push(file);
    });
    for (const { path, found } of moved) this.trigger('rename', found.file, path);
  }

  async copy<T extends TAbstractFile>(file: T, newPath: string): Promise<T> {
    await this.adapter.copy(file.path, newPath);
    return this.getAbstractFileByPath(newPath) as T;
  }

  async #checkNew(path: string, kind: 'File' | 'Folder'): Promise<void> {
    if (await this.adapter.exists(path)) throw new Error(`${kind} already exists.`);
  }

  #checkKnown(file: TAbstractFile): void {
    if (this.#found.get(file.path)?.file !== file)
      throw new Error(`File does not exist: ${file.path}`);
  }

  #fileAt(path: string): TFile {
    const file = this.getFileByPath(path);
    if (!file) throw new Error(`Hidden files are not part of the vault: ${path}`);
    return file;
  }

  async #hidesSomething(folder: TFolder): Promise<boolean> {
    const { files, folders } = await this.adapter.list(folder.path);
    if ([...files, ...folders].some(isHidden)) return true;
    for (const child of folder.children)
      if (child instanceof TFolder && (await this.#hidesSomething(child))) return true;
    return false;
  }

  /**
   * Updates the tree to the current state of a path. Updates are serialized, so that no change is
   * reported twice.
   */
  #look(path: string): Promise<void> {
    return this.#alone(() => this.#reconcile(path));
  }

  #alone(act: () => Promise<void>): Promise<void> {
    const done = this.#looking.then(act);
    this.#looking = done.catch(() => undefined); // reported to the caller
    return done;
  }

  async #reconcile(path: string): Promise<void> {
    if (!this.#isLoaded || isHidden(path)) return;
    const stat = await this.#medium.stat(path);
    if (!stat) return this.#lose(path);
    const parent = parentOf(path);
    if (path !== '' && parent !== '' && !this.getFolderByPath(parent))
      await this.#reconcile(parent);
    if (path !== '') this.#meet(path, stat);
    if (stat.type === 'folder') await this.#reconcileChildren(path);
  }

  async #reconcileChildren(path: string): Promise<void> {
    const names = await this.#medium.list(path);
    const known = this.getFolderByPath(path)?.children.map((child) => child.name) ?? [];
    for (const name of new Set([...names, ...known])) await this.#reconcile(joinPath(path, name));
  }

  #meet(path: string, { type, ctime, mtime, size, version }: MediumStat): void {
    const before = this.#found.get(path);
    const parent = this.getFolderByPath(parentOf(path));
    if (!parent) return;
    if (before && before.file instanceof TFile !== (type === 'file')) this.#lose(path);
    const same = this.#found.get(path);
    const file = same?.file ?? new (type === 'file' ? TFile : TFolder)(this, path, parent);
    if (file instanceof TFile) file.stat = { ctime, mtime, size };
    if (!same) {
      parent.children.push(file);
      this.#found.set(path, { file, version });
      this.trigger('create', file);
    } else if (same.version !== version) {
      same.version = version;
      if (type === 'file') this.trigger('modify', file);
    }
  }

  #lose(path: string): void {
    const found = this.#found.get(path);
    if (!found) return;
    if (found.file instanceof TFolder)
      for (const child of [...found.file.children]) this.#lose(child.path);
    this.#found.delete(path);
    found.file.parent?.children.remove(found.file);
    this.trigger('delete', found.file);
  }
}
