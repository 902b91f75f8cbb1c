import { TFile, type WorkspaceLeaf } from 'obsidian';
import type { Savepoint } from '../../savepoint.js';
import { createStore, type Store } from '../../store.js';
import { text } from '../../i18n/index.js';
import type { MemoryPlace } from '../view-state.js';
import { PreactView } from '../../ui/preact-view.js';
import { NotesPane, type ActiveNote } from './notes-pane.js';

export const NOTES_VIEW = 'savepoint-note-memory';

/** The pane with the memory of the active note. */
export class NotesView extends PreactView {
  override icon = 'file-clock';
  readonly note = createStore<ActiveNote | undefined>(undefined);
  readonly #savepoint: Store<Savepoint | undefined>;
  readonly #openMemory: (place: MemoryPlace) => Promise<void>;

  constructor(
    leaf: WorkspaceLeaf,
    savepoint: Store<Savepoint | undefined>,
    openMemory: (place: MemoryPlace) => Promise<void>,
  ) {
    super(leaf);
    this.#savepoint = savepoint;
    this.#openMemory = openMemory;
  }

  override getViewType(): string {
    return NOTES_VIEW;
  }

  override getDisplayText(): string {
    return text.memoryView.noteTitle;
  }

  override async onOpen(): Promise<void> {
    const { workspace, vault } = this.app;
    this.show(workspace.getActiveFile());
    this.registerEvent(
      workspace.on('file-open', (file) => this.show(file ?? workspace.getActiveFile())),
    );
    this.registerEvent(
      vault.on('rename', (file, before) => {
        if (file instanceof TFile && before === this.note.get()?.path) this.show(file);
      }),
    );
    await super.onOpen();
  }

  protected override content() {
    return <NotesPane savepoint={this.#savepoint} note={this.note} open={this.#openMemory} />;
  }

  /** Shows the memory of a note until another one is opened. */
  show(file: TFile | null): void {
    const shown = this.note.get();
    if (file?.path !== shown?.path)
      this.note.set(file ? { path: file.path, name: file.basename } : undefined);
  }
}
