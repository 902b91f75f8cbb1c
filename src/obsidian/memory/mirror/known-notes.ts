import type { VaultPath } from '../../../model/paths.js';
import type { MirrorNote } from '../../../transfer/mirror/mirror-notes.js';
import { markId, type MirrorFile } from '../../../transfer/mirror/mirror-text.js';
import { isAsKnown, knownNote, type KnownNote } from './known-note.js';

/** After that, the note is left alone: another program probably changes it after each write. */
const MAX_COPIES_PER_NOTE = 3;

/** Known notes of the mirror in this run, by lower-case path: some disks ignore case. */
export class KnownNotes {
  /** Notes known to be up to date, by lower-case path. */
  readonly #known = new Map<string, KnownNote>();
  readonly #skipped = new Set<VaultPath>();
  /** Last known hash of each note that someone else has changed since, by lower-case path. */
  readonly #changed = new Map<string, string | undefined>();
  /** Number of copies made of edited notes, by lower-case path. */
  readonly #copies = new Map<string, number>();

  /** Paths of the user's own notes. */
  get skipped(): ReadonlySet<VaultPath> {
    return this.#skipped;
  }

  clear(): void {
    this.#known.clear();
    this.#skipped.clear();
    this.#changed.clear();
    this.#copies.clear();
  }

  /** Records that someone else has changed a file. */
  setChanged(path: VaultPath): void {
    const key = path.toLowerCase();
    this.#changed.set(key, this.#known.get(key)?.hash ?? this.#changed.get(key));
    this.#known.delete(key);
    this.#skipped.delete(path);
  }

  /** Records that the note is up to date, and the hash in its mark. */
  remember(note: MirrorNote, hash: string): void {
    const key = note.path.toLowerCase();
    this.#changed.delete(key);
    this.#known.set(key, knownNote(note, hash));
  }

  forget(path: VaultPath): void {
    this.#known.delete(path.toLowerCase());
  }

  /** Returns true if the note is known to be up to date. */
  has(note: MirrorNote): boolean {
    return isAsKnown(this.#known.get(note.path.toLowerCase()), note);
  }

  /** Leaves the path to the user's own note. */
  skip(path: VaultPath): void {
    this.#skipped.add(path);
  }

  countCopy(path: VaultPath): void {
    const key = path.toLowerCase();
    this.#known.delete(key);
    this.#copies.set(key, (this.#copies.get(key) ?? 0) + 1);
  }

  isLeftAlone(note: MirrorNote, read: MirrorFile | undefined): boolean {
    const copies = this.#copies.get(note.path.toLowerCase()) ?? 0;
    return read?.kind === 'edited' && read.id === markId(note) && copies >= MAX_COPIES_PER_NOTE;
  }

  /** Returns true if another device wrote the note, so that the two do not overwrite it forever. */
  isByAnotherDevice({ hash }: MirrorFile, { path }: MirrorNote): boolean {
    const key = path.toLowerCase();
    return this.#changed.has(key) && this.#changed.get(key) !== hash;
  }
}
