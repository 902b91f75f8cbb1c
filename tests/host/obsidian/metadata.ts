import type { CachedMetadata } from 'obsidian';
import { Events } from './events';
import { getLinkpath } from './links';
import { parseMetadata } from './metadata-parser';
import { TFile, type TAbstractFile, type Vault } from './vault';

type LinkCounts = Record<string, Record<string, number>>;

/** Metadata of each note, updated shortly after it is written. */
export class MetadataCache extends Events {
  resolvedLinks: LinkCounts = {};
  unresolvedLinks: LinkCounts = {};
  readonly #vault: Vault;
  #caches = new Map<string, CachedMetadata>();
  #waiting = new Set<TFile>();
  #working = false;

  constructor(vault: Vault) {
    super();
    this.#vault = vault;
    const isNote = (file: TAbstractFile): file is TFile =>
      file instanceof TFile && file.extension === 'md';
    const note = (file: TAbstractFile) => void (isNote(file) && this.#queue(file));
    vault.on('create', note);
    vault.on('modify', note);
    vault.on('rename', (file: TAbstractFile, oldPath: string) => {
      const cache = this.#caches.get(oldPath);
      this.#forget(oldPath);
      if (isNote(file) && cache) this.#caches.set(file.path, cache);
      this.#resolveAll();
    });
    vault.on('delete', (file: TAbstractFile) => {
      if (!isNote(file)) return;
      const before = this.#caches.get(file.path) ?? null;
      this.#forget(file.path);
      this.trigger('deleted', file, before);
      this.#resolveAll();
    });
  }

  getFileCache(file: TFile): CachedMetadata | null {
    return this.getCache(file.path);
  }

  getCache(path: string): CachedMetadata | null {
    return this.#caches.get(path) ?? null;
  }

  /**
   * Returns the nearest file that matches a link: by path, then in the same folder, then by name.
   */
  getFirstLinkpathDest(linkpath: string, sourcePath: string): TFile | null {
    const wanted = linkpath.toLowerCase(); // without a heading, as documented
    if (wanted === '') return this.#vault.getFileByPath(sourcePath);
    const folder = sourcePath.includes('/') ? sourcePath.slice(0, sourcePath.lastIndexOf('/')) : '';
    if (wanted.startsWith('./') || wanted.startsWith('../'))
      return this.#findRelative(folder, wanted);
    const clean = wanted.replace(/^\//, '');
    const fits = (path: string, target: string) => path === target || path === `${target}.md`;
    const candidates = this.#vault.getFiles().filter(({ path }) => {
      const lower = path.toLowerCase();
      return fits(lower, clean) || lower.endsWith(`/${clean}`) || lower.endsWith(`/${clean}.md`);
    });
    const rank = ({ path }: TFile) => {
      if (fits(path.toLowerCase(), clean)) return 0;
      return path.startsWith(`${folder}/`) ? 1 : 1 + path.split('/').length;
    };
    return candidates.sort((a, b) => rank(a) - rank(b) || a.path.length - b.path.length)[0] ?? null;
  }

  /** Returns the shortest link text of the file: its name if that is unique, else its path. */
  fileToLinktext(file: TFile, _sourcePath: string, omitMdExtension = true): string {
    const isShort = omitMdExtension && file.extension === 'md';
    const isAlone = this.#vault
      .getFiles()
      .every((other) => other === file || other.name.toLowerCase() !== file.name.toLowerCase());
    const text = isAlone ? file.name : file.path;
    return isShort ? text.replace(/\.md$/, '') : text;
  }

  #findRelative(folder: string, wanted: string): TFile | null {
    const parts = folder === '' ? [] : folder.toLowerCase().split('/');
    for (const part of wanted.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '.') parts.push(part);
    }
    const path = parts.join('/');
    return (
      this.#vault
        .getFiles()
        .find((file) => [path, `${path}.md`].includes(file.path.toLowerCase())) ?? null
    );
  }

  #queue(file: TFile): void {
    this.#waiting.add(file);
    if (this.#working) return;
    this.#working = true;
    window.setTimeout(() => void this.#work(), 0);
  }

  async #work(): Promise<void> {
    const isFirst = this.#caches.size === 0;
    const done: TFile[] = [];
    for (const file of this.#waiting) {
      this.#waiting.delete(file);
      const text = await this.#vault.cachedRead(file).catch(() => null); // deleted meanwhile
      if (text === null || this.#vault.getFileByPath(file.path) !== file) continue;
      const cache = parseMetadata(text);
      this.#caches.set(file.path, cache);
      this.trigger('changed', file, text, cache);
      done.push(file);
    }
    this.#working = false;
    if (isFirst || done.length > 0) this.#resolveAll(done);
  }

  /** A link's target depends on all files, so all links are resolved again. */
  #resolveAll(changed: TFile[] = []): void {
    for (const [path, cache] of this.#caches) this.#resolve(path, cache);
    for (const file of changed) this.trigger('resolve', file);
    this.trigger('resolved');
  }

  #resolve(path: string, cache: CachedMetadata): void {
    const resolved: Record<string, number> = (this.resolvedLinks[path] = {});
    const unresolved: Record<string, number> = (this.unresolvedLinks[path] = {});
    for (const { link } of [
      ...(cache.links ?? []),
      ...(cache.embeds ?? []),
      ...(cache.frontmatterLinks ?? []),
    ]) {
      const target = this.getFirstLinkpathDest(getLinkpath(link), path);
      const counts = target ? resolved : unresolved;
      const key = target?.path ?? getLinkpath(link);
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }

  #forget(path: string): void {
    this.#caches.delete(path);
    delete this.resolvedLinks[path];
    delete this.unresolvedLinks[path];
  }
}
