import { Keymap, Platform, renderMatches, SuggestModal, type App } from 'obsidian';
import type { NoteHit } from '../../indexing/notes/note-search.js';
import { UNLIMITED } from '../../indexing/search-result.js';
import type { SearchService } from '../../indexing/search-service.js';
import { hasWords } from '../../agents/shared/search-inputs.js';
import { Refusal } from '../../model/refusal.js';
import { visibleText } from '../../model/text/visible-text.js';
import type { Clock } from '../../platform/clock.js';
import { act } from '../actions.js';
import { text } from '../i18n/index.js';
import { newestOnly } from '../ui/newest-only.js';
import { pickerInstructions, renderRow } from './picker.js';

interface SearchOptions {
  readonly search: SearchService;
  readonly clock: Clock;
}

const TYPING_DEBOUNCE_MS = 80;
const SHOWN_HITS = 30;

export class SearchNotes extends SuggestModal<NoteHit> {
  readonly #find = newestOnly((query, signal) => this.#look(query, signal));
  /** Number of index updates so far. */
  #updates = 0;
  /** Value of `updates` at the last query; undefined if that query had hits. */
  #updatesAtMiss: number | undefined;
  #stopListening: () => void = () => undefined;
  readonly #options: SearchOptions;

  constructor(app: App, options: SearchOptions) {
    super(app);
    this.#options = options;
    const { placeholder, start, enter, newTab } = text.commands.searchNotes;
    this.limit = SHOWN_HITS;
    this.emptyStateText = start;
    this.setPlaceholder(placeholder);
    this.inputEl.setAttr('aria-label', placeholder);
    const inNewTab = { command: Platform.isMacOS ? '⌘ ↵' : 'ctrl ↵', purpose: newTab };
    this.setInstructions(pickerInstructions(enter, inNewTab));
    this.scope.register(['Mod'], 'Enter', (event) => {
      this.selectActiveSuggestion(event);
      return false;
    });
  }

  override onOpen(): void {
    void super.onOpen();
    this.#stopListening = this.#options.search.onProgress(() => {
      this.#updates++;
      this.#askAgain();
    });
  }

  override onClose(): void {
    this.#stopListening();
    this.#updatesAtMiss = undefined;
    super.onClose();
  }

  override getSuggestions(query: string): Promise<NoteHit[]> {
    return this.#find(query.trim());
  }

  override renderSuggestion(
    { path, heading, excerpt, matches, also }: NoteHit,
    row: HTMLElement,
  ): void {
    const cut = path.lastIndexOf('/');
    const name = path.slice(cut + 1).replace(/\.md$/i, '');
    const { note, aux } = renderRow(
      row,
      heading === undefined || heading === name ? name : `${name} › ${heading}`,
      [],
    );
    const shown = excerpt.replace(/\s/g, ' '); // same length, so the match positions stay valid
    renderMatches(
      note.createEl('bdi'),
      shown,
      matches.map(([from, to]): [number, number] => [from, to]),
    );
    if (cut > 0) aux.createSpan({ text: visibleText(path.slice(0, cut)) });
    if (also.length > 0)
      aux.createSpan({
        text: text.commands.searchNotes.alsoIn(also.length),
        title: also.join('\n'),
      });
  }

  override onChooseSuggestion(hit: NoteHit, event: MouseEvent | KeyboardEvent): void {
    act(() => openNoteHit(this.app, hit, event));
  }

  /** Repeats a query without hits once more notes have been indexed. */
  #askAgain(): void {
    if (this.#updatesAtMiss !== undefined && this.#updatesAtMiss !== this.#updates)
      this.inputEl.dispatchEvent(new Event('input'));
  }

  async #look(query: string, signal: AbortSignal): Promise<NoteHit[]> {
    const { search, clock } = this.#options;
    const { start, nothing, stillReading } = text.commands.searchNotes;
    this.#updatesAtMiss = undefined;
    const updates = this.#updates;
    if (!hasWords(query)) {
      this.emptyStateText = start;
      return [];
    }
    await new Promise<void>((resolve) => void clock.after(TYPING_DEBOUNCE_MS, resolve));
    const isSuperseded = () => signal.aborted;
    if (isSuperseded()) return [];
    const asked = {
      query,
      folder: '',
      mode: 'hybrid',
      tags: [],
      range: UNLIMITED,
      limit: SHOWN_HITS,
      isTyping: true,
    } as const;
    const answer = await search.notes.search({ ...asked, signal });
    if ('problem' in answer) return []; // keyword search always answers
    const { found, progress } = answer;
    if (isSuperseded()) return [];
    if (found.length === 0) {
      this.#updatesAtMiss = updates;
      clock.after(0, () => this.#askAgain());
    }
    this.emptyStateText = progress ? stillReading(progress.done, progress.total) : nothing(query);
    return [...found];
  }
}

/** Opens a note at the hit's line, in a new tab on a modifier. Throws a `Refusal` if it is gone. */
export async function openNoteHit(
  { vault, workspace }: App,
  { path, line }: NoteHit,
  event: MouseEvent | KeyboardEvent,
): Promise<void> {
  const file = vault.getFileByPath(path);
  if (!file) throw new Refusal(text.commands.searchNotes.gone(path));
  await workspace.getLeaf(Keymap.isModEvent(event)).openFile(file, { eState: { line: line - 1 } });
}
