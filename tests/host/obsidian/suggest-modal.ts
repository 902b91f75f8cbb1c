import type { FuzzyMatch, Instruction } from 'obsidian';
import type { App } from './app';
import { prepareFuzzySearch, renderMatches, sortSearchResults } from './fuzzy';
import { setIcon } from './icons';
import { Modal } from './modal';
import { SuggestionList } from './suggestions';

export abstract class SuggestModal<T> extends Modal {
  limit = 100;
  emptyStateText = 'No results found.';
  inputEl: HTMLInputElement;
  resultContainerEl: HTMLElement;
  readonly #list: SuggestionList<T>;
  readonly #instructionsEl: HTMLElement;
  #round = 0;

  constructor(app: App) {
    super(app);
    this.modalEl.className = 'prompt';
    this.modalEl.empty();
    const box = this.modalEl.createDiv('prompt-input-container');
    this.inputEl = box.createEl('input', {
      cls: 'prompt-input',
      type: 'text',
      attr: {
        autocapitalize: 'off',
        spellcheck: 'false',
        enterkeyhint: 'done',
        'aria-label': 'Search',
      },
    });
    const clear = box.createDiv({
      cls: 'search-input-clear-button',
      attr: { 'aria-hidden': 'true' },
    });
    setIcon(clear, 'x');
    clear.addEventListener('click', () => {
      this.inputEl.value = '';
      void this.#update();
      this.inputEl.focus();
    });
    this.resultContainerEl = this.modalEl.createDiv('prompt-results');
    this.#instructionsEl = this.modalEl.createDiv('prompt-instructions');
    this.#instructionsEl.hide();
    this.modalEl.setAttr('aria-label', 'Search');
    this.#list = new SuggestionList<T>(
      this,
      this.resultContainerEl,
      this.scope,
      () => this.inputEl,
    );
    this.#list.describe(this.inputEl);
    this.inputEl.addEventListener('input', () => void this.#update());
    for (const modifiers of [[], ['Shift'], ['Mod'], ['Alt']] as const) {
      this.scope.register([...modifiers], 'Enter', (event) => {
        this.selectActiveSuggestion(event);
        return false;
      });
    }
  }

  /** As in the app, the list is shown even if a subclass overrides `onOpen` without calling it. */
  override open(): void {
    super.open();
    void this.#update();
  }

  protected override focusInitially(): void {
    this.inputEl.focus();
  }

  setPlaceholder(placeholder: string): void {
    this.inputEl.placeholder = placeholder;
    this.inputEl.setAttr('aria-label', placeholder);
    this.modalEl.setAttr('aria-label', placeholder);
  }

  setInstructions(instructions: Instruction[]): void {
    this.#instructionsEl.empty();
    this.#instructionsEl.toggle(instructions.length > 0);
    for (const { command, purpose } of instructions) {
      const el = this.#instructionsEl.createDiv('prompt-instruction');
      el.createSpan({ cls: 'prompt-instruction-command', text: command });
      el.createSpan({ text: purpose });
    }
  }

  onNoSuggestion(): void {
    this.#list.show([]);
    this.resultContainerEl.createDiv({
      cls: 'suggestion-empty',
      text: this.emptyStateText,
      attr: { role: 'option' },
    });
  }

  /** Closes before choosing, so that the choice can open another modal. */
  selectSuggestion(value: T, event: MouseEvent | KeyboardEvent): void {
    this.app.lastEvent = event;
    this.close();
    this.onChooseSuggestion(value, event);
  }

  selectActiveSuggestion(event: MouseEvent | KeyboardEvent): void {
    this.#list.useSelected(event);
  }

  abstract getSuggestions(query: string): T[] | Promise<T[]>;
  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract onChooseSuggestion(item: T, event: MouseEvent | KeyboardEvent): void;

  /** Shows only the results of the latest query. */
  async #update(): Promise<void> {
    const round = ++this.#round;
    const found = this.getSuggestions(this.inputEl.value);
    const values = Array.isArray(found) ? found : await found;
    if (round !== this.#round) return;
    if (values.length === 0) this.onNoSuggestion();
    else this.#list.show(values.slice(0, this.limit));
  }
}

export abstract class FuzzySuggestModal<T> extends SuggestModal<FuzzyMatch<T>> {
  abstract getItems(): T[];
  abstract getItemText(item: T): string;
  abstract onChooseItem(item: T, event: MouseEvent | KeyboardEvent): void;

  getSuggestions(query: string): FuzzyMatch<T>[] {
    const search = prepareFuzzySearch(query);
    const found = this.getItems().flatMap((item) => {
      const match = search(this.getItemText(item));
      return match ? [{ item, match }] : [];
    });
    if (query.trim() !== '') sortSearchResults(found);
    return found;
  }

  renderSuggestion({ item, match }: FuzzyMatch<T>, el: HTMLElement): void {
    renderMatches(el, this.getItemText(item), match.matches);
  }

  onChooseSuggestion({ item }: FuzzyMatch<T>, event: MouseEvent | KeyboardEvent): void {
    this.onChooseItem(item, event);
  }
}
